"""The reason for which something is archived."""

from django import forms

from annotate.archive.services import MAX_REASON_LENGTH


class ArchiveForm(forms.Form):
    reason = forms.CharField(
        required=False,
        max_length=MAX_REASON_LENGTH,
        error_messages={"max_length": f"Shorten the reason to {MAX_REASON_LENGTH} characters."},
    )

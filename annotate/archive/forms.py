"""The reason for which something is archived."""

from django import forms

from annotate.archive.services import LONGEST_REASON


class ArchiveForm(forms.Form):
    reason = forms.CharField(
        required=False,
        max_length=LONGEST_REASON,
        error_messages={"max_length": f"Shorten the reason to {LONGEST_REASON} characters."},
    )

"""The form to build a release."""

from __future__ import annotations

from django import forms

from review.errors import ReviewError
from review.releases.versions import LONGEST, parse_version


class BuildForm(forms.Form):
    version = forms.CharField(
        max_length=LONGEST + 1,
        help_text="Three numbers separated by dots, higher than the last release.",
    )
    notes = forms.CharField(
        max_length=2000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="What is new, in one or two sentences. The README will show it.",
    )
    clip_files = forms.BooleanField(
        label="Include the clips as files",
        required=False,
        help_text="Each is cut from its video frame by frame, which takes about as long as the "
        "clips last, once for all releases. Otherwise the release has the whole videos alone.",
    )
    confirm = forms.BooleanField(
        label="I have looked at the clips and the checks above.",
        error_messages={"required": "Tick this first. A release can't be changed later."},
    )

    def clean_version(self) -> str:
        try:
            return str(parse_version(self.cleaned_data["version"]))
        except ReviewError as error:
            raise forms.ValidationError(str(error)) from error

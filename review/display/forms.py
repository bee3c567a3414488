"""What people type on the pages of this app, as values."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django import forms

from review.errors import ReviewError
from review.releases.versions import LONGEST, parse_version


class ListForm(forms.Form):
    """How a list is filtered or sorted, by GET. What isn't valid is left out, so that an old link
    still opens the page. `choices`: field -> what it offers here."""

    def __init__(self, data: Any, **choices: list[tuple[str, str]]) -> None:
        super().__init__(data)
        for name, offered in choices.items():
            self.fields[name].choices = offered
        self.is_valid()

    def query(self, **changes: Any) -> str:
        """The parameters of a link that keeps what is chosen, but for `changes`."""
        chosen = {**self.cleaned_data, **changes}
        return urlencode(
            [(name, "1" if value is True else value) for name, value in chosen.items() if value]
        )


class BuildForm(forms.Form):
    version = forms.CharField(
        max_length=LONGEST + 1, help_text="Three numbers with dots, later than the last release."
    )
    notes = forms.CharField(
        max_length=2000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="What is new, in a sentence or two. It goes into the README.",
    )
    confirm = forms.BooleanField(
        label="I have looked at the clips and the checks above.",
        error_messages={"required": "Tick this first: a release can't be changed afterwards."},
    )

    def clean_version(self) -> str:
        try:
            return str(parse_version(self.cleaned_data["version"]))
        except ReviewError as error:
            raise forms.ValidationError(str(error)) from error

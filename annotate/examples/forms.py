"""The form of an example in a guideline."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms

MAX_PART_LENGTH = 20_000
MAX_COMMENT_LENGTH = 2000
GOOD, BAD = "good", "bad"


class ExampleForm(forms.Form):
    """A field for each heading of the kind of work, named part-0, part-1 and so on."""

    tone = forms.ChoiceField(
        label="Shown as",
        choices=((GOOD, "Do: how it should be"), (BAD, "Don’t: how it should not be")),
        initial=GOOD,
        widget=forms.RadioSelect,
    )
    comment = forms.CharField(
        label="Why it is good or bad",
        max_length=MAX_COMMENT_LENGTH,
        widget=forms.Textarea(attrs={"class": "textarea", "rows": 3, "dir": "auto"}),
        error_messages={"required": "Say what is good or bad about it."},
    )

    def __init__(self, *args: Any, headings: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.headings = list(headings)
        for place, heading in enumerate(self.headings):
            self.fields[f"part-{place}"] = forms.CharField(
                label=heading,
                required=False,
                max_length=MAX_PART_LENGTH,
                widget=forms.Textarea(
                    attrs={"class": "writing one-line", "rows": 4, "dir": "auto"}
                ),
            )

    @property
    def part_fields(self) -> list[Any]:
        return [self[f"part-{place}"] for place in range(len(self.headings))]

    @property
    def parts(self) -> list[tuple[str, str]]:
        """Return (heading, text), once the form is valid."""
        data = self.cleaned_data
        return [
            (heading, data[f"part-{place}"].replace("\r\n", "\n"))
            for place, heading in enumerate(self.headings)
        ]

    @property
    def is_good(self) -> bool:
        return bool(self.cleaned_data["tone"] == GOOD)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not any(data.get(f"part-{place}", "").strip() for place in range(len(self.headings))):
            self.add_error("part-0", "Write the result of this work for the clip.")
        return data


def first_values(texts: Sequence[str]) -> dict[str, str]:
    """Return the initial values of the parts."""
    return {f"part-{place}": text for place, text in enumerate(texts)}

"""How the source videos are to be split."""

from __future__ import annotations

from typing import Any

from django import forms

from review.triplets.split_plan import Shares

USUAL = {"train": 70, "validation": 10, "test": 20, "seed": 0}


class SplitForm(forms.Form):
    train = forms.IntegerField(label="Train, percent of clips", min_value=1, max_value=100)
    validation = forms.IntegerField(label="Validation, percent", min_value=0, max_value=99)
    test = forms.IntegerField(label="Test, percent", min_value=0, max_value=99)
    seed = forms.IntegerField(
        min_value=0,
        max_value=2**31 - 1,
        help_text="Another seed gives another split of the same quality.",
    )

    def clean(self) -> dict[str, Any]:
        typed = (self.cleaned_data.get(name) for name in ("train", "validation", "test"))
        given = [percent for percent in typed if percent is not None]
        if len(given) == 3 and sum(given) != 100:
            raise forms.ValidationError(
                f"The three add up to {sum(given)} %. They must add up to 100 %."
            )
        return self.cleaned_data

    @property
    def choice(self) -> dict[str, Any]:
        """`shares` and `seed` of a valid form."""
        chosen = self.cleaned_data
        shares = Shares(chosen["train"], chosen["validation"], chosen["test"])
        return {"shares": shares, "seed": chosen["seed"]}

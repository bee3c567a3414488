"""When asking ends."""

from __future__ import annotations

from typing import Any

from django import forms

from review.precision.queries import Judging
from review.studies.models import StoppingRule

MOST_DIGITS = 4


class StoppingRuleForm(forms.Form):
    """`of`: the key of the judging. Without a width there is no rule."""

    of = forms.CharField(widget=forms.HiddenInput)
    width = forms.FloatField(
        label="Interval at most this wide",
        required=False,
        help_text="From its lower to its upper end. Empty: never, the plain design.",
        widget=forms.NumberInput(attrs={"step": "any", "class": "input short"}),
    )
    action = forms.ChoiceField(
        label="Then",
        choices=StoppingRule.Action.choices,
        initial=StoppingRule.Action.ASK,
    )

    def __init__(self, judging: Judging, data: Any = None) -> None:
        rule, most = judging.rule, judging.words.most
        initial = {"of": judging.key}
        if rule:
            initial |= {"width": f"{rule.width:g}", "action": rule.action}
        super().__init__(data, initial=initial)
        self.words = judging.words
        self.fields["width"].label = f"Interval at most this wide, {judging.words.unit}"
        self.most = most

    def clean_width(self) -> float | None:
        width: float | None = self.cleaned_data["width"]
        if width is not None and not 0 < width <= self.most:
            raise forms.ValidationError(
                f"Give a width above 0 and at most {self.most:g} {self.words.unit}, such as "
                f"{self.words.width:g}."
            )
        return width

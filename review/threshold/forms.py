"""Forms for a threshold's value and for a study to estimate it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import QueryDict

from inference.scores.services import MAXIMUM, MINIMUM
from inference.specs.forms import bounded
from metrics.threshold import MIN_CAPTIONS
from review.errors import ReviewError
from review.studies.models import MAX_SEED
from review.threshold.studies import EVEN, MAX_PEOPLE, MAX_STRATA, UNCERTAIN, check_waves

CAPTIONS, PEOPLE, STRATA = 500, 3, 10
MAX_CAPTIONS = 100_000
DESIGN_WORDS = [
    (EVEN, "Evenly over the scores"),
    (UNCERTAIN, "In waves, more where the threshold is uncertain"),
]
# A value is a whole number of thousandths (review/threshold/choice.py).
TYPED_DECIMALS = 3


class ThresholdField(forms.DecimalField):
    """A number with at most three decimals and a decimal point or comma."""

    def __init__(self, **options: Any) -> None:
        attrs = {"inputmode": "decimal", "autocomplete": "off", "class": "input short"}
        super().__init__(
            widget=forms.TextInput(attrs=attrs), decimal_places=TYPED_DECIMALS, **options
        )

    def to_python(self, value: Any) -> Any:
        return super().to_python(str(value or "").replace(",", "."))


class ValueForm(forms.Form):
    """A threshold for `scorer`, which also prefixes the form's ids. `report` is the key of the
    report shown with it.
    """

    scorer = forms.CharField(widget=forms.HiddenInput)
    report = forms.IntegerField(widget=forms.HiddenInput, required=False)
    value = bounded(ThresholdField, MINIMUM, MAXIMUM, label="Threshold")

    def clean_value(self) -> float:
        return float(self.cleaned_data["value"])


class StudyForm(forms.Form):
    """A study of one scorer; `captions` starts with LoVR's number, or all if there are fewer."""

    scorer = forms.CharField(widget=forms.HiddenInput)
    captions = bounded(
        forms.IntegerField,
        MIN_CAPTIONS,
        MAX_CAPTIONS,
        label="Captions",
        help_text="Drawn across all scores.",
    )
    design = forms.ChoiceField(
        label="How captions are drawn",
        choices=DESIGN_WORDS,
        initial=EVEN,
        help_text="A wave is drawn once the one before is verified, half of it evenly.",
    )
    people = bounded(
        forms.IntegerField,
        1,
        MAX_PEOPLE,
        label="People per caption",
        help_text="They verify it independently.",
    )
    strata = bounded(
        forms.IntegerField,
        1,
        MAX_STRATA,
        label="Ranges of scores",
        help_text="Each gives the same number of captions.",
    )
    seed = bounded(
        forms.IntegerField,
        0,
        MAX_SEED,
        label="Seed",
        help_text="The same seed draws the same captions.",
    )

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if cleaned.get("design") == UNCERTAIN and {"captions", "strata"} <= cleaned.keys():
            try:
                check_waves(cleaned["captions"], cleaned["strata"])
            except ReviewError as error:
                self.add_error("captions", str(error))
        return cleaned


def value_form(scorer: str, value: float) -> ValueForm:
    return ValueForm(
        initial={"scorer": scorer, "value": f"{value:g}"}, auto_id=_ids("value", scorer)
    )


def study_form(scorer: str, drawable: int) -> StudyForm:
    initial = {
        "scorer": scorer,
        "captions": min(CAPTIONS, drawable),
        "design": EVEN,
        "people": PEOPLE,
        "strata": STRATA,
        "seed": 0,
    }
    return StudyForm(initial=initial, auto_id=_ids("study", scorer))


def sent_value_form(data: QueryDict) -> ValueForm:
    return ValueForm(data, auto_id=_ids("value", data.get("scorer", "")))


def value_errors(form: ValueForm) -> list[str]:
    return [str(error) for error in form.errors.get("value", [])]


def sent_study_form(data: QueryDict) -> StudyForm:
    return StudyForm(data, auto_id=_ids("study", data.get("scorer", "")))


def _ids(form: str, scorer: str) -> str:
    return f"{form}-{scorer[:8]}-%s"

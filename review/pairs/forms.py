"""The forms of label pairs."""

from __future__ import annotations

from typing import Any

from django import forms

from annotate.forms import ListForm, offer_choices
from inference.models import ModelSpec
from inference.registry import Role, has_role
from review.pairs.models import LabelPair
from review.pairs.queries import CONTRADICTS, UNDECIDED

MAX_PEOPLE = 9


def models_with(role: Role, project_id: int) -> list[ModelSpec]:
    specs = ModelSpec.objects.filter(project=project_id, is_active=True).order_by("name")
    return [spec for spec in specs if has_role(spec, role)]


class ModelForm(forms.Form):
    """One of `models`, chosen by its key."""

    model = forms.TypedChoiceField(coerce=int)

    def __init__(self, *args: Any, models: list[ModelSpec], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.by_key = {spec.pk: spec for spec in models}
        offer_choices(self, "model", [(spec.pk, spec.name) for spec in models])

    def clean_model(self) -> ModelSpec:
        return self.by_key[self.cleaned_data["model"]]


class CompareForm(ModelForm):
    """The encoder that compares the labels."""


class ThresholdForm(forms.Form):
    least = forms.FloatField(
        label="Minimum similarity",
        min_value=-1,
        max_value=1,
        widget=forms.NumberInput(attrs={"step": "0.01"}),
    )


# The changes for which pairs are compared.
CANDIDATES = LabelPair.Kind.choices[:2]


class HandOutForm(ThresholdForm):
    candidate = forms.ChoiceField(
        choices=CANDIDATES, initial=LabelPair.Kind.TEMPORAL, required=False
    )
    people = forms.IntegerField(
        label="People per pair", min_value=1, max_value=MAX_PEOPLE, initial=1
    )

    def clean_candidate(self) -> str:
        return self.cleaned_data["candidate"] or LabelPair.Kind.TEMPORAL


class PairsForm(ListForm):
    q = forms.CharField(label="Label contains", max_length=200, required=False)
    candidate = forms.ChoiceField(
        label="Compared for", required=False, choices=[("", "Any"), *CANDIDATES]
    )
    decision = forms.ChoiceField(
        required=False,
        choices=[
            ("", "Any"),
            (UNDECIDED, "Not decided"),
            *LabelPair.Kind.choices,
            (CONTRADICTS, "Contradicts the events"),
        ],
    )
    domain = forms.ChoiceField(required=False)
    event = forms.ChoiceField(required=False)

    def __init__(self, data: Any, *, domains: list[str], events: list[str]) -> None:
        super().__init__(data, domain=_any_of(domains), event=_any_of(events))


def _any_of(names: list[str]) -> list[tuple[str, str]]:
    return [("", "Any"), *((name, name) for name in names)]

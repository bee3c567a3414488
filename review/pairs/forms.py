"""What people type about label pairs and modifications, as values."""

from __future__ import annotations

from typing import Any

from django import forms

from inference.models import ModelSpec
from inference.registry import Role, has_role
from review.display.forms import ListForm
from review.modifications.prompts import EXAMPLE_PARTS, LONGEST_INSTRUCTION, MOST_EXAMPLES
from review.modifications.text import LONGEST_TEXT, problem_with
from review.pairs.models import LabelPair
from review.pairs.queries import UNDECIDED

MOST_PEOPLE = 9


def models_with(role: Role, project_id: int) -> list[ModelSpec]:
    specs = ModelSpec.objects.filter(project=project_id, is_active=True).order_by("name")
    return [spec for spec in specs if has_role(spec, role)]


class ModelForm(forms.Form):
    """One of `models`, chosen by its key."""

    model = forms.TypedChoiceField(coerce=int)

    def __init__(self, *args: Any, models: list[ModelSpec], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.by_key = {spec.pk: spec for spec in models}
        self.fields["model"].choices = [(spec.pk, spec.name) for spec in models]

    def clean_model(self) -> ModelSpec:
        return self.by_key[self.cleaned_data["model"]]


class CompareForm(ModelForm):
    """The encoder that compares the labels."""


class WriteForm(ModelForm):
    """The text model that writes modifications, and of which labels."""

    domain = forms.CharField(max_length=40, required=False, widget=forms.HiddenInput)


class ThresholdForm(forms.Form):
    least = forms.FloatField(
        label="At least so alike",
        min_value=-1,
        max_value=1,
        widget=forms.NumberInput(attrs={"step": "0.01"}),
    )


class HandOutForm(ThresholdForm):
    people = forms.IntegerField(
        label="People per pair", min_value=1, max_value=MOST_PEOPLE, initial=1
    )


class PairsForm(ListForm):
    q = forms.CharField(label="Label contains", max_length=200, required=False)
    decision = forms.ChoiceField(
        required=False,
        choices=[("", "Any"), (UNDECIDED, "Not decided"), *LabelPair.Kind.choices],
    )
    domain = forms.ChoiceField(required=False)

    def __init__(self, data: Any, *, domains: list[str]) -> None:
        named = [(name, name) for name in domains if name]
        super().__init__(data, domain=[("", "Any"), *named])


class PromptForm(forms.Form):
    domain = forms.CharField(max_length=40, required=False, widget=forms.HiddenInput)
    instruction = forms.CharField(
        label="What the model is told",
        max_length=LONGEST_INSTRUCTION,
        widget=forms.Textarea(attrs={"rows": 10, "class": "long"}),
    )


class ExampleRow(forms.Form):
    source = forms.CharField(label="From", max_length=LONGEST_TEXT, required=False)
    target = forms.CharField(label="To", max_length=LONGEST_TEXT, required=False)
    modification = forms.CharField(label="Modification", max_length=LONGEST_TEXT, required=False)

    def clean(self) -> dict[str, str]:
        typed: dict[str, str] = {
            part: " ".join(self.cleaned_data.get(part, "").split()) for part in EXAMPLE_PARTS
        }
        if not any(typed.values()):
            return typed
        for part, text in typed.items():
            if not text:
                self.add_error(part, "Fill all three, or empty the row.")
        if typed["modification"] and (problem := problem_with(typed["modification"])):
            self.add_error("modification", problem)
        return typed


class ExampleRows(forms.BaseFormSet):
    def examples(self) -> list[dict[str, str]]:
        """The rows that are filled."""
        return [row for row in self.cleaned_data if row.get("modification")]


ExampleFormSet = forms.formset_factory(
    ExampleRow, formset=ExampleRows, extra=3, max_num=MOST_EXAMPLES, validate_max=True
)

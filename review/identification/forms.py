"""The form that starts a test."""

from __future__ import annotations

from django import forms

from annotate.models import Caption
from review.identification.queries import MIN_OPTIONS
from review.identification.services import MAX_OPTIONS, MAX_PEOPLE

Kind = Caption.Kind


class StartForm(forms.Form):
    kinds = forms.MultipleChoiceField(
        label="Texts",
        choices=[
            (Kind.SPATIAL.value, "Spatial"),
            (Kind.TEMPORAL.value, "Temporal"),
            (Kind.GENERAL.value, "Merged"),
        ],
        initial=[Kind.SPATIAL.value, Kind.TEMPORAL.value],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one kind of text."},
    )
    options = forms.IntegerField(
        label="Clips to pick from",
        min_value=MIN_OPTIONS,
        max_value=MAX_OPTIONS,
        initial=5,
        help_text="With the text's own; fewer where a subcategory has fewer.",
    )
    people = forms.IntegerField(
        label="People per text", min_value=1, max_value=MAX_PEOPLE, initial=1
    )

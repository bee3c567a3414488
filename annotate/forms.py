"""Shared parts of forms: visible names, and choices that depend on the project."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet

from annotate.text.visible import has_hidden_characters

HIDDEN_CHARACTERS = (
    "It holds a character that cannot be seen or that turns the direction of writing. "
    "Type it again."
)


def validate_visible(value: str) -> None:
    """Raise ValidationError for a name with invisible or direction-changing characters."""
    if has_hidden_characters(value):
        raise ValidationError(HIDDEN_CHARACTERS, code="hidden_characters")


class DayInput(forms.DateInput):
    """A browser's own control for a day, which reads its value in the form of ISO 8601 alone."""

    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")


class LeavesOutRows(forms.Form):
    """A form to import a file, with or without its rows that have an error."""

    skips_bad = forms.BooleanField(
        required=False, label="Leave out rows with an error and import the others"
    )


M = TypeVar("M", bound=Model)


def offer_choices(form: forms.BaseForm, name: str, choices: Iterable[tuple[object, str]]) -> None:
    """Set the choices, with their labels, of the form's ChoiceField of this name."""
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = list(choices)


def offer_rows(
    form: forms.BaseForm,
    name: str,
    rows: QuerySet[M],
    label: Callable[[M], str] = str,
) -> None:
    """Set the rows of the form's ModelChoiceField of this name, each shown with its `label`."""
    field = form.fields[name]
    assert isinstance(field, forms.ModelChoiceField)
    field.queryset = rows
    # Only this instance of the field: Django copies the fields of a form's class for each form.
    field.label_from_instance = label  # type: ignore[assignment, method-assign]  # Django calls it

"""What a form's fields offer, where it depends on the project that the page is about."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from django import forms
from django.db.models import Model, QuerySet

M = TypeVar("M", bound=Model)


def offer_choices(form: forms.BaseForm, name: str, choices: Iterable[tuple[object, str]]) -> None:
    """`choices`: each with its label, for the form's ChoiceField of this name."""
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = list(choices)


def offer_rows(
    form: forms.BaseForm,
    name: str,
    rows: QuerySet[M],
    label: Callable[[M], str] = str,
) -> None:
    """`rows`: for the form's ModelChoiceField of this name, each under its `label`."""
    field = form.fields[name]
    assert isinstance(field, forms.ModelChoiceField)
    field.queryset = rows
    # Only this instance of the field: Django copies the fields of a form's class for each form.
    field.label_from_instance = label  # type: ignore[assignment, method-assign]  # Django calls it

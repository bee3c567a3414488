"""A saved view of a list, and the chosen columns."""

from __future__ import annotations

from typing import Any

from django import forms

from annotate.forms import validate_visible


class ViewForm(forms.Form):
    name = forms.CharField(
        max_length=60,
        validators=[validate_visible],
        error_messages={"required": "Type a name for the view."},
    )
    is_shared = forms.BooleanField(label="Share with the project", required=False)
    is_default = forms.BooleanField(label="Open the list with it", required=False)

    def clean_name(self) -> str:
        return " ".join(self.cleaned_data["name"].split())


class NewViewForm(ViewForm):
    """With the end of the list's address."""

    query = forms.CharField(max_length=2000, required=False, widget=forms.HiddenInput)


def first_error(form: forms.Form) -> str:
    """Return a sentence that says what to fix."""
    errors: list[Any] = [error for of_field in form.errors.values() for error in of_field]
    return str(errors[0])

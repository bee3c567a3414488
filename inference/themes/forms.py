"""The form of a theme that a person gives."""

from __future__ import annotations

from django import forms


class ThemeForm(forms.Form):
    theme = forms.CharField(
        label="Right theme",
        strip=True,
        max_length=300,
        widget=forms.TextInput(attrs={"class": "input", "autocomplete": "off"}),
        error_messages={"required": "The theme is empty. Say in a few words what it is about."},
    )

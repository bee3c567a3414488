"""The form of the search."""

from __future__ import annotations

from django import forms


class FindForm(forms.Form):
    q = forms.CharField(label="Find", required=False, max_length=200)

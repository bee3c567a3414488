"""How the audit log is filtered."""

from __future__ import annotations

from typing import Any

from django import forms

from annotate.forms import DayInput, ListForm


class AuditForm(ListForm):
    """`before`: the key of the event that the page begins below."""

    person = forms.TypedChoiceField(coerce=int, required=False, empty_value=None)
    action = forms.CharField(required=False, max_length=60)
    kind = forms.ChoiceField(label="Object", required=False)
    key = forms.IntegerField(label="Number", required=False, min_value=1, max_value=2**63 - 1)
    since = forms.DateField(label="From", required=False, widget=DayInput())
    until = forms.DateField(label="To", required=False, widget=DayInput())
    before = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)

    @property
    def filters(self) -> dict[str, Any]:
        return {name: value for name, value in super().filters.items() if name != "before"}

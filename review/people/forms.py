"""The filters of the page of all people."""

from __future__ import annotations

from django import forms

from annotate.forms import ListForm

ANY = ("", "Any")


class PeopleForm(ListForm):
    ACTIVE, MARKED = "active", "marked"

    kind = forms.ChoiceField(label="Kind of work", required=False)
    who = forms.ChoiceField(
        label="People",
        required=False,
        choices=[("", "Everyone"), (ACTIVE, "Without deactivated"), (MARKED, "With marks")],
    )

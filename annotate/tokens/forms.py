"""The form of a new token."""

from __future__ import annotations

from typing import Any

from django import forms

from annotate.forms import offer_choices, validate_visible
from annotate.models import ApiToken, Membership

DAYS = ((7, "7 days"), (30, "30 days"), (90, "90 days"), (365, "A year"))


class TokenForm(forms.Form):
    name = forms.CharField(
        max_length=80,
        help_text="What uses it, such as “nightly export”.",
        validators=[validate_visible],
    )
    scope = forms.ChoiceField(help_text="Never more than your roles in the project allow.")
    days = forms.TypedChoiceField(label="Valid for", choices=DAYS, coerce=int, initial=30)

    def __init__(self, *args: Any, membership: Membership, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        scopes = ApiToken.Scope.choices
        offer_choices(self, "scope", scopes if membership.is_admin else scopes[:-1])

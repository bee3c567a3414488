"""The form to deactivate a member."""

from __future__ import annotations

from typing import Any

from django import forms

from annotate.forms import offer_rows
from annotate.models import Membership, User


class DeactivateForm(forms.Form):
    to = forms.ModelChoiceField(
        queryset=Membership.objects.none(),
        required=False,
        label="Hand open work to",
        empty_label="Everybody who may do it",
        help_text="What the chosen person may not do, or has done already, is for everybody.",
        error_messages={"invalid_choice": "Choose an active member of this project."},
    )
    with_account = forms.BooleanField(
        required=False, label="Deactivate the account too, in all projects"
    )

    def __init__(self, *args: Any, member: Membership, admin: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        others = Membership.objects.filter(project=member.project_id, user__is_active=True)
        rows = others.exclude(pk=member.pk).select_related("user").order_by("user__name", "pk")
        offer_rows(self, "to", rows, lambda other: str(other.user))
        if not admin.is_superuser:
            del self.fields["with_account"]

    def choices(self) -> dict[str, Any]:
        """Return what `deactivate_member` takes."""
        return {
            "to": self.cleaned_data["to"],
            "with_account": self.cleaned_data.get("with_account", False),
        }

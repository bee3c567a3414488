"""The form that filters verifications."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms

from annotate.forms import ListForm, offer_choices
from review.verification.judgment import TYPES
from review.verification.models import Verification
from review.verification.queries import CLIPS, NO_ERROR, VIDEOS

ANY = ("", "Any")


class VerificationsForm(ListForm):
    q = forms.CharField(label="Clip name contains", max_length=200, required=False)
    of = forms.ChoiceField(
        label="Captions of", required=False, choices=[(CLIPS, "Clips"), (VIDEOS, "Whole videos")]
    )
    who = forms.ChoiceField(label="Who", required=False)
    error = forms.ChoiceField(
        label="With error",
        required=False,
        choices=[ANY, *((letter, letter) for letter in TYPES), (NO_ERROR, "No error")],
    )
    theme = forms.ChoiceField(
        label="Theme", required=False, choices=[ANY, ("ok", "On topic"), ("off", "Off")]
    )
    study = forms.ChoiceField(label="Study", required=False)

    def part(self, parts: Sequence[str]) -> str:
        """Return which of the verified `parts` is listed: the chosen one, or else the first."""
        chosen = self.cleaned_data.get("of", "")
        return chosen or (parts[0] if parts else "")


class CorrectionForm(forms.Form):
    """Which proposed correction becomes the clip's caption: a verification's key, or NONE."""

    NONE = "none"
    accepted = forms.ChoiceField(
        error_messages={"required": "Choose a correction or the machine caption."}
    )

    def __init__(self, data: Any, *, verifications: list[Verification]) -> None:
        super().__init__(data)
        self.by_key = {str(each.pk): each for each in verifications}
        offer_choices(self, "accepted", [(key, key) for key in (*self.by_key, self.NONE)])

    @property
    def verification(self) -> Verification | None:
        """The accepted verification; None if the machine caption stays."""
        return self.by_key.get(self.cleaned_data["accepted"])

"""Forms to settle what people disagree about: who judges third, and an admin's decision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms

from annotate.dynamics.decisions import MAX_REASON_LENGTH
from annotate.forms import offer_choices
from annotate.models import User

ANSWERS = {"dynamic": True, "static": False, "undecided": None}
KEEP, LEAVE_OUT, TAKE_BACK = (
    ("dynamic", "Dynamic: keep it"),
    ("static", "Not dynamic: leave it out"),
    ("undecided", "Take the decision back"),
)


class ThirdPersonForm(forms.Form):
    person = forms.ChoiceField(
        label="Third person",
        error_messages={
            "required": "Choose who judges the video.",
            "invalid_choice": "Choose a listed person: the others have judged it or can’t.",
        },
    )

    def __init__(self, *args: Any, people: Sequence[User], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.people = {str(person.pk): person for person in people}
        choices = [(key, person.name) for key, person in self.people.items()]
        offer_choices(self, "person", [("", "Choose…"), *choices])

    @property
    def chosen(self) -> User:
        return self.people[self.cleaned_data["person"]]


class DecisionForm(forms.Form):
    """`decided` is the current decision, or None."""

    answer = forms.ChoiceField(
        label="Decision",
        error_messages={"required": "Choose a decision."},
        widget=forms.RadioSelect,
    )
    reason = forms.CharField(
        max_length=MAX_REASON_LENGTH,
        widget=forms.Textarea({"rows": 2}),
        error_messages={"required": "Give a reason, so that others can follow the decision."},
    )

    def __init__(self, *args: Any, decided: bool | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [
            choice for choice in (KEEP, LEAVE_OUT, TAKE_BACK) if ANSWERS[choice[0]] is not decided
        ]
        offer_choices(self, "answer", choices)

    @property
    def is_dynamic(self) -> bool | None:
        return ANSWERS[self.cleaned_data["answer"]]

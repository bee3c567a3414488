"""The forms of takedowns."""

from __future__ import annotations

from collections.abc import Sequence

from django import forms

from annotate.forms import offer_choices
from review.frozen.takedowns import Takedown
from review.takedowns.queries import Subject

MAX_NOTE_LENGTH = 2000


class ItemForm(forms.Form):
    """Which item; `subjects` are those about one clip."""

    item = forms.ChoiceField(label="What", widget=forms.RadioSelect)

    def __init__(self, *args: object, subjects: Sequence[Subject], **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # as Form takes them
        self.subjects = {subject.value: subject for subject in subjects}
        offer_choices(self, "item", [(s.value, s.title) for s in subjects])

    @property
    def subject(self) -> Subject:
        """Return the chosen item, the first one where the choice isn't valid."""
        chosen = self.cleaned_data.get("item") if self.is_valid() else None
        return self.subjects.get(chosen or "") or next(iter(self.subjects.values()))


class TakedownForm(forms.Form):
    reason = forms.ChoiceField(
        choices=Takedown.Reason.choices,
        widget=forms.RadioSelect,
        error_messages={"required": "Choose a reason. The releases will state it."},
    )
    note = forms.CharField(
        required=False,
        max_length=MAX_NOTE_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="For admins of this project. No release shows it.",
    )
    confirm = forms.BooleanField(
        label="I have looked at what this affects.",
        error_messages={"required": "Tick this first. Every download changes at once."},
    )


class UndoForm(forms.Form):
    confirm = forms.BooleanField(
        label="Offer it in all these releases again.",
        error_messages={"required": "Tick this first. Every download changes at once."},
    )

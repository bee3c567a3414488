"""The forms of the release studio."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.forms.boundfield import BoundField

from review.errors import ReviewError
from review.releases.choice import Choice
from review.releases.gates.gate import GateState
from review.releases.models import Level
from review.releases.versions import MAX_LENGTH, parse_version

MAX_NOTES_LENGTH = 2000


class NotesForm(forms.Form):
    """The notes while they are typed."""

    notes = forms.CharField(max_length=MAX_NOTES_LENGTH, required=False, strip=False)


class ChoiceForm(forms.Form):
    """What goes into the next release: the `choices` of the protocol."""

    left_out = forms.MultipleChoiceField(
        label="Leave out",
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    only_signed = forms.BooleanField(label="Only clips that experts signed off", required=False)
    whole_captions = forms.BooleanField(label="Captions of whole videos", required=False)
    assessment = forms.BooleanField(label="The table of what people judged", required=False)
    clip_files = forms.BooleanField(
        label="Include the clips as files",
        required=False,
        help_text="A worker cuts each clip from its video frame by frame, once for all releases. "
        "That takes about as long as the clips last. Without this, a release has only whole "
        "videos.",
    )

    vectors = forms.BooleanField(
        label="The clips’ vectors, if all clips have one from one model", required=False
    )
    reports = forms.BooleanField(
        label="Reports, with what they were computed from",
        required=False,
        help_text="Only those that are up to date: recompute the others on their pages first.",
    )
    votes = forms.BooleanField(
        label="Votes, with the leaderboard and the correlation",
        required=False,
        help_text="People have numbers instead of names. Votes need the reports.",
    )

    def __init__(
        self, *args: Any, choices: Sequence[str], branches: Sequence[str] = (), **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        for name in self.fields.keys() - set(choices):
            del self.fields[name]
        if "left_out" in self.fields:
            field = self.fields["left_out"]
            assert isinstance(field, forms.MultipleChoiceField)
            field.choices = [(name, name) for name in branches]

    @property
    def choice(self) -> Choice:
        return Choice.of(self.cleaned_data)


class BuildForm(forms.Form):
    version = forms.CharField(
        max_length=MAX_LENGTH + 1,
        help_text="Three numbers separated by dots, higher than the last release.",
    )
    notes = forms.CharField(
        max_length=MAX_NOTES_LENGTH,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="What is new, in one or two sentences. The README shows it.",
    )
    confirm = forms.BooleanField(
        label="I have looked at the clips and the checks above.",
        error_messages={"required": "Tick this first. A release can't be changed later."},
    )

    def clean_version(self) -> str:
        try:
            return str(parse_version(self.cleaned_data["version"]))
        except ReviewError as error:
            raise forms.ValidationError(str(error)) from error


@dataclass(frozen=True)
class GateRow:
    """A gate with its fields: neither has one whose level is set elsewhere."""

    state: GateState
    level: BoundField | None
    limit: BoundField | None


class GatesForm(forms.Form):
    """The level of each gate that a project can set, and its limit."""

    def __init__(self, *args: Any, states: Sequence[GateState], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.states = states
        for state in states:
            gate = state.gate
            if gate.fixed:
                continue
            self.fields[_level(state)] = forms.ChoiceField(
                label=gate.title,
                choices=Level.choices,
                initial=state.level,
                widget=forms.Select(attrs={"class": "select"}),
            )
            if gate.limit:
                self.fields[_limit(state)] = forms.FloatField(
                    label=gate.limit.label,
                    initial=state.limit,
                    min_value=gate.limit.low,
                    max_value=gate.limit.high,
                    widget=forms.NumberInput(
                        attrs={"class": "input tiny", "step": gate.limit.step}
                    ),
                )

    def rows(self) -> Iterator[GateRow]:
        for state in self.states:
            yield GateRow(state, self._field(_level(state)), self._field(_limit(state)))

    def _field(self, name: str) -> BoundField | None:
        return self[name] if name in self.fields else None

    @property
    def choices(self) -> dict[str, tuple[Level, float | None]]:
        """The level and limit by name of the gate. Valid forms only."""
        return {
            state.gate.name: (
                Level(self.cleaned_data[_level(state)]),
                self.cleaned_data.get(_limit(state)),
            )
            for state in self.states
            if _level(state) in self.fields
        }


def _level(state: GateState) -> str:
    return f"{state.gate.name}-level"


def _limit(state: GateState) -> str:
    return f"{state.gate.name}-limit"

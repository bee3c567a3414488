"""Forms of comparison rounds."""

from __future__ import annotations

from typing import Any

from django import forms

from annotate.forms import offer_rows
from annotate.models import Project
from review.captions.exchange import KINDS
from review.captions.instructions import instructions_of
from review.captions.models import CaptionSet
from review.comparisons.models import Round
from review.rounds.services import MAX_VOTES
from review.studies.models import MAX_SEED

MAX_CLIPS = 1_000_000
COUNTS_AS = [("yes", "as a tie"), ("no", "not at all")]
CHOOSE_ANEW = "One of these models is gone. Choose from the list."


def _whole_number(lowest: int, highest: int, **options: Any) -> forms.IntegerField:
    mend = f"Give a whole number from {lowest:,} to {highest:,}."
    errors = dict.fromkeys(("required", "invalid", "min_value", "max_value"), mend)
    return forms.IntegerField(
        min_value=lowest, max_value=highest, error_messages=errors, localize=False, **options
    )


def _choose(*labels: str) -> dict[str, str]:
    """Return the error message of an unknown choice."""
    error = f"Choose one: {' or '.join(labels)}."
    return dict.fromkeys(("required", "invalid_choice"), error)


class RoundForm(forms.Form):
    sets = forms.ModelMultipleChoiceField(
        CaptionSet.objects.none(),
        label="Models",
        widget=forms.CheckboxSelectMultiple,
        error_messages={
            "required": "Choose at least two models.",
            "invalid_choice": CHOOSE_ANEW,
            "invalid_pk_value": CHOOSE_ANEW,
            "invalid_list": CHOOSE_ANEW,
        },
    )
    clips = _whole_number(
        1,
        MAX_CLIPS,
        label="Clips",
        required=False,
        help_text="Drawn by the seed. Empty: all clips that at least two models describe.",
    )
    votes_per_pair = _whole_number(1, MAX_VOTES, label="Votes per pair of models", initial=100)
    repeat_percent = _whole_number(
        0,
        50,
        label="Repeats, %",
        initial=5,
        help_text="Of a reviewer’s votes: earlier pairs with the sides swapped, to measure "
        "consistency. They don’t count twice.",
    )
    shared_percent = _whole_number(
        0,
        100,
        label="Shared clips, %",
        initial=10,
        help_text="Of a pair’s votes: on a clip that another reviewer compares too, to "
        "measure agreement.",
    )
    names_shown = forms.ChoiceField(
        label="Names of the models are shown",
        choices=Round.NamesShown.choices,
        error_messages=_choose(*Round.NamesShown.labels),
        initial=Round.NamesShown.AFTER_VOTE,
    )
    both_bad_is_tie = forms.TypedChoiceField(
        label="“Both are bad” counts",
        choices=COUNTS_AS,
        error_messages=_choose(*(label for _, label in COUNTS_AS)),
        coerce=lambda value: value == "yes",
        initial="yes",
    )
    seed = _whole_number(0, MAX_SEED, initial=0, help_text="The same seed draws the same clips.")

    def __init__(self, project: Project, data: Any = None) -> None:
        super().__init__(data)
        sets = CaptionSet.objects.filter(project=project, is_used=True)
        offer_rows(self, "sets", sets.select_related("run__model"), _set_label)

    @property
    def asked(self) -> dict[str, Any]:
        """Return the arguments of `open_round`, with models ordered by name."""
        return {**self.cleaned_data, "sets": list(self.cleaned_data["sets"])}

    @property
    def to_preview(self) -> dict[str, Any]:
        """Return the arguments of `preview_round`."""
        unneeded = ("names_shown", "both_bad_is_tie")
        return {name: value for name, value in self.asked.items() if name not in unneeded}


def _set_label(caption_set: CaptionSet) -> str:
    kind = KINDS.get(caption_set.kind, caption_set.kind).lower()
    return f"{caption_set.name} ({kind}, {instructions_of(caption_set).mark})"

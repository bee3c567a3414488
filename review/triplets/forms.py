"""What admins type about sets of triplets, as values."""

from __future__ import annotations

from typing import Any

from django import forms

from annotate.models import Video
from review.studies.models import LARGEST_SEED
from review.triplets.models import TripletSet
from review.triplets.sets import MOST_TARGETS

MOST_QUERIES = 10_000
MOST_PEOPLE = 10


class GenerateForm(forms.Form):
    """`left_behind` says what the new set begins without; then that must be confirmed."""

    most_targets = forms.IntegerField(
        label="Maximum number of targets",
        min_value=1,
        max_value=MOST_TARGETS,
        initial=10,
        help_text="Per validation or test query. TF-CoVR’s loader takes 10.",
    )
    seed = forms.IntegerField(
        min_value=0,
        max_value=LARGEST_SEED,
        initial=0,
        help_text="If a query has more targets, the seed decides which are drawn.",
    )
    other_sources = forms.ChoiceField(
        label="Targets from other source videos only",
        choices=TripletSet.OtherSources.choices,
        initial=TripletSet.OtherSources.TEST,
        required=False,
        help_text="A target from the query’s own video can be found by its look alone.",
    )
    begins_anew = forms.BooleanField(
        label="Start without them",
        error_messages={"required": "Tick this to generate a new set anyway."},
    )

    def __init__(self, *args: Any, left_behind: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.left_behind = left_behind
        self.fields["begins_anew"].required = bool(left_behind)

    @property
    def choice(self) -> dict[str, Any]:
        """`seed`, `most_targets` and `other_sources` of a valid form."""
        names = ("seed", "most_targets", "other_sources")
        return {name: self.cleaned_data[name] for name in names}


class HandOutForm(forms.Form):
    split = forms.ChoiceField(choices=Video.Split.choices, initial=Video.Split.TEST)
    most = forms.IntegerField(
        label="Maximum number of queries",
        min_value=1,
        max_value=MOST_QUERIES,
        initial=50,
        help_text="Queries with the most targets come first.",
    )
    people = forms.IntegerField(
        label="People per query", min_value=1, max_value=MOST_PEOPLE, initial=1
    )

"""Forms to generate and assign triplet sets."""

from __future__ import annotations

from typing import Any

from django import forms

from annotate.forms import ListForm
from annotate.models import Video
from review.studies.models import MAX_SEED
from review.triplets.caps import Caps
from review.triplets.models import TripletHandOut, TripletSet
from review.triplets.sets import MAX_TARGETS
from review.triplets.text_statistics import WORD_COLUMNS

Order = TripletHandOut.Order
MAX_QUERIES = 10_000
MAX_PEOPLE = 10
MAX_TEST_QUERIES = 1_000_000
MAX_TRIPLETS = 1_000_000_000


def _cap(label: str, help_text: str) -> forms.IntegerField:
    return forms.IntegerField(
        label=label,
        min_value=0,
        max_value=MAX_TRIPLETS,
        initial=0,
        required=False,
        help_text=help_text,
    )


class GenerateForm(forms.Form):
    """`left_behind`: what a new set won't have; this must then be confirmed."""

    most_targets = forms.IntegerField(
        label="Maximum number of targets",
        min_value=1,
        max_value=MAX_TARGETS,
        initial=10,
        help_text="Per validation or test query. TF-CoVR’s loader takes 10.",
    )
    seed = forms.IntegerField(
        min_value=0,
        max_value=MAX_SEED,
        initial=0,
        help_text="If a query has more targets, the seed decides which are drawn.",
    )
    test_queries = forms.IntegerField(
        label="Test queries",
        min_value=0,
        max_value=MAX_TEST_QUERIES,
        initial=0,
        required=False,
        help_text="0 keeps all. Otherwise the seed draws this many, spread over kinds, domains "
        "and labels. TF-CoVR has 473.",
    )
    other_sources = forms.ChoiceField(
        label="Targets from other source videos only",
        choices=TripletSet.OtherSources.choices,
        initial=TripletSet.OtherSources.TEST,
        required=False,
        help_text="A target from the query’s own video can be found by its look alone.",
    )
    most_per_query = _cap("Targets per train query", "0 keeps all clips of the target label.")
    most_per_direction = _cap(
        "Train triplets per direction", "From one label to another. 0 has no limit."
    )
    train_triplets = _cap(
        "Train triplets in all",
        "The seed draws them, as many of each direction as possible. 0 has no limit.",
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
        """Return a valid form's choices for the set."""
        names = ("seed", "most_targets", "other_sources")
        chosen = {name: self.cleaned_data[name] for name in names}
        test_queries = self.cleaned_data["test_queries"] or 0
        return {**chosen, "test_queries": test_queries, "caps": self.caps}

    @property
    def caps(self) -> Caps:
        """Return a valid form's limits of the train split."""
        names = ("most_per_query", "most_per_direction", "train_triplets")
        return Caps(*(self.cleaned_data[name] or 0 for name in names))


class HandOutForm(forms.Form):
    split = forms.ChoiceField(choices=Video.Split.choices, initial=Video.Split.TEST)
    most = forms.IntegerField(
        label="Maximum number of queries",
        min_value=1,
        max_value=MAX_QUERIES,
        initial=50,
    )
    order = forms.ChoiceField(
        label="Which queries",
        choices=Order.choices,
        initial=Order.RANDOM,
        required=False,
        help_text="A sample is spread over kinds, domains and labels. Only it gives intervals.",
    )
    seed = forms.IntegerField(
        min_value=0,
        max_value=MAX_SEED,
        initial=0,
        required=False,
        help_text="For a random sample.",
    )
    people = forms.IntegerField(
        label="People per query", min_value=1, max_value=MAX_PEOPLE, initial=1
    )

    @property
    def choice(self) -> dict[str, Any]:
        """Return a valid form's choices for the assignment."""
        chosen = self.cleaned_data
        order = chosen["order"] or Order.RANDOM.value
        return {**chosen, "order": order, "seed": chosen["seed"] or 0}


class WordsForm(ListForm):
    """The order of the words; without it the most frequent are first."""

    sort = forms.ChoiceField(choices=[(name, name) for name in WORD_COLUMNS], required=False)
    ascending = forms.BooleanField(required=False)

    @property
    def column(self) -> str:
        return self.cleaned_data.get("sort") or WORD_COLUMNS[1]

    @property
    def is_ascending(self) -> bool:
        return bool(self.cleaned_data.get("ascending"))

"""Forms to sort the table of mAP@K, and to filter its queries."""

from __future__ import annotations

from django import forms

from annotate.forms import ListForm
from review.composed.computing import BASELINES, SHOWN
from review.composed.scoring import KS

BASELINE_NAMES = {
    "query": "Query clip only",
    "text": "Modification only",
    "average": "Average of both",
}
FIRST, MISSED = "found", "missed"
CLIPS_OF_FIGURE = 5


class SortForm(ListForm):
    """`sort` is a K; without it the baselines are in the paper's order."""

    sort = forms.TypedChoiceField(
        choices=[(k, k) for k in KS], coerce=int, empty_value=None, required=False
    )
    ascending = forms.BooleanField(required=False)

    @property
    def k(self) -> int | None:
        return self.cleaned_data.get("sort")

    @property
    def is_ascending(self) -> bool:
        return bool(self.cleaned_data.get("ascending"))


class QueryFilterForm(ListForm):
    q = forms.CharField(label="Label or modification contains", max_length=200, required=False)
    found = forms.ChoiceField(
        label="Among the first 10",
        required=False,
        choices=[("", "Any"), (FIRST, "At least one target"), (MISSED, "No target")],
    )
    by = forms.ChoiceField(
        label="By", required=False, choices=[("", "Any baseline"), *BASELINE_NAMES.items()]
    )

    @property
    def words(self) -> str:
        return str(self.cleaned_data.get("q", ""))

    @property
    def outcome(self) -> str:
        return str(self.cleaned_data.get("found", ""))

    @property
    def baselines(self) -> tuple[str, ...]:
        """Return the baselines of the filter: one of them finds a target, or all miss."""
        by = self.cleaned_data.get("by", "")
        return (by,) if by else BASELINES

    @property
    def is_filtered(self) -> bool:
        return any(self.cleaned_data.values())


class FigureForm(forms.Form):
    """How many clips of each baseline a figure has."""

    most = forms.IntegerField(min_value=1, max_value=SHOWN, required=False)

    @property
    def most_clips(self) -> int:
        """Return the number, or the usual one if none or a wrong one is given."""
        return (self.cleaned_data.get("most") if self.is_valid() else None) or CLIPS_OF_FIGURE

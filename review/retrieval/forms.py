"""The form to import a vector file, and the filters of the queries of a report."""

from __future__ import annotations

from typing import Any

from django import forms

from annotate.forms import (
    UPLOAD_LIMIT,
    FileToImport,
    LeavesOutRows,
    ListForm,
    offer_rows,
    validate_visible,
)
from annotate.models import Project
from review.captions.model_names import MAX_NAME_LENGTH
from review.frozen.models import Release
from review.retrieval.directions import T2V
from review.retrieval.sections import WAY_NAMES

BEST = "best"
FIRST, NEAR, MISSED = "first", "near", "missed"
# The lowest and the highest rank of each outcome.
OUTCOMES: dict[str, tuple[int, int | None]] = {
    "": (1, None),
    FIRST: (1, 1),
    NEAR: (2, 10),
    MISSED: (11, None),
}


class ImportForm(LeavesOutRows):
    name = forms.CharField(
        label="Model",
        max_length=MAX_NAME_LENGTH,
        help_text="The name that tables show.",
        validators=[validate_visible],
    )
    vectors = FileToImport(
        label="File",
        accept=".npz,.safetensors",
        takes=(".npz", ".safetensors"),
        help_text=f".npz or .safetensors, at most {UPLOAD_LIMIT}. For a larger file, use "
        "manage.py import_vectors.",
        choose="Choose the file with the vectors.",
        mend="Use manage.py import_vectors.",
    )
    release = forms.ModelChoiceField(
        queryset=Release.objects.none(),
        to_field_name="version",
        required=False,
        empty_label="The project as it is now",
        help_text="If you choose a release, only its clips and captions are accepted.",
    )

    def __init__(self, project: Project, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        with_captions = project.releases.exclude(format=Release.Format.TFCOVR)
        releases = with_captions.order_by("-pk")
        offer_rows(self, "release", releases, lambda release: f"Release {release.version}")


class QueryFilterForm(ListForm):
    """`captions` and `way` choose the ranking, if the report has it; else the first one counts."""

    captions = forms.ChoiceField(required=False)
    way = forms.ChoiceField(
        label="Direction", required=False, choices=list(WAY_NAMES.items()), initial=T2V
    )
    found = forms.ChoiceField(
        label="Rank",
        required=False,
        choices=[("", "Any"), (FIRST, "1"), (NEAR, "2 to 10"), (MISSED, "Beyond 10")],
    )
    category = forms.ChoiceField(required=False)
    sort = forms.ChoiceField(
        label="Order", required=False, choices=[("", "Worst rank first"), (BEST, "Best rank first")]
    )
    q = forms.CharField(label="Clip contains", max_length=200, required=False)

    def _value(self, name: str) -> str:
        return str(self.cleaned_data.get(name, ""))

    @property
    def kind(self) -> str:
        return self._value("captions")

    @property
    def direction(self) -> str:
        return self._value("way") or T2V

    @property
    def outcome(self) -> str:
        return self._value("found")

    @property
    def in_category(self) -> str:
        return self._value("category")

    @property
    def order(self) -> str:
        return self._value("sort")

    @property
    def words(self) -> str:
        return self._value("q")

    @property
    def is_filtered(self) -> bool:
        return bool(self.outcome or self.in_category or self.words)

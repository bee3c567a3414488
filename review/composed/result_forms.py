"""The form to import a model's run from elsewhere."""

from __future__ import annotations

from typing import Any

from django import forms

from annotate.forms import UPLOAD_LIMIT, FileToImport, ListForm, validate_visible
from review.composed.models import ImportedRanking
from review.composed.results import SCORES
from review.composed.services import RunFacts
from review.studies.models import LARGEST_SEED

MOST_FRAMES = 10_000
CONVENTIONS = {
    "circo": "Right clips beyond the limit left out",
    "unlimited": "Every right clip a target",
    "tfcovr": "As TF-CoVR’s released code",
}
assert CONVENTIONS.keys() == SCORES.keys()


def _frames(label: str) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=1, max_value=MOST_FRAMES, required=False)


class ImportRankingForm(forms.Form):
    name = forms.CharField(
        label="Model",
        max_length=80,
        help_text="The name that the tables show.",
        validators=[validate_visible],
    )
    group = forms.ChoiceField(
        label="Training",
        choices=ImportedRanking.Group.choices,
        initial=ImportedRanking.Group.ZERO_SHOT,
        help_text="The group of rows in TF-CoVR’s Tables 2 and 3.",
    )
    has_video = forms.BooleanField(label="Uses the query clip", required=False, initial=True)
    has_text = forms.BooleanField(label="Uses the modification", required=False, initial=True)
    fusion = forms.CharField(
        max_length=40, required=False, help_text="How the two are combined: MLP, CA, Avg, MLLM."
    )
    query_frames = _frames("Frames of the query clip")
    target_frames = _frames("Frames of a target clip")
    seed = forms.IntegerField(
        min_value=0,
        max_value=LARGEST_SEED,
        required=False,
        help_text="Runs that differ only in it become one row, with mean and standard deviation.",
    )
    verified_only = forms.BooleanField(
        label="The ids are those of the download “Verified only”", required=False
    )
    rankings = FileToImport(
        label="File",
        accept=".json,.npz,.safetensors",
        help_text=f"Rankings as JSON, or vectors as .npz or .safetensors; at most {UPLOAD_LIMIT}. "
        "For a larger file, use manage.py import_rankings.",
        choose="Choose the file with the rankings or vectors.",
        mend="Use manage.py import_rankings.",
    )

    def clean(self) -> dict[str, Any]:
        if not (self.cleaned_data.get("has_video") or self.cleaned_data.get("has_text")):
            self.add_error("has_video", "Tick the query clip, the modification, or both.")
        return self.cleaned_data

    @property
    def facts(self) -> RunFacts:
        """Return the facts of a valid form."""
        return RunFacts(**{name: self.cleaned_data[name] for name in RunFacts.__dataclass_fields__})


class ConventionForm(ListForm):
    by = forms.ChoiceField(choices=list(CONVENTIONS.items()), required=False)

    @property
    def convention(self) -> str:
        return str(self.cleaned_data.get("by") or "circo")

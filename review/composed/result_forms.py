"""The forms to import a model's run from elsewhere, and to have a model here rank."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import QueryDict

from annotate.forms import UPLOAD_LIMIT, FileToImport, ListForm, offer_choices, validate_visible
from inference.registry import Role
from review.composed.methods import EDIT_CAPTION, METHODS
from review.composed.models import ImportedRanking
from review.composed.results import SCORES
from review.composed.runs import RankingChoice, settings_of
from review.composed.services import RunFacts
from review.pairs.forms import models_with
from review.retrieval.queries import frames_in_words
from review.studies.models import MAX_SEED
from review.triplets.models import TripletSet

MAX_FRAMES = 10_000
MAX_PROMPT_LENGTH = 4_000
UNKNOWN = "frames not stated"
CONVENTIONS = {
    "circo": "Right clips beyond the limit left out",
    "unlimited": "Every right clip a target",
    "tfcovr": "As TF-CoVR’s released code",
}
assert CONVENTIONS.keys() == SCORES.keys()


def _frames(label: str) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=1, max_value=MAX_FRAMES, required=False)


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
        max_value=MAX_SEED,
        required=False,
        help_text="Runs that differ only in it become one row, with mean and standard deviation.",
    )
    verified_only = forms.BooleanField(
        label="The ids are those of the download “Verified only”", required=False
    )
    rankings = FileToImport(
        label="File",
        accept=".json,.npz,.safetensors",
        takes=(".npz", ".safetensors"),
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


class RankForm(forms.Form):
    """Have a model here rank the queries."""

    method = forms.ChoiceField(
        label="Find targets by", choices=[(name, method.label) for name, method in METHODS.items()]
    )
    subject = forms.ChoiceField(label="Vectors of the clips")
    query_frames = forms.IntegerField(
        label="Frames of the query clip",
        min_value=1,
        max_value=MAX_FRAMES,
        required=False,
        help_text="Empty: as the other clips. TF-CoVR’s Table 3 has mostly 1.",
    )
    writer = forms.TypedChoiceField(
        label="Text model", coerce=int, required=False, empty_value=None,
        help_text="Edits the captions, if targets are found by one.",
    )  # fmt: skip
    prompt = forms.CharField(
        label="Its prompt",
        max_length=MAX_PROMPT_LENGTH,
        required=False,
        initial=EDIT_CAPTION,
        widget=forms.Textarea(attrs={"rows": 7, "dir": "auto"}),
    )
    group = forms.ChoiceField(
        label="Training",
        choices=ImportedRanking.Group.choices,
        initial=ImportedRanking.Group.GENERAL,
        help_text="The group of rows in TF-CoVR’s Tables 2 and 3.",
    )

    def __init__(self, triplets: TripletSet, data: QueryDict | None = None) -> None:
        # The form of imports, which has fields of the same names, is on the same page.
        super().__init__(data, auto_id="id_rank_%s")
        self.settings = settings_of(triplets)
        models = [
            (s.subject, f"{s.model.name}, {frames_in_words(s.sampling) if s.sampling else UNKNOWN}")
            for s in self.settings
        ]
        offer_choices(self, "subject", models)
        self.writers = {spec.pk: spec for spec in models_with(Role.TEXT, triplets.project_id)}
        writers = [(pk, spec.name) for pk, spec in self.writers.items()]
        offer_choices(self, "writer", [("", "None"), *writers])

    @property
    def choice(self) -> RankingChoice:
        """Return what a valid form says."""
        typed = dict(self.cleaned_data)
        writer = self.writers.get(typed.pop("writer"))
        prompt = typed.pop("prompt").replace("\r\n", "\n")
        return RankingChoice(**typed, writer=writer, prompt=prompt)


class ConventionForm(ListForm):
    by = forms.ChoiceField(choices=list(CONVENTIONS.items()), required=False)

    @property
    def convention(self) -> str:
        return str(self.cleaned_data.get("by") or "circo")

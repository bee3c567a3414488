"""The forms of model captions."""

from __future__ import annotations

from typing import Any

from django import forms

from annotate.forms import (
    UPLOAD_LIMIT,
    FileToImport,
    LeavesOutRows,
    offer_rows,
    validate_visible,
)
from annotate.models import Project
from inference.models import InferenceRun
from inference.planning.typed_options import MAX_PROMPT_LENGTH
from review.captions.exchange import KINDS, MAX_FRAMES
from review.captions.model_names import MAX_NAME_LENGTH
from review.captions.models import CaptionSet
from review.captions.queries import runs_without_set
from review.frozen.models import Release

NAME_HELP = "The name of the model. Reviewers see it after their vote."


class FilterForm(forms.Form):
    """GET parameters. Invalid values are ignored, so that an old link still opens the page."""

    q = forms.CharField(label="Clip name contains", max_length=200, required=False)

    def __init__(self, data: Any) -> None:
        super().__init__(data)
        self.words: str = self.cleaned_data["q"] if self.is_valid() else ""


class RunSetForm(forms.Form):
    run = forms.ModelChoiceField(
        InferenceRun.objects.none(),
        label="Caption run",
        empty_label="Choose a run",
        error_messages={"invalid_choice": "This run is no longer available. Choose another."},
    )
    name = forms.CharField(
        label="Name", max_length=MAX_NAME_LENGTH, help_text=NAME_HELP, validators=[validate_visible]
    )

    def __init__(self, project: Project, data: Any = None) -> None:
        super().__init__(data, prefix="run")
        offer_rows(self, "run", runs_without_set(project), _run_label)


class ImportForm(LeavesOutRows):
    file = FileToImport(
        accept=".jsonl,.json,application/json",
        help_text=f"JSONL or a JSON list in UTF-8, at most {UPLOAD_LIMIT}. For a "
        "larger file, use manage.py import_predictions.",
        choose="Choose the file with the captions.",
        mend="Import it on the server with manage.py import_predictions.",
    )
    name = forms.CharField(
        label="Name", max_length=MAX_NAME_LENGTH, help_text=NAME_HELP, validators=[validate_visible]
    )
    kind = forms.ChoiceField(label="Kind", choices=list(KINDS.items()))
    prompt = forms.CharField(
        required=False,
        max_length=MAX_PROMPT_LENGTH,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="The exact prompt that the model got. If empty, it is shown as unknown.",
    )
    frames = forms.CharField(
        required=False,
        max_length=MAX_FRAMES,
        help_text="The frames that the model saw, such as “32 frames, evenly spread”. If empty, "
        "they are shown as unknown.",
    )
    theme = forms.ChoiceField(
        required=False,
        label="Theme or category of the video",
        choices=[
            (CaptionSet.Theme.UNKNOWN, "Not known"),
            (CaptionSet.Theme.NOT_TOLD, "The model did not get it"),
            (CaptionSet.Theme.TOLD, "The model got it"),
            (CaptionSet.Theme.NO_MODEL, "No model: people or a program wrote the captions"),
        ],
        help_text="Pages that compare models mark the models that got it.",
    )
    release = forms.ModelChoiceField(
        Release.objects.none(),
        required=False,
        empty_label="Any clip of the project",
        help_text="Accept only clips of this release.",
    )

    def __init__(
        self, project: Project, data: Any = None, files: Any = None, *, initial: Any = None
    ) -> None:
        super().__init__(data, files, prefix="file", initial=initial)
        offer_rows(
            self,
            "release",
            Release.objects.filter(project=project),
            lambda release: f"{release.version}, {release.clip_count} clips",
        )


def _run_label(run: Any) -> str:
    model = run.model.name if run.model else "no model"
    captions = f"{run.made:,} caption{'' if run.made == 1 else 's'}"
    return f"Run {run.pk}: {model}, {captions}, {run.created_at:%d %b %Y}"

"""The form to import results that were made elsewhere."""

from __future__ import annotations

from typing import Any

from django import forms

from annotate.forms import (
    UPLOAD_LIMIT,
    DayInput,
    FileToImport,
    LeavesOutRows,
    validate_visible,
)
from annotate.models import Project
from inference.models import ModelSpec
from inference.planning.typed_options import MAX_PROMPT_LENGTH
from review.captions.model_names import MAX_NAME_LENGTH
from review.elsewhere.statement import KINDS, Statement


class ResultsForm(LeavesOutRows):
    kind = forms.ChoiceField(label="Results", choices=list(KINDS.items()))
    file = FileToImport(
        accept=".jsonl,.json,.csv,.tsv,.npz,.safetensors",
        takes=(".npz", ".safetensors"),
        help_text="JSONL, a JSON list or CSV in UTF-8; vectors as .npz or .safetensors. At most "
        f"{UPLOAD_LIMIT}. For a larger file, use manage.py import_results.",
        choose="Choose the file with the results.",
        mend="Import it with manage.py import_results.",
    )
    model = forms.CharField(
        max_length=MAX_NAME_LENGTH,
        validators=[validate_visible],
        widget=forms.TextInput(attrs={"list": "model-names", "autocomplete": "off"}),
        help_text="A model of the project, or a new name. Scores of the project’s own encoder can "
        "be refined here.",
    )
    frames = forms.CharField(
        required=False,
        max_length=40,
        help_text="The frames that the model saw, such as every:30, middle:32 or seconds:8:64. "
        "Scores and vectors need them.",
    )
    prompt = forms.CharField(
        required=False,
        max_length=MAX_PROMPT_LENGTH,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="Of captions: the exact prompt. If empty, it is shown as unknown.",
    )
    theme = forms.ChoiceField(
        required=False,
        label="Theme of the video",
        choices=[("", "Not known"), ("not_told", "Not told"), ("told", "Told")],
        help_text="Of captions: whether the prompt told the theme of the video.",
    )
    variant = forms.ChoiceField(
        required=False, label="Variant of EVQAScore", choices=[("v3", "v3"), ("v1", "v1")]
    )
    made_on = forms.DateField(required=False, label="Made on", widget=DayInput())

    def __init__(self, project: Project, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.order_fields([*(name for name in self.fields if name != "skips_bad"), "skips_bad"])
        self.model_names = ModelSpec.objects.filter(project=project).values_list("name", flat=True)

    @property
    def statement(self) -> Statement:
        data = self.cleaned_data
        return Statement(
            model=data["model"],
            frames=data["frames"],
            prompt=data["prompt"],
            theme=data["theme"],
            variant=data["variant"] or "v3",
            made_on=data["made_on"],
        )

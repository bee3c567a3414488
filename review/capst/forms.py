"""Forms to start judging captions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms

from annotate.forms import FileToImport, offer_choices
from annotate.models import Project
from inference.models import ModelSpec
from review.capst.loaded_prompts import MAX_BYTES
from review.capst.models import CapstRun
from review.capst.services import can_judge
from review.captions.models import CaptionSet

Preset = CapstRun.Preset
ALL = 0
PRESET_NAMES = {Preset.DEFAULT: "Default", Preset.OFFICIAL: "Official"}


def judges_of(project: Project) -> list[ModelSpec]:
    """Return the models in use that can find and judge elements."""
    specs = ModelSpec.objects.filter(project=project, is_active=True).order_by("name")
    return [spec for spec in specs if can_judge(spec)]


def sets_of(project: Project) -> list[CaptionSet]:
    return list(CaptionSet.objects.filter(project=project, is_used=True).order_by("name"))


class PresetForm(forms.Form):
    """The settings that the page shows."""

    preset = forms.ChoiceField(choices=list(PRESET_NAMES.items()), required=False)

    @property
    def chosen(self) -> str:
        """Return the chosen preset, or the default one if the choice is unknown."""
        return (self.is_valid() and self.cleaned_data["preset"]) or Preset.DEFAULT


class PromptsForm(forms.Form):
    """A file with the prompts of the official settings."""

    prompts = FileToImport(
        label="Prompts",
        accept=".json,application/json",
        most=MAX_BYTES,
        help_text="A JSON object with events, objects, judge_events and judge_objects.",
        choose="Choose the file with the prompts.",
    )


class FindForm(forms.Form):
    """Choose a model to find the elements of the human captions."""

    preset = forms.ChoiceField(label="Settings", choices=list(PRESET_NAMES.items()))
    extractor = forms.TypedChoiceField(label="Elements found by", coerce=int)

    def __init__(self, *args: Any, models: Sequence[ModelSpec], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._models = {spec.pk: spec for spec in models}
        offer_choices(self, "extractor", [(spec.pk, spec.name) for spec in models])

    def clean_extractor(self) -> ModelSpec:
        return self._models[self.cleaned_data["extractor"]]


class JudgeForm(FindForm):
    """Choose the captions (one set or all), the model that finds elements, and the judge."""

    caption_set = forms.TypedChoiceField(label="Captions", coerce=int)
    judge = forms.TypedChoiceField(label="Judged by", coerce=int)

    def __init__(
        self,
        *args: Any,
        models: Sequence[ModelSpec],
        caption_sets: Sequence[CaptionSet],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, models=models, **kwargs)
        self._sets = {caption_set.pk: caption_set for caption_set in caption_sets}
        all_choice = [(ALL, f"All {len(caption_sets)} sets")] if len(caption_sets) > 1 else []
        one_each = [(caption_set.pk, caption_set.name) for caption_set in caption_sets]
        offer_choices(self, "caption_set", [*all_choice, *one_each])
        offer_choices(self, "judge", [(spec.pk, spec.name) for spec in models])
        self.order_fields(["caption_set", "preset", "extractor", "judge"])

    def clean_judge(self) -> ModelSpec:
        return self._models[self.cleaned_data["judge"]]

    def clean_caption_set(self) -> list[CaptionSet]:
        chosen = self.cleaned_data["caption_set"]
        return list(self._sets.values()) if chosen == ALL else [self._sets[chosen]]

"""Forms of a run: its model, and the settings of its kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from django import forms

from annotate.models import Project
from inference import words
from inference.cut_detectors import TRANSNETV2
from inference.errors import InferenceError
from inference.models import InferenceRun, ModelSpec
from inference.planning.options import OPTIONS
from inference.planning.presets import options_for
from inference.planning.typed_options import MAX_PROMPT_LENGTH, Options
from inference.registry import BackendInfo, Role, has_role, info
from inference.runs.sampling_form import SamplingField
from inference.runs.services import fits_kind
from inference.sampling import Sampling
from inference.specs.forms import between, bounded

# Shown open; all other fields are folded, with the papers' values.
IN_SIGHT = ("scope", "prompt", "of", "keyword_model", "detector", "cut_detector")
# Options that hold a model's key: the role that it needs, and the words for none.
SECOND_MODELS = {
    "keyword_model": (Role.TEXT, "TF-IDF (no model)"),
    "detector": (Role.DETECTOR, "Whole frames (no model)"),
}
# Boxes after the settings, each of one kind of run.
CONFIRMED = ("counts_again", "joins_unfinished", "captions_undecided")


class RunForm(forms.Form):
    """The form of one kind of run. `chosen_options` are the arguments of `start_run`."""

    only_missing = forms.BooleanField(
        required=False,
        label="Skip what this model has done",
        help_text="Whatever its settings were.",
    )

    def __init__(
        self,
        *args: Any,
        project: Project,
        kind: str,
        role: str | None,
        models: Sequence[ModelSpec],
        like: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """`role` is the role that the kind needs; `like` are an earlier run's options."""
        super().__init__(*args, **kwargs)
        self.project = project
        self.kind = kind
        self.models = [spec for spec in models if role and fits_kind(spec, kind)]
        self.cutter = _cutter(models)
        if role:
            self.fields["model"] = _model_field(self.models)
        if kind == InferenceRun.Kind.FUSE:
            self.fields["joins_unfinished"] = forms.BooleanField(
                required=False,
                label="Join captions that still wait for people",
                help_text="Otherwise a run that would join such captions does not start.",
            )
        if kind == InferenceRun.Kind.CAPTION and "dynamics" in project.pipeline.keys:
            self.fields["captions_undecided"] = forms.BooleanField(
                required=False,
                label="Caption undecided videos",
                help_text="Otherwise a run does not start while people disagree whether a video "
                "that it would describe is dynamic.",
            )
        if kind == InferenceRun.Kind.SCORE:
            self.fields["counts_again"] = forms.BooleanField(
                required=False,
                label="Count words again",
                help_text="For TF-IDF keywords: counts the words of the current captions. This "
                "makes a new scorer: every caption gets a new score, and you adopt the "
                "threshold again.",
            )
        if scopes := words.SCOPES.get(kind):
            self.fields["scope"] = forms.ChoiceField(
                required=False,
                label="Works on",
                choices=[
                    ("", words.EVERYTHING),
                    *((key, label) for key, (label, _) in scopes.items()),
                ],
            )
        preset = options_for(project, kind)
        base = _base(project, kind, like)
        self.start_options = base.as_dict()
        for option in fields(base):
            start = getattr(base, option.name)
            self.fields[option.name] = _field(base, preset, option.name, start, models)
            self.fields[option.name].label = words.label_of(option.name, kind)
            if help_text := words.HELP_OF.get((kind, option.name)):
                self.fields[option.name].help_text = help_text

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not self.errors:
            try:
                options = self._options(data)
                self.chosen_options = options_for(self.project, self.kind, options).as_dict()
            except InferenceError as error:
                self.add_error(None, str(error))
        return data

    @property
    def model_choices(self) -> list[tuple[ModelSpec, BackendInfo]]:
        """Return each model that can be chosen, with a description of its backend."""
        return [(spec, info(spec)) for spec in self.models]

    @property
    def chosen_model(self) -> ModelSpec | None:
        if self.cleaned_data.get("cut_detector") == TRANSNETV2:
            return self.cutter
        key = self.cleaned_data.get("model")
        return next((spec for spec in self.models if str(spec.pk) == key), None)

    @property
    def chosen_scope(self) -> str:
        """Return what the run is limited to, "" if it isn't."""
        if self.is_bound:
            return str(self.cleaned_data.get("scope", ""))
        return str(self.initial.get("scope", ""))

    @property
    def start_model(self) -> ModelSpec | None:
        """Return the initial model."""
        if self.start_options.get("cut_detector") == TRANSNETV2:
            return self.cutter
        if "model" not in self.fields:
            return None
        key = self["model"].initial
        return next((spec for spec in self.models if str(spec.pk) == key), None)

    @property
    def in_sight(self) -> list[forms.BoundField]:
        return [self[name] for name in IN_SIGHT if name in self.fields]

    @property
    def confirmed(self) -> list[forms.BoundField]:
        return [self[name] for name in CONFIRMED if name in self.fields]

    @property
    def folded(self) -> list[forms.BoundField]:
        apart = {"only_missing", *CONFIRMED, "model", *IN_SIGHT}
        return [field for field in self if field.name not in apart]

    @property
    def folded_texts(self) -> list[forms.BoundField]:
        """Return the folded fields that need the whole width."""
        return [field for field in self.folded if not _is_short(field)]

    @property
    def folded_numbers(self) -> list[forms.BoundField]:
        return [field for field in self.folded if _is_short(field)]

    @property
    def opens_folded(self) -> bool:
        """Return whether an error would be hidden in the fold."""
        return any(field.errors for field in self.folded)

    @property
    def wrong(self) -> list[tuple[str, str]]:
        """Return the label of each wrong field, and the sentence that says how to fix it."""
        return [(str(field.label), str(field.errors[0])) for field in self if field.errors]

    @property
    def wrong_labels(self) -> list[str]:
        return [label for label, _ in self.wrong]

    def _options(self, data: Mapping[str, Any]) -> dict[str, Any]:
        names = [option.name for option in fields(OPTIONS[self.kind])]
        # An empty system prompt means none; a form without the field leaves the default.
        options = {name: data.get(name) for name in names if name != "system" or name in self.data}
        for name in SECOND_MODELS:
            if name in options:
                options[name] = int(options[name] or 0)
        return options


def _is_short(field: forms.BoundField) -> bool:
    return isinstance(field.field, forms.IntegerField | forms.ChoiceField)


def _base(project: Project, kind: str, like: Mapping[str, Any] | None) -> Options:
    try:
        return OPTIONS[kind].parse(like) if like else options_for(project, kind)
    except InferenceError:
        # Options of an old run that this version no longer accepts.
        return options_for(project, kind)


def _cutter(models: Sequence[ModelSpec]) -> ModelSpec | None:
    return next((spec for spec in models if has_role(spec, Role.CUTTER)), None)


def _model_field(models: Sequence[ModelSpec]) -> forms.ChoiceField:
    return forms.ChoiceField(
        choices=[(str(spec.pk), spec.name) for spec in models],
        initial=str(models[0].pk) if len(models) == 1 else None,
        widget=forms.RadioSelect,
        label="Model",
        error_messages={"required": "Choose a model.", "invalid_choice": "Choose a listed model."},
    )


def _field(
    base: Options, presets: Options, name: str, start: Any, models: Sequence[ModelSpec]
) -> forms.Field:
    _, help_text = words.SETTINGS[name]
    preset = getattr(presets, name)
    shared = {"initial": start, "required": False}
    if name in SECOND_MODELS:
        role, without = SECOND_MODELS[name]
        fitting = [(spec.pk, spec.name) for spec in models if has_role(spec, role)]
        return forms.ChoiceField(**shared, choices=[(0, without), *fitting])
    if name in base.CHOICES:
        left_out = set() if _cutter(models) else {TRANSNETV2}
        offered = [choice for choice in base.CHOICES[name] if choice not in left_out]
        choices = [(choice, words.CHOICES[name][choice]) for choice in offered]
        return forms.ChoiceField(**shared, choices=choices)
    if isinstance(start, Sampling):
        return SamplingField(initial=start, help_text=f"Preset: {preset}.")
    if isinstance(start, bool):
        return forms.BooleanField(**shared, help_text=help_text)
    if isinstance(start, str):
        return forms.CharField(
            **shared,
            help_text=help_text,
            max_length=MAX_PROMPT_LENGTH,
            widget=forms.Textarea(attrs={"rows": 5 if name == "prompt" else 2}),
        )
    kind = forms.IntegerField if isinstance(start, int) else forms.FloatField
    if float(start).is_integer():
        shared["initial"] = int(start)
    least, most = base.BOUNDS[name]
    limits = between(least, most).removeprefix("between ").replace(" and ", " to ")
    help_text = f"{help_text} {limits}. Preset: {preset:,g}.".strip()
    if "cut_detector" in base.CHOICES and name == "threshold" and start == preset:
        # Empty means the threshold of the chosen detector.
        shared["initial"] = None
        help_text = words.SETTINGS[name][1]
    return bounded(kind, least, most, **shared, help_text=help_text)

"""Choose frames by a sentence: a rule, with its numbers inside the sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.datastructures import MultiValueDict

from inference.sampling import FIELDS, Sampling

# The words around the numbers of each rule, in the order of FIELDS, and the initial numbers.
RULES: Mapping[str, tuple[str, ...]] = {
    "seconds": ("One frame per second, but at least", "and at most"),
    "middle": ("Evenly spread:", "frames"),
    "every": ("One frame in every",),
    "pairs": ("Evenly spread:", "pairs of frames,", "frames apart"),
}
START = {
    "seconds": {"low": 8, "high": 64},
    "middle": {"count": 32},
    "every": {"step": 30},
    "pairs": {"count": 8, "step": 5},
}
NUMBER_LABELS = {"count": "how many", "step": "how far apart", "low": "fewest", "high": "most"}


@dataclass(frozen=True)
class Number:
    """One number of a rule: the words before it, and its input's name, label and value."""

    before: str
    name: str
    label: str
    value: Any


@dataclass(frozen=True)
class Rule:
    kind: str
    chosen: bool
    numbers: tuple[Number, ...]
    after: str


if TYPE_CHECKING:
    Files = MultiValueDict[str, UploadedFile[Any]]


class SamplingWidget(forms.Widget):
    """Reads `name` (the rule) and `name-rule-number`. The page renders it rule by rule."""

    def value_from_datadict(
        self, data: Mapping[str, Any], files: Files, name: str
    ) -> dict[str, Any]:
        kept = {"kind": data.get(name, "")}
        for kind, numbers in FIELDS.items():
            for number in numbers:
                kept[f"{kind}-{number}"] = data.get(f"{name}-{kind}-{number}", "")
        return kept

    def value_omitted_from_data(self, data: Mapping[str, Any], files: Files, name: str) -> bool:
        return name not in data

    def id_for_label(self, id_: str) -> str:
        return ""


class SamplingBound(forms.BoundField):
    """The field on a page; `rules` are the choices, with the typed values."""

    @property
    def rules(self) -> list[Rule]:
        value = self.value()
        typed = _typed(value) if isinstance(value, Sampling) else value or {}
        return [
            Rule(
                kind,
                typed.get("kind") == kind,
                tuple(
                    Number(
                        words[place],
                        f"{self.html_name}-{kind}-{number}",
                        f"{self.label}, {kind}: {NUMBER_LABELS[number]}",
                        typed.get(f"{kind}-{number}", START[kind][number]),
                    )
                    for place, number in enumerate(FIELDS[kind])
                ),
                words[len(FIELDS[kind])] if len(words) > len(FIELDS[kind]) else "",
            )
            for kind, words in RULES.items()
        ]


class SamplingField(forms.Field):
    widget = SamplingWidget

    def get_bound_field(self, form: forms.BaseForm, field_name: str) -> SamplingBound:
        return SamplingBound(form, self, field_name)

    def clean(self, value: Mapping[str, Any]) -> Sampling:
        kind = value["kind"]
        if kind not in FIELDS:
            raise forms.ValidationError("Choose how frames are taken.")
        try:
            numbers = {name: int(value[f"{kind}-{name}"]) for name in FIELDS[kind]}
        except ValueError as error:
            raise forms.ValidationError("Give whole numbers from 1.") from error
        if min(numbers.values()) < 1:
            raise forms.ValidationError("Give whole numbers from 1.")
        try:
            return Sampling(kind, **numbers)
        except ValueError as error:
            raise forms.ValidationError("The fewest frames can't be more than the most.") from error

    def has_changed(self, initial: object, data: object) -> bool:
        return True


def _typed(sampling: Sampling) -> dict[str, Any]:
    chosen = {f"{sampling.kind}-{name}": getattr(sampling, name) for name in FIELDS[sampling.kind]}
    return {"kind": sampling.kind, **chosen}

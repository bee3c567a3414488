"""Titles of reports, in their readers' words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.text import capfirst

from review.capst.forms import PRESET_NAMES, Preset
from review.reports.models import Report
from review.summary.results import GAPS

Name = Report.Name
Parameters = Mapping[str, Any]


def report_title(name: str, subject: str, parameters: Parameters) -> str:
    """Return the report's title: its name, and its subject."""
    if subject.startswith(f"{GAPS}:"):
        return f"Relative gaps to {parameters['baseline']}, {parameters['frames']}"
    label = str(Name(name).label)
    kind = label if label == Name.COMPOSED_RETRIEVAL.label else capfirst(label)
    return ", ".join([kind, *([_ABOUT[name](parameters)] if name in _ABOUT else [])])


def _vectors(parameters: Parameters) -> str:
    return f"model {parameters['model']}, {parameters.get('frames', 'vectors from a file')}"


def _settings(parameters: Parameters) -> str:
    return f"settings “{PRESET_NAMES[Preset(parameters['preset'])]}”"


def _sampled(parameters: Parameters) -> str:
    people = parameters["people"]
    return f"{_counted(parameters['captions'], 'caption')}, {people} people each"


def _judged(parameters: Parameters) -> str:
    """Return what people judged: a kind of work, a round, or a study."""
    for key in ("kind", "round", "study", "scorer"):
        if key in parameters:
            return f"{key} {parameters[key]}"
    raise KeyError("A report on reliability says what people judged.")


def _counted(number: int, unit: str) -> str:
    return f"{number:,} {unit}{'' if number == 1 else 's'}"


_ABOUT: Mapping[str, Callable[[Parameters], str]] = {
    Name.AGREEMENT: lambda parameters: str(parameters["task"]).replace("_", " "),
    Name.CAPST: lambda parameters: f"captions “{parameters['captions']}”, {_settings(parameters)}",
    Name.COMPOSED_RETRIEVAL: _vectors,
    Name.CORRELATION: lambda parameters: f"round {parameters['round']}",
    Name.IDENTIFICATION: lambda parameters: f"test with {parameters['options']} choices",
    Name.LEADERBOARD: lambda parameters: f"round {parameters['round']}",
    Name.LEAKAGE: lambda parameters: f"objects found by {parameters['extractor']}",
    Name.OVERLAP: lambda parameters: (
        f"captions “{parameters['model']}”, {str(parameters['kind']).replace('_', ' ')}"
    ),
    Name.RATINGS: _sampled,
    Name.REBIAS: _vectors,
    Name.RECALL: _vectors,
    Name.RELIABILITY: _judged,
    Name.THRESHOLD: lambda parameters: f"{_sampled(parameters)}, scorer {parameters['scorer']}",
    Name.UNIFIED: _settings,
}

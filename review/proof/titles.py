"""Titles of reports, in their readers' words."""

from __future__ import annotations

from django.utils.text import capfirst

from review.agreement.report import AgreementParameters
from review.capst.forms import PRESET_NAMES, Preset
from review.capst.results import CapstParameters
from review.captions.report import OverlapParameters
from review.composed.report import ComposedParameters
from review.identification.report import PickParameters
from review.leaderboard.report_correlation import CorrelationParameters
from review.leaderboard.results import LeaderboardParameters
from review.leakage.report import LeakageParameters
from review.ratings.report import RatingParameters
from review.reliability.results import (
    KindParameters,
    RoundParameters,
    ScorerParameters,
    StudyParameters,
)
from review.reports.models import Report
from review.retrieval.results import VectorParameters
from review.summary.results import GapParameters, ScoreParameters
from review.threshold.report import ThresholdParameters

Name = Report.Name


def report_title(name: str, parameters: object) -> str:
    """Return the report's title: its name, and its subject by its parameters."""
    if isinstance(parameters, GapParameters):
        return f"Relative gaps to {parameters.baseline}, {parameters.frames}"
    label = str(Name(name).label)
    kind = label if label == Name.COMPOSED_RETRIEVAL.label else capfirst(label)
    return ", ".join(filter(None, [kind, _about(parameters)]))


def _about(parameters: object) -> str:
    """Return what a report with these parameters is about, "" if a project has only one."""
    match parameters:
        case VectorParameters(model=model, frames=frames):
            return f"model {model}, {frames or 'vectors from a file'}"
        case ComposedParameters(model=model, frames=frames):
            return f"model {model}, {frames}"
        case CapstParameters(captions=name, preset=preset):
            return f"captions “{name}”, {_settings(preset)}"
        case ScoreParameters(preset=preset):
            return _settings(preset)
        case OverlapParameters(model=name, kind=kind):
            return f"captions “{name}”, {kind.replace('_', ' ')}"
        case LeakageParameters(extractor=extractor):
            return f"objects found by {extractor}"
        case PickParameters(options=options):
            return f"test with {options} choices"
        case RatingParameters(captions=captions, people=people):
            return _sampled(captions, people)
        case ThresholdParameters(captions=captions, people=people, scorer=scorer):
            return f"{_sampled(captions, people)}, scorer {scorer}"
        case AgreementParameters(task=task):
            return task.replace("_", " ")
        case LeaderboardParameters() | CorrelationParameters() | RoundParameters():
            return f"round {parameters.round}"
        case KindParameters(kind=kind):
            return f"kind {kind}"
        case StudyParameters(study=study):
            return f"study {study}"
        case ScorerParameters(scorer=scorer):
            return f"scorer {scorer}"
    return ""


def _settings(preset: str) -> str:
    return f"settings “{PRESET_NAMES[Preset(preset)]}”"


def _sampled(captions: int, people: int) -> str:
    return f"{captions:,} caption{'' if captions == 1 else 's'}, {people} people each"

"""How the results of unified scores and of relative gaps are stored and read back."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.text import capfirst

from annotate.models import Project
from review.capst.results import preset_words
from review.reports.models import Report
from review.reports.registry import ReportKind
from review.reports.stored import Stored, StoredKind
from review.reports.subjects import named_subject
from review.summary import NAME
from review.summary.computing import Gaps, UnifiedScores

# The prefixes of the two kinds of subjects.
SCORES, GAPS = "scores", "gaps"


@dataclass(frozen=True)
class ScoreParameters:
    """`complete`: the rows with recall and CapST; `join`: by what these are joined. The last three
    say how the models were asked.
    """

    preset: str
    models: int
    complete: int
    join: str
    prompts: str
    theme: str
    asked: str


@dataclass(frozen=True)
class GapParameters:
    """`models`: the others. `over`: what the gaps are correlated over, by `categories`."""

    baseline: str
    frames: str
    models: int
    captions: str
    over: str
    categories: int


UNIFIED_SCORES = StoredKind(NAME, UnifiedScores, ScoreParameters, f"{SCORES}:")
UNIFIED_GAPS = StoredKind(NAME, Gaps, GapParameters, f"{GAPS}:")
StoredScores = Stored[UnifiedScores, ScoreParameters]
StoredGaps = Stored[Gaps, GapParameters]
UNIFIED_RESULTS = {kind.subjects: kind.numbers for kind in (UNIFIED_SCORES, UNIFIED_GAPS)}


class UnifiedKind(ReportKind):
    """Unified scores of one preset, or the relative gaps to one model."""

    def title_of(self, parameters: object) -> str:
        if isinstance(parameters, GapParameters):
            return f"Relative gaps to {parameters.baseline}, {parameters.frames}"
        return super().title_of(parameters)


def unified_subject(project: Project, report: Report) -> str:
    kind, _, key = report.subject.rpartition(":")
    settings = capfirst(preset_words(key)) if kind == SCORES else ""
    return named_subject(project, report) or settings

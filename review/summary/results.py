"""How the results of unified scores and of relative gaps are stored and read back."""

from __future__ import annotations

from dataclasses import dataclass

from review.reports.models import Report
from review.reports.stored import Stored, StoredKind
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


UNIFIED_SCORES = StoredKind(Report.Name.UNIFIED, UnifiedScores, ScoreParameters, f"{SCORES}:")
UNIFIED_GAPS = StoredKind(Report.Name.UNIFIED, Gaps, GapParameters, f"{GAPS}:")
StoredScores = Stored[UnifiedScores, ScoreParameters]
StoredGaps = Stored[Gaps, GapParameters]
UNIFIED_RESULTS = {kind.subjects: kind.numbers for kind in (UNIFIED_SCORES, UNIFIED_GAPS)}

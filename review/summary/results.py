"""How the results of unified scores and of relative gaps are stored and read back."""

from __future__ import annotations

from review.reports.models import Report
from review.reports.stored import StoredKind
from review.summary.computing import Gaps, UnifiedScores

# The prefixes of the two kinds of subjects.
SCORES, GAPS = "scores", "gaps"

UNIFIED_SCORES = StoredKind(Report.Name.UNIFIED, UnifiedScores, f"{SCORES}:")
UNIFIED_GAPS = StoredKind(Report.Name.UNIFIED, Gaps, f"{GAPS}:")
UNIFIED_RESULTS = {kind.subjects: kind.numbers for kind in (UNIFIED_SCORES, UNIFIED_GAPS)}

"""What is computed from a project's stored labels, by the name of its report.

Each function gives the inputs of its reports; whether they must be computed anew is for
`review.services.recomputing` to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from annotate.models import Project
from review.models import Report
from review.reports.composed_retrieval import composed_retrieval_inputs
from review.reports.inputs import Inputs
from review.reports.ratings import ratings_inputs
from review.reports.threshold import threshold_inputs

REPORTS: Mapping[str, Callable[[Project], Iterable[Inputs]]] = {
    Report.Name.THRESHOLD: threshold_inputs,
    Report.Name.RATINGS: ratings_inputs,
    Report.Name.COMPOSED_RETRIEVAL: composed_retrieval_inputs,
}

"""The page Recall: every model with vectors of clips and captions, and how well they retrieve."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from annotate.models import Membership, Project
from inference.models import ModelSpec
from review.models import Report, VectorSet
from review.queries.recomputing import Request, last_request
from review.queries.vectors import CLIPS, GALLERY_OF, VIDEOS, Setting, category_marks, settings_of
from review.recall.forms import ImportForm
from review.recall.rows import KIND_NAMES, ModelRow, row_of
from review.recall.spread_chart import SpreadChart, draw_rebias, draw_recalls
from review.recall.studies import Study, studies_of
from review.reports.inputs import Inputs
from review.reports.rebias import HALVES, has_both_halves, rebias_input
from review.reports.recall import recall_input

RECALL, REBIAS = Report.Name.RECALL, Report.Name.REBIAS
# Tables of their own; spatial and temporal captions share one, as in CaReBench's Table 5.
SINGLE_KINDS = [kind for kind in GALLERY_OF if kind not in HALVES]


@dataclass(frozen=True)
class KindPart:
    """The models that were looked for by one kind of caption, with a picture of their recalls."""

    kind: str
    name: str
    rows: list[ModelRow]
    chart: SpreadChart


@dataclass(frozen=True)
class HalvesPart:
    """The same by spatial and by temporal captions, with ReBias."""

    rows: list[ModelRow]
    chart: SpreadChart | None


def recall_context(membership: Membership) -> dict[str, Any]:
    project = membership.project
    settings = settings_of(project)
    rows = recall_rows(project, settings)
    computed = [row for row in rows if row.report]
    return {
        "membership": membership,
        "project": project,
        "rows": rows,
        "uncomputed": [row for row in rows if not row.report],
        "is_old": any(row.is_old for row in computed),
        "has_numbers": bool(computed),
        "has_lexical": ModelSpec.objects.filter(
            project=project,
            backend=ModelSpec.Backend.LEXICAL,
            name__in={row.model for row in computed if row.space},
        ).exists(),
        "has_certain": any(row.has_certain for row in computed),
        "parts": [part for kind in SINGLE_KINDS if (part := _kind_part(kind, computed))],
        "halves": _halves_part(computed),
        "studies": studies_of(computed),
        "lacking": [(setting, _lacks(setting)) for setting in settings if not setting.kinds],
        "imports": VectorSet.objects.filter(project=project, is_used=True),
        "form": ImportForm(project),
        **state_context(project),
    }


def state_context(project: Project) -> dict[str, Any]:
    """What became of asking for the numbers: of the two names the one that is waited for, else the
    one that failed, else the later."""
    requests = [found for name in (RECALL, REBIAS) if (found := last_request(project, name))]
    return {"project": project, "request_state": max(requests, key=_urgency, default=None)}


def _urgency(request: Request) -> tuple[Any, ...]:
    return request.is_waiting, bool(request.error), request.at


def recall_rows(project: Project, settings: Sequence[Setting]) -> list[ModelRow]:
    """A row for each setting that can be computed, and for each report of what no longer can."""
    recalls = {one.subject: one for one in Report.objects.newest(project, RECALL)}
    biases = {one.subject: one for one in Report.objects.newest(project, REBIAS)}
    categories = category_marks(project)
    rows = []
    for setting in settings:
        if not setting.kinds:
            continue
        report = recalls.pop(setting.subject, None)
        bias = biases.get(setting.subject) if has_both_halves(setting) else None
        is_old = _is_old(report, recall_input(project, setting, categories))
        if has_both_halves(setting):
            lags_behind = report is not None and bias is None
            is_old |= lags_behind or _is_old(bias, rebias_input(project, setting))
        rows.append(row_of(setting.subject, setting.model, setting.frames, report, bias, is_old))
    return [*rows, *_of_what_is_gone(project, recalls, biases)]


def newest_rows(project: Project) -> list[ModelRow]:
    """Those that have numbers."""
    return [row for row in recall_rows(project, settings_of(project)) if row.report]


def _of_what_is_gone(
    project: Project, recalls: dict[str, Report], biases: dict[str, Report]
) -> Iterable[ModelRow]:
    unused = {
        f"import:{key}"
        for key in VectorSet.objects.filter(project=project, is_used=False).values_list(
            "pk", flat=True
        )
    }
    for subject, report in sorted(recalls.items()):
        if subject not in unused:
            numbers = report.parameters
            frames = numbers.get("frames", "from a file")
            yield row_of(subject, numbers["model"], frames, report, biases.get(subject), True)


def _is_old(report: Report | None, inputs: Inputs) -> bool:
    return report is not None and report.inputs_hash != inputs.hash


def _kind_part(kind: str, rows: Sequence[ModelRow]) -> KindPart | None:
    having = [row for row in rows if kind in row.recalls]
    if not having:
        return None
    return KindPart(kind, KIND_NAMES[kind], having, draw_recalls(having, kind))


def _halves_part(rows: Sequence[ModelRow]) -> HalvesPart | None:
    having = [row for row in rows if any(kind in row.recalls for kind in HALVES)]
    return HalvesPart(having, draw_rebias(having)) if having else None


def _lacks(setting: Setting) -> str:
    """What is to be embedded before captions can look for anything: "captions", "clips" or, for
    captions of whole videos, "videos"."""
    if not set(setting.parts) & set(GALLERY_OF):
        return "captions"
    return CLIPS if CLIPS not in setting.parts else VIDEOS


__all__ = ["Study", "newest_rows", "recall_context", "recall_rows", "state_context"]

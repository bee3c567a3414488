"""The Recall page: retrieval results of every model with vectors of clips and captions."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from django.http import QueryDict

from annotate.models import Caption, Membership, Project
from inference.models import ModelSpec
from review.reports.files import Tables
from review.reports.forms import MetricsForm
from review.reports.inputs import Inputs
from review.reports.models import Report
from review.reports.page import ReportPage
from review.reports.state import NOTHING_NEW
from review.retrieval import NAME, REBIAS_NAME
from review.retrieval.counts import Counted, count_again, counts_for_page, current_counts
from review.retrieval.files import recall_curve_table, recall_table
from review.retrieval.forms import ImportForm
from review.retrieval.models import VectorSet
from review.retrieval.queries import CLIPS, GALLERY_OF, VIDEOS, Setting
from review.retrieval.report import KIND as RECALL_KIND
from review.retrieval.report import recall_input
from review.retrieval.report_rebias import KIND as REBIAS_KIND
from review.retrieval.report_rebias import has_both_halves, rebias_input
from review.retrieval.rows import ModelRow, row_of, stored_row
from review.retrieval.studies import studies_of
from review.retrieval.tables import parts_of

RECALL, REBIAS = NAME, REBIAS_NAME


class RecallPage(ReportPage[None]):
    key = "recall"
    title = "Recall"
    template = "review/retrieval/recall.html"
    kinds = (RECALL_KIND, REBIAS_KIND)

    def context(
        self,
        membership: Membership,
        query: QueryDict,
        subject: None = None,
        *,
        form: ImportForm | None = None,
    ) -> dict[str, Any]:
        """`form`: an invalid import form, shown again."""
        project = membership.project
        counted = (count_again if "count" in query else counts_for_page)(project)
        context = _numbers(project, counted, MetricsForm(query))
        nothing_new = NOTHING_NEW if context.pop("is_settled") else ""
        return context | {
            "membership": membership,
            "project": project,
            "form": form or ImportForm(project),
            "state": self.state(project, nothing_new=nothing_new),
        }

    def tables(self, membership: Membership, query: QueryDict, subject: None) -> Tables:
        project = membership.project
        rows = [row for row in recall_rows(project, current_counts(project)) if row.report]
        return {
            "recall": partial(recall_table, project, rows),
            "recall-curve": partial(recall_curve_table, project, rows),
        }


PAGE = RecallPage()


def _numbers(project: Project, counted: Counted, form: MetricsForm) -> dict[str, Any]:
    """Return the numbers. `form` sorts the tables."""
    settings = counted.settings
    rows = recall_rows(project, counted)
    computed = [row for row in rows if row.report]
    uncomputed = [row for row in rows if not row.report]
    is_old = any(row.is_old for row in computed)
    parts = parts_of(project, computed, form)
    return {
        "counted_at": counted.at,
        "is_kept": counted.is_kept,
        "is_settled": computed and not is_old and not uncomputed,
        "rows": rows,
        "uncomputed": uncomputed,
        "is_old": is_old,
        "has_numbers": bool(computed),
        # Only if machine captions are searched for, too.
        "has_lexical": any(Caption.Kind.GENERAL not in setting.by_human for setting in settings)
        and ModelSpec.objects.filter(
            project=project,
            backend=ModelSpec.Backend.LEXICAL,
            name__in={row.model for row in computed if row.space},
        ).exists(),
        "has_certain": any(part.section.has_certain for part in parts),
        "parts": parts,
        "studies": studies_of(project, computed),
        "lacking": [(setting, _lacks(setting)) for setting in settings if not setting.kinds],
        "imports": VectorSet.objects.filter(project=project, is_used=True),
    }


def recall_rows(project: Project, counted: Counted) -> list[ModelRow]:
    """Return a row for each setting that can be computed, and for each report that can no longer be
    recomputed.
    """
    recalls = {report.subject: report for report in Report.objects.newest(project, RECALL)}
    biases = {report.subject: report for report in Report.objects.newest(project, REBIAS)}
    rows = []
    for setting in counted.settings:
        if not setting.kinds:
            continue
        report = recalls.pop(setting.subject, None)
        bias = biases.get(setting.subject) if has_both_halves(setting) else None
        is_old = _is_old(report, recall_input(project, setting, counted.categories))
        if has_both_halves(setting):
            lags_behind = report is not None and bias is None
            is_old |= lags_behind or _is_old(bias, rebias_input(project, setting))
        rows.append(row_of(setting.subject, setting.model, setting.frames, report, bias, is_old))
    return [*rows, *_of_what_is_gone(project, recalls, biases)]


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
            yield stored_row(report, biases.get(subject), is_old=True)


def _is_old(report: Report | None, inputs: Inputs) -> bool:
    return report is not None and report.inputs_hash != inputs.hash


def _lacks(setting: Setting) -> str:
    """Return what must be embedded before recall can be computed: "captions", "clips" or, for
    captions of whole videos, "videos".
    """
    if not set(setting.parts) & set(GALLERY_OF):
        return "captions"
    return CLIPS if CLIPS not in setting.parts else VIDEOS

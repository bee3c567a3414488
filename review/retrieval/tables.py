"""The tables of the Recall page: the retrieval tables of the Metrics page, whose rows lead to each
model's page, and the sources of the captions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.urls import reverse

from annotate.models import Project
from review.captions.model_facts import describe_rows, facts_by_name
from review.reports.cells import SortHead
from review.reports.charts import Chart, GroupChart, draw
from review.reports.forms import MetricsForm
from review.reports.small_samples import NO_BEST, TOO_FEW, small_sample_warning
from review.reports.stored import StoredReports
from review.reports.tables import Section
from review.retrieval.computing import HALVES
from review.retrieval.curves import Curves, curves_of
from review.retrieval.report_rebias import REBIAS
from review.retrieval.results import RECALL
from review.retrieval.rows import KIND_NAMES, ModelRow, stored_of
from review.retrieval.sections import retrieval_sections
from review.retrieval.spread_chart import draw_recalls

HALVES_KEY = "halves"


@dataclass(frozen=True)
class Part:
    """`models`: those of the section's rows. `sources`: the captions' sources. `warning`: numbers
    are based on few clips, or "". `notes`: the section's notes without those in the warning.
    `spread` is the chart of recalls, `bias` that of ReBias. `curves`: recall over K.
    """

    section: Section
    heads: list[SortHead]
    models: list[ModelRow]
    sources: str
    warning: str
    notes: list[str]
    spread: GroupChart | None
    bias: Chart | None
    curves: list[Curves]


def parts_of(project: Project, rows: Sequence[ModelRow], form: MetricsForm) -> list[Part]:
    """Return a table for each kind of caption; spatial and temporal captions share one, as in
    CaReBench's Table 5. `rows` have a report and are sorted by the form.
    """
    by_subject = {row.subject: row for row in rows}
    parts = []
    facts = facts_by_name(project)
    for unsorted in retrieval_sections(project, _loaded(rows)):
        section = describe_rows(unsorted, facts).sorted_by(*form.sorting(unsorted))
        models = [by_subject[row.reports[0].subject] for row in section.rows]
        is_halves = section.key == HALVES_KEY
        kinds = HALVES if is_halves else (section.key,)
        warning, notes = _warn(models, kinds, section)
        parts.append(
            Part(
                section=_with_pages(project, section, models),
                heads=form.heads(section),
                models=models,
                warning=warning,
                notes=notes,
                sources=" ".join(_sources(models, kind) for kind in kinds),
                spread=None if is_halves else draw_recalls(models, section.key),
                bias=draw(section) if is_halves else None,
                curves=[curves for kind in kinds if (curves := curves_of(models, kind))],
            )
        )
    return parts


def _with_pages(project: Project, section: Section, models: Sequence[ModelRow]) -> Section:
    rows = (
        replace(row, page=page_of(project, model))
        for row, model in zip(section.rows, models, strict=True)
    )
    return replace(section, table=replace(section.table, rows=tuple(rows)))


def page_of(project: Project, model: ModelRow) -> str:
    """Return the address of a computed model's page."""
    assert model.report is not None
    return reverse("review:recall_model", args=[project.slug, model.report.pk])


def _warn(
    models: Sequence[ModelRow], kinds: Sequence[str], section: Section
) -> tuple[str, list[str]]:
    """Return the warning that numbers are based on few clips, or "", and the section's notes
    without its contents."""
    of_kinds = [row.recalls[kind] for row in models for kind in kinds if kind in row.recalls]
    warning = small_sample_warning([recalls.clips for recalls in of_kinds], has_intervals=False)
    notes = list(section.notes)
    if warning and TOO_FEW in notes:
        notes.remove(TOO_FEW)
        warning = f"{warning} {NO_BEST}"
    return warning, notes


def _loaded(rows: Sequence[ModelRow]) -> StoredReports:
    old = {
        report.pk
        for row in rows
        for report in (row.report, row.rebias_report)
        if report is not None and row.is_old
    }
    return StoredReports(
        {
            RECALL: [stored_of(row.report, row.vectors) for row in rows if row.report],
            REBIAS: [stored_of(row.rebias_report, row.rebias) for row in rows if row.rebias_report],
        },
        old,
    )


def _sources(rows: Sequence[ModelRow], kind: str) -> str:
    """Return, for example, "Spatial captions: 3 human, 9 machine.", with model names if they
    differ.
    """
    models: dict[str, list[str]] = {}
    for row in rows:
        if kind in row.sources:
            models.setdefault(row.sources[kind], []).append(f"{row.model}, {row.frames}")
    sources = [
        source if len(models) == 1 else f"{source} ({'; '.join(names)})"
        for source, names in models.items()
    ]
    return f"{KIND_NAMES[kind]}: {'; '.join(sources)}." if sources else ""

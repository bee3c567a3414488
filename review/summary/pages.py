"""The Metrics page of a project or of one release: every section with numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from annotate.models import Membership, Project
from review.capst import NAME as CAPST_NAME
from review.capst.forms import PRESET_NAMES
from review.capst.queries import Stale, stale_results
from review.captions import NAME as OVERLAP_NAME
from review.captions.model_facts import describe_rows, facts_by_name
from review.composed import NAME as COMPOSED_RETRIEVAL_NAME
from review.composed.sections import composed_sections
from review.elements.lines import KINDS
from review.frozen.access import release_of
from review.frozen.models import Release
from review.leaderboard import NAME as LEADERBOARD_NAME
from review.reports.cells import SortHead
from review.reports.charts import Chart, draw
from review.reports.forms import MetricsForm
from review.reports.page import PAGES, AnyPage, ReportPage
from review.reports.section_files import file_name
from review.reports.state import NOTHING_NEW, NOTHING_YET
from review.reports.tables import Section
from review.retrieval import NAME as RECALL_NAME
from review.retrieval import REBIAS_NAME
from review.retrieval.sections import retrieval_sections
from review.summary import NAME
from review.summary.captioning import captioning_sections, presets_of
from review.summary.loading import Loaded, load
from review.summary.of_release import reports_of_release
from review.summary.report import KIND
from review.summary.unified import Baseline, baselines_of, unified_sections

CAPTIONING, RETRIEVAL, COMPOSED, UNIFIED = "captioning", "retrieval", "composed", "unified"
TITLES = {
    CAPTIONING: "Captioning",
    RETRIEVAL: "Retrieval",
    COMPOSED: "Composed retrieval",
    UNIFIED: "Captioning and retrieval combined",
}
# In the order of computation: reports come after those that they use.
NAMES = (
    RECALL_NAME,
    REBIAS_NAME,
    CAPST_NAME,
    OVERLAP_NAME,
    LEADERBOARD_NAME,
    COMPOSED_RETRIEVAL_NAME,
    NAME,
)


@dataclass(frozen=True)
class Part:
    section: Section
    heads: list[SortHead]
    chart: Chart | None


@dataclass(frozen=True)
class Group:
    """A group; `parts` are its sections with numbers."""

    key: str
    title: str
    parts: list[Part]


@dataclass(frozen=True)
class Missing:
    """A section without numbers yet: what to start, and on which page."""

    title: str
    start: str
    page: AnyPage


@dataclass(frozen=True)
class Chosen:
    """The page's choices: CapST's preset, and the baseline of gaps."""

    loaded: Loaded
    presets: list[str]
    preset: str
    baselines: list[Baseline]
    baseline: str
    left_out: int


class MetricsPage(ReportPage[Release]):
    """The page of a release (its subject) or, without one, of the whole project."""

    key = "metrics"
    title = "Metrics"
    template = "review/summary/metrics.html"
    kinds = (KIND,)
    names = NAMES

    def find(self, membership: Membership, subject: str) -> Release | None:
        return release_of(membership, subject) if subject else None

    def written(self, subject: Release) -> str:
        return subject.version

    def context(
        self, membership: Membership, query: QueryDict, subject: Release | None
    ) -> dict[str, Any]:
        context = _numbers(membership, subject, MetricsForm(query))
        nothing_new = NOTHING_NEW if context["groups"] else NOTHING_YET
        nothing_new = "" if context["is_old"] else nothing_new
        return context | {
            "url": self.url(membership.project, subject),
            "state": self.state(membership.project, nothing_new=nothing_new),
        }

    def sections(
        self, membership: Membership, query: QueryDict, subject: Release | None
    ) -> list[Section]:
        project, form = membership.project, MetricsForm(query)
        return [
            section for _, section in sections_of(project, choose(project, subject, form), form)
        ]

    def version(self, subject: Release | None) -> str:
        return subject.version if subject else ""

    def file_name(self, project: Project, subject: Release | None, name: str) -> str:
        return file_name(project, name, self.version(subject))


def choose(project: Project, release: Release | None, form: MetricsForm) -> Chosen:
    loaded = load(project)
    total = len(loaded.every)
    if release is not None:
        loaded = loaded.only(reports_of_release(release, loaded))
    presets, baselines = presets_of(loaded), baselines_of(loaded)
    return Chosen(
        loaded=loaded,
        presets=presets,
        preset=form.chosen("preset", presets),
        baselines=baselines,
        baseline=form.chosen("baseline", [baseline.subject for baseline in baselines]),
        left_out=total - len(loaded.every),
    )


def sections_of(project: Project, chosen: Chosen, form: MetricsForm) -> list[tuple[str, Section]]:
    """Return (group, section) of all sections with numbers, in the requested order."""
    loaded, facts = chosen.loaded, facts_by_name(project)
    sections_by_group: list[tuple[str, Iterator[Section]]] = [
        (CAPTIONING, captioning_sections(loaded, chosen.preset)),
        (RETRIEVAL, retrieval_sections(project, loaded)),
        (COMPOSED, composed_sections(loaded)),
        (UNIFIED, unified_sections(loaded, chosen.preset, chosen.baseline)),
    ]
    return [
        (group, describe_rows(section, facts).sorted_by(*form.sorting(section)))
        for group, sections in sections_by_group
        for section in sections
    ]


def _numbers(membership: Membership, release: Release | None, form: MetricsForm) -> dict[str, Any]:
    project = membership.project
    chosen = choose(project, release, form)
    sections = sections_of(project, chosen, form)
    is_old = any(section.is_old for _, section in sections)
    return {
        "membership": membership,
        "project": project,
        "release": release,
        "groups": _groups(sections, form),
        "asked_models": list(
            {
                instructions.name: instructions
                for _, section in sections
                for instructions in section.asked
            }.values()
        ),
        "missing": _missing(project, [section.key for _, section in sections]),
        "is_old": is_old,
        "to_judge": _to_judge(project, sections),
        "presets": [
            (preset, PRESET_NAMES[preset], form.query(preset=preset))  # type: ignore[index]  # one of them
            for preset in chosen.presets
        ],
        "preset": chosen.preset,
        "baselines": chosen.baselines,
        "baseline": chosen.baseline,
        "left_out": chosen.left_out,
        "asked": form.query(),
    }


def _to_judge(project: Project, sections: Sequence[tuple[str, Section]]) -> list[Stale]:
    """Return the CapST results that recomputation can't update: their captions must be judged
    again.
    """
    if any(section.is_old and section.key in KINDS for _, section in sections):
        return stale_results(project)
    return []


def _groups(sections: Sequence[tuple[str, Section]], form: MetricsForm) -> list[Group]:
    groups = []
    for key, title in TITLES.items():
        parts = [
            Part(section, form.heads(section), draw(section))
            for group, section in sections
            if group == key
        ]
        if parts:
            groups.append(Group(key, title, parts))
    return groups


def _missing(project: Project, there: Sequence[str]) -> list[Missing]:
    """Return what has no numbers yet, in the order of the page."""
    is_composed = "triplets" in project.pipeline.keys
    missing_by_key = [
        ("events", Missing(
            "CapST", "Judge the captions of a model.", PAGES["capst"],
        )),
        ("overlap", Missing(
            "BLEU-4, METEOR, ROUGE-L and CIDEr",
            "Make a set of captions from a run, or import one.",
            PAGES["caption-sets"],
        )),
        ("ratings", Missing(
            "Elo and Bradley–Terry", "Start a round in which people compare two models.",
            PAGES["leaderboard"],
        )),
        ("general", Missing(
            "Recall", "Embed the clips and their captions with one model, or import vectors.",
            PAGES["recall"],
        )),
        ("halves", Missing(
            "ReBias", "Embed the clips, and their spatial and temporal captions.",
            PAGES["recall"],
        )),
        ("composed", Missing(
            "mAP@K", "Generate triplets and embed the test clips.",
            PAGES["retrieval"],
        )) if is_composed else None,
        ("unified", Missing(
            "Unified score",
            "Compute recall by general captions and CapST for the same model. Run both here, or "
            "import both under one name.",
            PAGES["recall"],
        )),
        ("gaps", Missing(
            "Relative gap", "Compute recall by general captions for two models.",
            PAGES["recall"],
        )),
    ]  # fmt: skip
    return [missing for key, missing in filter(None, missing_by_key) if key not in there]

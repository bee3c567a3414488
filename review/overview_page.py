"""What the overview shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from annotate.models import Membership, Project, WorkItem
from review.charts import BarChart, draw_bars
from review.models import Release
from review.queries.completeness import progress_of
from review.queries.overview import (
    LISTED,
    daily_throughput,
    imports_to_mend,
    mark_stranded,
    time_per_person,
    unfinished_work,
)
from review.queries.releases import latest_release

Context = dict[str, Any]
STEPS = {WorkItem.Kind.WRITE: "Write", WorkItem.Kind.MERGE: "Merge", WorkItem.Kind.SPLIT: "Split"}


@dataclass(frozen=True)
class Stage:
    label: str
    clips: int
    percent: float


@dataclass(frozen=True)
class Throughput:
    step: str
    chart: BarChart
    total: int


def overview_context(membership: Membership) -> Context:
    project = membership.project
    release = latest_release(project)
    held, skipped = unfinished_work(project)
    stuck = mark_stranded(project, [*held[:LISTED], *skipped[:LISTED]])
    days, per_step = daily_throughput(project)
    return {
        "project": project,
        "membership": membership,
        "release": release,
        "funnel": _funnel(project, release),
        "throughput": _throughput(days, per_step),
        "days": [
            (day, [per_step[kind][place] for kind in STEPS]) for place, day in enumerate(days)
        ],
        "steps": list(STEPS.values()),
        "held": stuck[: len(held[:LISTED])],
        "skipped": stuck[len(held[:LISTED]) :],
        "more_held": len(held) > LISTED,
        "more_skipped": len(skipped) > LISTED,
        "people": time_per_person(project),
        "imports": imports_to_mend(project),
    }


def _funnel(project: Project, release: Release | None) -> list[Stage]:
    progress = progress_of(project)
    stages = [
        ("Imported", progress.clips),
        ("At least one write-up", progress.begun),
        ("All write-ups", progress.written),
        ("Merged", progress.merged),
        ("Split", progress.split),
        ("Complete", progress.complete),
        (
            f"Released in {release.version}" if release else "Released",
            release.clip_count if release else 0,
        ),
    ]
    whole = max(progress.clips, 1)
    return [Stage(label, clips, round(100 * clips / whole, 2)) for label, clips in stages]


def _throughput(days: list, per_step: dict[WorkItem.Kind, list[int]]) -> list[Throughput]:
    highest = max(max(counts) for counts in per_step.values())
    labels = [f"{day.day} {day:%b}" for day in days]
    return [
        Throughput(
            step=STEPS[kind],
            chart=draw_bars(list(zip(labels, counts, strict=True)), labels=4, highest=highest),
            total=sum(counts),
        )
        for kind, counts in per_step.items()
    ]

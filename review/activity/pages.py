"""The page Activity."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from annotate.clips_to_do import hide
from annotate.consent.queries import withdrawn_members
from annotate.corpus.labels import labeled_clips
from annotate.kinds import Kind, kind_facts
from annotate.models import Membership, Project, WorkItem
from annotate.queue.caption_work import caption_work
from annotate.queue.kinds import kinds_of
from annotate.queue.work_kinds import name_work
from inference.queries import clips_to_describe, outdated_videos
from review.activity.queries import (
    LISTED,
    daily_throughput,
    imports_to_fix,
    mark_stranded,
    time_per_person,
    unfinished_work,
)
from review.display.charts import BarChart, draw_bars
from review.frozen.models import Release
from review.releases.queries import described_clips, latest_release
from review.rounds.queries import rounds_of, votes_and_asked
from review.verification.completeness import Progress, progress_of

Context = dict[str, Any]
State = WorkItem.State

# Steps that some clips don't need.


@dataclass(frozen=True)
class Stage:
    """A stage; `of` names its total if that isn't all clips; `percent` is None if the
    total is 0.
    """

    label: str
    clips: int
    percent: float | None
    of: int | None = None


@dataclass(frozen=True)
class Throughput:
    step: str
    chart: BarChart
    total: int


def activity_context(membership: Membership) -> Context:
    project = membership.project
    release = latest_release(project)
    held, skipped = unfinished_work(project)
    stuck = mark_stranded(project, [*held[:LISTED], *skipped[:LISTED]])
    hide(membership, [stuck_item.hold.item.clip for stuck_item in stuck])
    name_work(stuck_item.hold.item for stuck_item in stuck)
    progress = progress_of(project)
    steps = kinds_of(project, {kind for kind, _ in progress.items})
    days, per_step = daily_throughput(project, steps)
    return {
        "project": project,
        "membership": membership,
        "release": release,
        "funnel": _funnel(project, progress, steps, release),
        "throughput": _throughput(days, per_step),
        "days": [
            (day, [per_step[kind][place] for kind in steps]) for place, day in enumerate(days)
        ],
        "steps": [kind.label for kind in steps],
        "held": stuck[: len(held[:LISTED])],
        "skipped": stuck[len(held[:LISTED]) :],
        "more_held": len(held) > LISTED,
        "more_skipped": len(skipped) > LISTED,
        "people": time_per_person(project, steps),
        "imports": imports_to_fix(project),
        "withdrawn": withdrawn_members(project) if membership.is_admin else [],
    }


def _funnel(
    project: Project, progress: Progress, steps: list[Kind], release: Release | None
) -> list[Stage]:
    asked_for = [
        _asked_for(progress, kind, kind_facts(kind).counted_as)
        for kind in steps
        if kind_facts(kind).counted_as
    ]
    asked_for += _compared(project) if "compare" in steps else []
    if "write" not in steps:
        if "labels" in project.pipeline.keys:
            return [
                *_labelled(project),
                *asked_for,
                *_released(release, labeled_clips(project).count()),
            ]
        total = clips_to_describe(project).order_by().count()
        return [*_described(project), *asked_for, *_released(release, total)]
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
    imported, *later = [Stage(label, n, _percent(n, progress.clips)) for label, n in stages]
    return [imported, *asked_for, *later]


def _released(release: Release | None, total: int) -> list[Stage]:
    if release is None:
        return []
    count = release.clip_count
    return [Stage(f"Released in {release.version}", count, _percent(count, total), total)]


def _described(project: Project) -> list[Stage]:
    """Return the stages of describing. A video that was split counts by its clips, since these are
    described.
    """
    imported = project.videos.count()
    videos = project.videos.filter(excluded_because="").count()
    done, all_of_them = described_clips(project)
    work = caption_work(project)
    outdated = outdated_videos(project)
    stages = [
        Stage("Videos imported", imported, _percent(imported, imported)),
        *([] if videos == imported else [Stage("Videos kept", videos, _percent(videos, imported))]),
        Stage("Clips to describe", all_of_them, _percent(all_of_them, all_of_them)),
        Stage("Described", done, _percent(done, all_of_them), all_of_them),
    ]
    for label, count, of in (
        ("Captions waiting to be verified", len(work.to_verify) + len(work.in_study), all_of_them),
        ("Clips waiting to be written by hand", len(work.to_write), all_of_them),
        ("Full-video captions out of date", outdated, videos),
    ):
        if count:
            stages.append(Stage(label, count, _percent(count, of), of))
    return stages


def _labelled(project: Project) -> list[Stage]:
    """Return the stage of labels; clips with imported labels aren't described."""
    videos, labelled = project.videos.count(), labeled_clips(project).count()
    return [
        Stage("Videos imported", videos, _percent(videos, videos)),
        Stage("Labeled clips", labelled, _percent(labelled, labelled)),
    ]


def _asked_for(progress: Progress, kind: Kind, label: str) -> Stage:
    asked = sum(
        number
        for (of_kind, state), number in progress.items.items()
        if of_kind == kind and state != State.CANCELLED
    )
    done = progress.items[kind, State.DONE]
    return Stage(label, done, _percent(done, asked), asked)


def _compared(project: Project) -> list[Stage]:
    """Return the newest round's votes. Pairs are opened one by one, so that counting their items
    would mislead.
    """
    newest = rounds_of(project).first()
    if newest is None:
        return []
    votes, planned = votes_and_asked(newest)
    label = f"Votes in round {newest.number} of comparisons"
    return [Stage(label, votes, _percent(votes, planned), planned)]


def _percent(part: int, whole: int) -> float | None:
    return round(100 * part / whole, 2) if whole else None


def _throughput(days: list[date], per_step: dict[Kind, list[int]]) -> list[Throughput]:
    highest = max(max(counts) for counts in per_step.values())
    labels = [f"{day.day} {day:%b}" for day in days]
    return [
        Throughput(
            step=kind.label,
            chart=draw_bars(list(zip(labels, counts, strict=True)), labels=4, highest=highest),
            total=sum(counts),
        )
        for kind, counts in per_step.items()
    ]

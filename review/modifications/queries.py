"""Queries about modifications: waiting, decided, and failed requests to models."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet

from annotate.jobs.progress import Progress, progress_of
from annotate.jobs.workers import Silence, last_beats
from annotate.models import Assignment, Project, WorkItem
from annotate.models.jobs import AbstractJobItem, Job
from review.modifications.models import Modification, ModificationRequest, ModificationRun
from review.modifications.text import Limits
from review.pairs.models import LabelPair

PAGE_SIZE = 50
MAX_RUNS = 5
MAX_LISTED = 50
State = AbstractJobItem.State
OUTDATED = "outdated"
UNDECIDED_OR_ACCEPTED = [Modification.State.WAITING, Modification.State.ACCEPTED]


def modifications_page(
    project: Project, state: str, keys: Collection[int], number: str | None
) -> Page[Modification]:
    """Return a page of modifications, newest first, filtered by state (or OUTDATED) and keys if
    given.
    """
    texts = Modification.objects.filter(pair__project=project)
    if state == OUTDATED:
        texts = texts.filter(is_outdated=True, state__in=UNDECIDED_OR_ACCEPTED)
    elif state:
        texts = texts.filter(state=state)
    if keys:
        texts = texts.filter(pk__in=keys)
    texts = texts.select_related("source", "target", "model", "prompt", "author", "imported")
    return Paginator(texts.order_by("-id"), PAGE_SIZE).get_page(number)


def texts_by_state(project: Project) -> dict[str, int]:
    return dict(
        Modification.objects.filter(pair__project=project)
        .order_by()
        .values_list("state")
        .annotate(n=Count("pk"))
    )


def outdated_texts(project: Project) -> int:
    """Count the texts that are older than a correction of one of their labels."""
    return Modification.objects.filter(
        pair__project=project, is_outdated=True, state__in=UNDECIDED_OR_ACCEPTED
    ).count()


def work_by_state(project: Project) -> dict[str, int]:
    return dict(
        WorkItem.objects.filter(project=project, kind="modify")
        .order_by()
        .values_list("state")
        .annotate(n=Count("pk"))
    )


def waiting_by_domain(project: Project) -> dict[str, int]:
    """Count the directions without a text by domain of the source label."""
    return dict(
        directions_without_text(project)
        .order_by()
        .values_list("clip__label__domain")
        .annotate(n=Count("pk"))
    )


@dataclass(frozen=True)
class WritingRun:
    """A run with its progress, and the last MAX_LISTED failed requests. `silence` is the time
    since the required workers last reported.
    """

    run: ModificationRun
    progress: Progress
    failed: list[ModificationRequest]
    silence: Silence | None

    @property
    def failures(self) -> int:
        return self.progress.counts[State.FAILED]

    @property
    def may_resume(self) -> bool:
        is_stopped = self.run.state in (Job.State.FAILED, Job.State.CANCELLED)
        return not self.run.is_active and (is_stopped or self.failures > 0)

    @property
    def tally(self) -> list[tuple[str, int]]:
        counts = self.progress.counts
        return [
            ("Waiting", counts[State.WAITING] + counts[State.RUNNING]),
            ("Written", counts[State.DONE]),
            ("Failed", counts[State.FAILED]),
            ("Left to people", counts[State.SKIPPED]),
            *([("Canceled", number)] if (number := counts[State.CANCELLED]) else []),
        ]


def latest_runs(project: Project) -> list[WritingRun]:
    failed = ModificationRequest.objects.filter(state=State.FAILED)
    newest = failed.select_related("source", "target").order_by("-id")[:MAX_LISTED]
    runs = list(
        ModificationRun.objects.filter(project=project)
        .select_related("model", "prompt", "created_by")
        .prefetch_related(Prefetch("requests", newest, to_attr="failed"))
        .order_by("-id")[:MAX_RUNS]
    )
    progress = progress_of(runs)
    beats = last_beats()
    return [
        WritingRun(
            run,
            progress[run.pk],
            run.failed,
            beats.silence_in(run.queue) if run.is_active else None,
        )
        for run in runs
    ]


@dataclass(frozen=True)
class Rejected:
    """A rejected direction; `item` is the work that can be offered again."""

    item: WorkItem
    source: str
    target: str
    reason: str
    by: str


def rejected_directions(project: Project) -> list[Rejected]:
    """Return at most MAX_LISTED rejected directions, newest first."""
    items = list(
        _without_accepted(project)
        .select_related("clip__label")
        .prefetch_related(
            Prefetch(
                "assignments",
                Assignment.objects.filter(state=Assignment.State.SUBMITTED)
                .select_related("annotator")
                .order_by("submitted_at"),
            )
        )
        .order_by("-id")[:MAX_LISTED]
    )
    pairs = LabelPair.objects.select_related("first", "second").in_bulk(
        [item.subject for item in items]
    )
    return [_rejected(item, pairs[item.subject]) for item in items if item.subject in pairs]


def _rejected(item: WorkItem, pair: LabelPair) -> Rejected:
    last = list(item.assignments.all())[-1:]
    is_first = item.clip.label_id == pair.first_id
    source, target = (pair.first, pair.second) if is_first else (pair.second, pair.first)
    return Rejected(
        item=item,
        source=source.caption,
        target=target.caption,
        reason=last[0].draft.get("reason", "") if last else "",
        by=last[0].annotator.name if last else "",
    )


def rejected_keys(project: Project) -> set[tuple[int, int]]:
    """Return the pair and the source label of each rejected direction."""
    return {
        (pair, source)
        for pair, source in _without_accepted(project).values_list("subject", "clip__label")
        if source is not None
    }


def _without_accepted(project: Project) -> QuerySet[WorkItem]:
    accepted = Modification.objects.filter(
        pair=OuterRef("subject"),
        source=OuterRef("clip__label"),
        state=Modification.State.ACCEPTED,
    )
    return WorkItem.objects.filter(
        ~Exists(accepted),
        project=project,
        kind="modify",
        state=WorkItem.State.DONE,
    )


def word_limits(project: Project) -> Limits:
    """Return the project's range of words of a modification."""
    return Limits(project.min_modification_words, project.max_modification_words)


IN_USE = [LabelPair.Kind.TEMPORAL, LabelPair.Kind.EVENT]


def directions_without_text(project: Project) -> QuerySet[WorkItem]:
    """Return open work of writing a modification, neither begun nor with a proposed text, most
    similar labels first.
    """
    texts = Modification.objects.filter(
        pair=OuterRef("subject"),
        source=OuterRef("clip__label"),
        state__in=[Modification.State.WAITING, Modification.State.ACCEPTED],
    )
    source = OuterRef("clip__label")
    pairs = LabelPair.objects.filter(
        Q(first=source) | Q(second=source), pk=OuterRef("subject"), kind__in=IN_USE
    )
    return (
        WorkItem.objects.filter(
            project=project,
            kind="modify",
            state=WorkItem.State.OPEN,
            open_slots__gt=0,
        )
        .filter(Exists(pairs), ~Exists(texts))
        .order_by("-priority", "id")
    )

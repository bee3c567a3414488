"""The modifications of a project: what waits, what is decided, what models could not write."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta

from django.core.paginator import Page, Paginator
from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet
from django.utils import timezone

from annotate.models import Assignment, Project, WorkItem
from inference.registry import info
from review.modifications.models import Modification, ModificationRequest, ModificationRun
from review.pairs.models import LabelPair

PAGE_SIZE = 50
MOST_RUNS = 5
PATIENCE = timedelta(minutes=2)
MOST_LISTED = 50
RequestState = ModificationRequest.State


def modifications_page(
    project: Project, state: str, keys: Collection[int], number: str | None
) -> Page[Modification]:
    """The newest first; of a state and of certain keys, where any are given."""
    texts = Modification.objects.filter(pair__project=project)
    if state:
        texts = texts.filter(state=state)
    if keys:
        texts = texts.filter(pk__in=keys)
    texts = texts.select_related("source", "target", "model", "prompt", "author")
    return Paginator(texts.order_by("-id"), PAGE_SIZE).get_page(number)


def texts_by_state(project: Project) -> dict[str, int]:
    return dict(
        Modification.objects.filter(pair__project=project)
        .order_by()
        .values_list("state")
        .annotate(n=Count("pk"))
    )


def work_by_state(project: Project) -> dict[str, int]:
    return dict(
        WorkItem.objects.filter(project=project, kind=WorkItem.Kind.MODIFY)
        .order_by()
        .values_list("state")
        .annotate(n=Count("pk"))
    )


def waiting_by_domain(project: Project) -> dict[str, int]:
    """How many directions without a text begin at a label of each domain."""
    return dict(
        directions_without_text(project)
        .order_by()
        .values_list("clip__label__domain")
        .annotate(n=Count("pk"))
    )


@dataclass(frozen=True)
class Written:
    """A run with how far it is, and the last MOST_LISTED of the requests that failed."""

    run: ModificationRun
    counts: dict[str, int]
    failed: list[ModificationRequest]

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    @property
    def failures(self) -> int:
        return self.counts.get(RequestState.FAILED, 0)

    @property
    def over(self) -> int:
        return self.total - self.counts.get(RequestState.WAITING, 0)

    @property
    def is_silent(self) -> bool:
        """Whether it goes on and no worker has been at it for a while."""
        is_running = self.run.state == ModificationRun.State.RUNNING
        return is_running and self.run.lease_until < timezone.now() - PATIENCE

    @property
    def queue(self) -> str:
        return info(self.run.model).queue

    @property
    def tally(self) -> list[tuple[str, int]]:
        return [(state.label, self.counts.get(state, 0)) for state in RequestState]


def latest_runs(project: Project) -> list[Written]:
    failed = ModificationRequest.objects.filter(state=RequestState.FAILED)
    some = failed.select_related("source", "target").order_by("-id")[:MOST_LISTED]
    runs = list(
        ModificationRun.objects.filter(project=project)
        .select_related("model", "prompt", "created_by")
        .prefetch_related(Prefetch("requests", some, to_attr="failed"))
        .order_by("-id")[:MOST_RUNS]
    )
    counts: dict[int, dict[str, int]] = {run.pk: {} for run in runs}
    rows = (
        ModificationRequest.objects.filter(run__in=runs)
        .order_by()
        .values_list("run", "state")
        .annotate(n=Count("pk"))
    )
    for run, state, number in rows:
        counts[run][state] = number
    return [Written(run, counts[run.pk], run.failed) for run in runs]


@dataclass(frozen=True)
class Rejected:
    """A direction for which somebody found no text; `item` is what can be offered again."""

    item: WorkItem
    source: str
    target: str
    reason: str
    by: str


def rejected_directions(project: Project) -> list[Rejected]:
    """At most MOST_LISTED, the newest first."""
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
        .order_by("-id")[:MOST_LISTED]
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


def _without_accepted(project: Project) -> QuerySet[WorkItem]:
    accepted = Modification.objects.filter(
        pair=OuterRef("subject"),
        source=OuterRef("clip__label"),
        state=Modification.State.ACCEPTED,
    )
    return WorkItem.objects.filter(
        ~Exists(accepted),
        project=project,
        kind=WorkItem.Kind.MODIFY,
        state=WorkItem.State.DONE,
    )


IN_USE = [LabelPair.Kind.TEMPORAL, LabelPair.Kind.EVENT]


def directions_without_text(project: Project) -> QuerySet[WorkItem]:
    """The work of writing a modification that nobody is at and that has no text to look at, the
    most alike labels first."""
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
            kind=WorkItem.Kind.MODIFY,
            state=WorkItem.State.OPEN,
            open_slots__gt=0,
        )
        .filter(Exists(pairs), ~Exists(texts))
        .order_by("-priority", "id")
    )

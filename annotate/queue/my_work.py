"""The My work page: for each kind of work, waiting, held and finished work."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from annotate.agreed import consent_state
from annotate.kinds import Kind, all_kinds, kind_facts
from annotate.models import Assignment, Membership, Project, WorkItem
from annotate.questions.queries import ANSWERING, answerable, unread_answers
from annotate.queue.finished import Finished, Span, finished_by_kind, typical_minutes
from annotate.queue.kinds import kinds_of
from annotate.queue.outcomes import outcomes_of
from annotate.queue.pages import without_name
from annotate.queue.services import claimable_by
from annotate.queue.services.choosing import can_choose
from annotate.queue.services.known_work import gold_left
from annotate.queue.work_kinds import (
    Closed,
    Totals,
    name_work,
    work_ahead,
    work_closed,
    work_kind,
)

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

State = Assignment.State

# Counting further would read the whole queue, and nobody needs the exact number.
MAX_COUNTED = 1000
MAX_KEPT = 20
MAX_FINISHED = 10
PREVIEW_LETTERS = 200

# Judgments have no word count.
WRITING = {"write", "merge", "split", "hand"}


class Rewrite(TypedDict):
    is_rewrite: bool


class Unfinished(NamedTuple):
    """`preview` is the beginning of the typed text."""

    assignment: WithAnnotations[Assignment, Rewrite]
    preview: str


@dataclass
class KindOfWork:
    """One step of the project that the person can do. `waiting` is None beyond MAX_COUNTED.

    `ready` is work that waited for a returned write-up which is now rewritten. `closed` says why
    they can't take more work now, even if some waits. `typical` is their usual time per item, "" if
    unknown. `can_choose`: whether they can choose their next item.
    """

    kind: Kind
    waiting: int | None
    why_nothing: str
    finished: Finished
    closed: Closed | None = None
    typical: str = ""
    can_choose: bool = False
    returned: list[Unfinished] = field(default_factory=list)
    ready: list[Unfinished] = field(default_factory=list)
    held: list[Unfinished] = field(default_factory=list)
    kept: list[Unfinished] = field(default_factory=list)

    @property
    def counts_words(self) -> bool:
        return self.kind in WRITING

    @property
    def next_label(self) -> str:
        return work_kind(self.kind).next_label or f"{self.kind.label} next"

    @property
    def has_something_to_do(self) -> bool:
        return bool(self.closed.url) if self.closed else self.waiting != 0


def my_work_context(membership: Membership) -> dict[str, Any]:
    totals = _totals(membership.project)
    may = [kind for kind in all_kinds() if membership.has_role(*kind_facts(kind).roles)]
    ahead = work_ahead(membership, may)
    kinds = [kind for kind in kinds_of(membership.project, {*totals, *ahead}) if kind in may]
    own = [Unfinished(each, preview(each)) for each in _unfinished(membership, kinds)]
    finished, typical = finished_by_kind(membership), typical_minutes(membership)
    finished_lately = list(_finished_lately(membership))
    outcomes = outcomes_of(membership, [each.pk for each in finished_lately])
    listed = [each.item for each in (*(hold.assignment for hold in own), *finished_lately)]
    for item in listed:
        item.clip = without_name(item.clip)
    name_work(listed)
    work = []
    for kind in kinds:
        waiting = claimable_by(membership.user, membership.project, kind).order_by()
        closed = work_closed(membership, kind)
        sent_back = _of(own, kind, State.RETURNED)
        count = 0 if closed else waiting[: MAX_COUNTED + 1].count() + ahead.get(kind, 0)
        count += gold_left(membership, kind) if count else 0
        work.append(
            KindOfWork(
                kind=kind,
                waiting=count if count <= MAX_COUNTED else None,
                why_nothing="" if count else _why_nothing(membership, kind, totals),
                finished=finished.get(kind, Finished()),
                closed=closed,
                typical=typical.get(kind, ""),
                can_choose=can_choose(membership, kind),
                returned=[hold for hold in sent_back if not hold.assignment.is_rewrite],
                ready=[hold for hold in sent_back if hold.assignment.is_rewrite],
                held=_of(own, kind, State.HELD),
                kept=_of(own, kind, State.EXPIRED, State.SKIPPED, State.PAUSED)[:MAX_KEPT],
            )
        )
    return {
        "membership": membership,
        "project": membership.project,
        "work": work,
        "end": next((step.closed for step in work if step.closed and step.closed.ends_all), None),
        "steps": sorted(
            (step for step in work if not step.closed or not step.closed.is_hidden),
            key=lambda step: not step.has_something_to_do,
        ),
        "has_run_out": any(not step.closed for step in work) and not _next(work),
        "returned": [hold for step in work for hold in step.returned],
        "ready": [hold for step in work for hold in step.ready],
        "in_progress": [hold for step in work for hold in step.held],
        "kept": [hold for step in work for hold in step.kept],
        "done": [step for step in work if step.finished.all.items],
        "today": sum((step.finished.today for step in work), Span()),
        "week": sum((step.finished.week for step in work), Span()),
        "total": sum((step.finished.all for step in work), Span()),
        "has_votes": bool(finished.get("compare")),
        "finished_lately": [(each, outcomes.get(each.pk, [])) for each in finished_lately],
        **_next(work),
        "most_counted": MAX_COUNTED,
        "answers": unread_answers(membership.user, membership.project),
        "questions_waiting": _questions_waiting(membership),
        "consent": consent_state(membership.user, membership.project),
        "assigned": _assigned(membership),
    }


def _questions_waiting(membership: Membership) -> int:
    """Return how many questions the person could answer now."""
    if not membership.has_role(*ANSWERING):
        return 0
    return answerable(membership).filter(is_waiting=True).count()


def _assigned(membership: Membership) -> list[str]:
    """Return the subcategories whose clips the person gets, first or alone."""
    if membership.project.assigned_work == Project.AssignedWork.OFF:
        return []
    return [share.subcategory or share.category for share in membership.assigned.all()]


def _why_nothing(membership: Membership, kind: Kind, totals: Totals) -> str:
    only = membership.project.assigned_work == Project.AssignedWork.ONLY
    is_free = totals.get(kind, {"free": 0})["free"]
    if only and is_free and kind_facts(kind).is_clip_step and (assigned := _assigned(membership)):
        return f"Nothing waits for you in the subcategories assigned to you: {', '.join(assigned)}."
    return work_kind(kind).nothing(membership, totals)


def preview(assignment: Assignment) -> str:
    """Return the beginning of the typed text."""
    texts = work_kind(assignment.item.kind).texts(assignment.draft)
    text = " ".join(" ".join(texts).split())
    return text if len(text) <= PREVIEW_LETTERS else f"{text[:PREVIEW_LETTERS]}…"


def _unfinished(
    membership: Membership, kinds: Sequence[str]
) -> QuerySet[WithAnnotations[Assignment, Rewrite]]:
    """Return work that the person holds, got back, or has a draft of, longest waiting first.

    `is_rewrite`: a merge came back because a write-up was rewritten; the person must not learn who
    wrote it.
    """
    wrote = Assignment.objects.filter(
        item__clip=OuterRef("item__clip"),
        item__kind="write",
        annotator=OuterRef("returned_by"),
    )
    return (
        Assignment.objects.filter(
            annotator=membership.user, item__project=membership.project, item__kind__in=kinds
        )
        .exclude(state=State.SUBMITTED)
        .exclude(state__in=[State.EXPIRED, State.SKIPPED], draft={})
        .annotate(is_rewrite=Q(item__kind="merge") & Exists(wrote))
        .select_related("item__clip__video", "returned_by")
        .order_by("-heartbeat_at", "id")
    )


def _of(own: Iterable[Unfinished], kind: str, *states: str) -> list[Unfinished]:
    return [
        hold
        for hold in own
        if hold.assignment.item.kind == kind and hold.assignment.state in states
    ]


def _totals(project: Project) -> dict[str, dict[str, int]]:
    free = Q(state=WorkItem.State.OPEN, open_slots__gt=0)
    rows = (
        WorkItem.objects.filter(project=project)
        .values("kind")
        .annotate(
            all=Count("pk"),
            free=Count("pk", filter=free),
            done=Count("pk", filter=Q(state=WorkItem.State.DONE)),
        )
        .order_by("kind")
    )
    return {
        row["kind"]: {"all": row["all"], "free": row["free"], "done": row["done"]} for row in rows
    }


def _finished_lately(membership: Membership) -> QuerySet[Assignment]:
    return (
        Assignment.objects.filter(
            annotator=membership.user, item__project=membership.project, state=State.SUBMITTED
        )
        .select_related("item__clip")
        .defer("draft", "watched")
        .order_by("-submitted_at", "-id")[:MAX_FINISHED]
    )


def _next(work: list[KindOfWork]) -> dict[str, str]:
    """Return the target of the primary button: returned work, then held work, then the queue."""
    for has, label in [
        ("returned", "Revise what was sent back"),
        ("ready", "Resume your work"),
        ("held", "Resume your work"),
    ]:
        for step in work:
            if getattr(step, has):
                return {"next_kind": step.kind, "next_label": label}
    # Later steps first, to finish clips that are almost done.
    for step in reversed(work):
        if step.waiting != 0:
            return {"next_kind": step.kind, "next_label": f"Next: {step.kind.label.lower()}"}
    return {}

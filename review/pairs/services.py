"""Which labels differ a little, and how: similar pairs, decided by people (TF-CoVR, section 3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from django.db import transaction
from django.db.models import Max, Min, OuterRef, QuerySet, Subquery
from django.utils import timezone

from annotate.audit import record_event
from annotate.errors import AnnotateError, WorkInvalid
from annotate.models import ActionLabel, Assignment, Clip, Project, User, WorkItem
from annotate.queue.content import Content
from annotate.queue.services import Submission, submits
from annotate.text.parts import Problem
from inference.queries import BATCH_SIZE
from review.errors import ReviewError
from review.pairs.decisions import announce
from review.pairs.models import LabelPair, PairHandOut, PairVerdict

Kind = LabelPair.Kind


def pairs_to_hand_out(
    project: Project, least: float, candidate: str = Kind.TEMPORAL
) -> QuerySet[LabelPair]:
    """Return the undecided candidates for this change with at least this similarity, whose labels
    both have clips and which are not handed out yet.
    """
    clips = Clip.objects.filter(project=project, label__isnull=False).order_by()
    labels = ActionLabel.objects.filter(pk__in=clips.values("label"))
    handed_out = WorkItem.objects.filter(project=project, kind="pair").values("subject")
    return LabelPair.objects.filter(
        project=project,
        candidate=candidate,
        kind="",
        similarity__gte=least,
        first__in=labels,
        second__in=labels,
    ).exclude(pk__in=handed_out)


@transaction.atomic
def hand_out_pairs(
    *,
    project: Project,
    least: float,
    people: int,
    admin: User | None,
    candidate: str = Kind.TEMPORAL,
) -> int:
    """Hand out each undecided candidate for this change with at least this similarity, whose labels
    both have clips, to this number of people, most similar first. Returns the number of new pairs
    in the queue. Safe to repeat.
    """
    example = Clip.objects.filter(label=OuterRef("first")).order_by("pk").values("pk")[:1]
    pairs = (
        pairs_to_hand_out(project, least, candidate)
        .annotate(example=Subquery(example))
        .values_list("pk", "example", "similarity")
    )
    items = [
        WorkItem(
            project=project,
            clip_id=clip,
            kind="pair",
            subject=pair,
            needed=people,
            open_slots=people,
            priority=similarity,
        )
        for pair, clip, similarity in pairs
    ]
    WorkItem.objects.bulk_create(items, ignore_conflicts=True, batch_size=BATCH_SIZE)
    PairHandOut.objects.create(
        project=project,
        candidate=candidate,
        least=least,
        people=people,
        pairs=len(items),
        created_by=admin,
    )
    record_event(
        actor=admin,
        verb="hand out label pairs",
        subject=project,
        project=project,
        after={"candidate": candidate, "least": least, "people": people, "pairs": len(items)},
    )
    return len(items)


@submits()
def submit_pair_verdict(submission: Submission) -> None:
    """Store the person's decision; the pair is decided once everybody assigned has judged it.

    Raises WorkInvalid, AnnotateError, LeaseLost, or DraftConflict.
    """
    kind = checked_kind(submission.content)
    submission.complete()
    try:
        record_pair_verdict(assignment=submission.assignment, kind=kind)
    except ReviewError as error:
        raise AnnotateError(str(error)) from error


def checked_kind(content: Content) -> str:
    """Return the decision. Raises WorkInvalid, which says what to fix."""
    kind = content.get("kind", "")
    if kind not in Kind.values:
        message = "Choose temporal change, event change or reject."
        raise WorkInvalid([Problem("kind", message)])
    return kind


@transaction.atomic
def record_pair_verdict(*, assignment: Assignment, kind: str) -> LabelPair:
    """Add the verdict of the assignment's person, also a later one that changes it.

    A pair decided as a change opens a modification in both directions. Raises ReviewError if texts
    have already been written for the pair.
    """
    # The key is not locked, because storing a modification locks its work, which this may change.
    pair = LabelPair.objects.select_for_update(of=("self",), no_key=True).get(
        pk=assignment.item.subject
    )
    if pair.modifications.exists():
        raise ReviewError("This pair already has modifications, so its decision is final.")
    PairVerdict.objects.create(
        pair=pair, person=assignment.annotator, assignment=assignment, kind=kind
    )
    _decide(pair, WorkItem.objects.get(pk=assignment.item_id))
    record_event(
        actor=assignment.annotator,
        verb="judge label pair",
        subject=pair,
        project=pair.project,
        after={"kind": kind, "decided": pair.kind},
    )
    return pair


def _decide(pair: LabelPair, item: WorkItem) -> None:
    """Decide by majority once everybody assigned has voted; after a tie one more person is
    assigned.
    """
    before = pair.kind
    pair.kind = ""
    if item.state == WorkItem.State.DONE:
        pair.kind = _kind_of_most(pair)
        if not pair.kind:
            item.needed, item.open_slots, item.state = item.needed + 1, 1, WorkItem.State.OPEN
            item.save(update_fields=["needed", "open_slots", "state"])
    _save_decision(pair, before)


def decide_by_imported(pair: LabelPair) -> None:
    """Decide an undecided pair by the majority of its verdicts, unless people here judge it."""
    item = WorkItem.objects.filter(project=pair.project_id, kind="pair", subject=pair.pk).exclude(
        state=WorkItem.State.CANCELLED
    )
    if not pair.kind and not item.exists():
        pair.kind = _kind_of_most(pair)
        _save_decision(pair, "")


def _kind_of_most(pair: LabelPair) -> str:
    """Return what most people say, each by the newest verdict; empty after a tie."""
    newest = pair.verdicts.order_by().values("person", "label").annotate(newest=Max("pk"))
    votes = Counter(
        PairVerdict.objects.filter(pk__in=newest.values("newest")).values_list("kind", flat=True)
    )
    (kind, most), *others = votes.most_common(2)
    return "" if others and others[0][1] == most else kind


def _save_decision(pair: LabelPair, before: str) -> None:
    if pair.kind != before:
        pair.decided_at = timezone.now() if pair.kind else None
    pair.save(update_fields=["kind", "decided_at"])
    announce(pair, before)


def examples_of(pair: LabelPair, number: int) -> Iterator[list[Clip]]:
    """Yield some clips of the first label, then some of the second, from different videos first."""
    for label in (pair.first_id, pair.second_id):
        clips = Clip.objects.filter(label=label)
        one_a_video = clips.order_by().values("video").annotate(first=Min("pk")).values("first")
        spread = list(clips.filter(pk__in=one_a_video).select_related("video")[:number])
        more = clips.exclude(pk__in=[clip.pk for clip in spread]).select_related("video")
        yield [*spread, *more.order_by("pk")[: number - len(spread)]]

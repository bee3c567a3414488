"""Open sign-offs of clips' final texts, and void sign-offs of texts that have changed."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from django.db.models import QuerySet

from annotate.corpus.final_texts import with_final_texts, worked_through
from annotate.corpus.pieces import KEPT
from annotate.models import Assignment, Clip, FinalTexts, Project, SignOff, WorkItem
from annotate.queue.chance import priority_by_chance
from annotate.queue.services.withdrawing import withdraw_work_about

State = WorkItem.State
BATCH = 500


class _Texts(NamedTuple):
    clip: int
    general: int
    spatial: int
    temporal: int


def open_sign_offs(project: Project, clips: QuerySet[Clip] | None = None) -> None:
    """Open the project's number of sign-offs for the final texts of these clips (by default of all
    clips that people have finished), and for no other text. Safe to repeat.

    Call inside a transaction, after the texts or the number have changed.
    """
    clips = Clip.objects.filter(project=project) if clips is None else clips
    # Verdicts about an excluded clip stay unchanged until it is included again.
    clips = clips.filter(KEPT)
    texts = _current_texts(clips) if project.sign_offs else {}
    current = set(texts.values())
    items = WorkItem.objects.filter(clip__in=clips.order_by().values("pk"), kind="signoff")
    open_items = list(items.order_by("pk"))
    _void([item for item in open_items if item.subject not in current])
    asked_before = {item.subject: item.pk for item in open_items if item.subject in current}
    _adjust(list(asked_before.values()), project.sign_offs)
    WorkItem.objects.bulk_create(
        (
            WorkItem(
                project=project,
                clip_id=row.clip,
                kind="signoff",
                subject=key,
                needed=project.sign_offs,
                open_slots=project.sign_offs,
                priority=priority_by_chance("signoff", key),
            )
            for row, key in texts.items()
            if key not in asked_before
        ),
        batch_size=BATCH,
    )


def withdraw_sign_offs(clip: Clip) -> None:
    """Void the sign-offs of a clip whose text is sent back. Call inside a transaction."""
    _void(list(WorkItem.objects.filter(clip=clip, kind="signoff")))


def _current_texts(clips: QuerySet[Clip]) -> dict[_Texts, int]:
    """Return the final texts of the clips with the keys of their rows."""
    final = with_final_texts(clips.filter(worked_through())).order_by("pk")
    current = [
        _Texts(*row) for row in final.values_list("pk", "merged_id", "spatial_id", "temporal_id")
    ]
    FinalTexts.objects.bulk_create(
        (
            FinalTexts(
                clip_id=row.clip,
                general_id=row.general,
                spatial_id=row.spatial,
                temporal_id=row.temporal,
            )
            for row in current
        ),
        ignore_conflicts=True,
        batch_size=BATCH,
    )
    rows = FinalTexts.objects.filter(clip__in=clips.order_by().values("pk"))
    key_of = {
        _Texts(*texts): key
        for key, *texts in rows.values_list("pk", "clip", "general", "spatial", "temporal")
    }
    return {row: key_of[row] for row in current}


def _void(items: list[WorkItem]) -> None:
    """Withdraw the open work; verdicts on these texts stay on record."""
    withdraw_work_about([item for item in items if item.state == State.OPEN])
    done = [item.pk for item in items if item.state == State.DONE]
    WorkItem.objects.filter(pk__in=done).update(state=State.CANCELLED)


def _adjust(keys: list[int], asked_for: int) -> None:
    """Make this work ask for so many sign-offs, including those it has."""
    locked = WorkItem.objects.select_for_update(of=("self",)).filter(pk__in=keys)
    items = list(locked.order_by("pk"))
    states = Assignment.objects.filter(item__in=keys).values_list("item", "state")
    holds = Counter(item for item, state in states if state == Assignment.State.HELD)
    submitted = Counter(item for item, state in states if state == Assignment.State.SUBMITTED)
    agreed = Counter(
        SignOff.objects.filter(
            texts__in=[item.subject for item in items], verdict=SignOff.Verdict.AGREE
        ).values_list("assignment__item", flat=True)
    )
    for item in items:
        missing = max(0, asked_for - agreed[item.pk] - holds[item.pk])
        needed = submitted[item.pk] + holds[item.pk] + missing
        state = State.OPEN if missing or holds[item.pk] else State.DONE
        if (item.state, item.needed, item.open_slots) != (state, needed, missing):
            WorkItem.objects.filter(pk=item.pk).update(
                state=state, needed=needed, open_slots=missing
            )

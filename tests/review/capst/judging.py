"""Label pairs in the queue, held and judged, for tests."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from annotate.models import Assignment, Clip, User, WorkItem
from review.modifications.services import open_modifications
from review.pairs.models import LabelPair
from review.pairs.services import submit_pair_verdict
from tests.review.triplets.triplets import labelled_clip
from tests.work import hold, make_work


def pair_item(pair: LabelPair, people: int = 1) -> WorkItem:
    clip = _clip_of(pair.first)
    _clip_of(pair.second)
    return make_work(clip, "pair", people, subject=pair.pk, priority=pair.similarity)


def modify_item(pair: LabelPair) -> WorkItem:
    """The work of the direction from the first label to the second."""
    for label in (pair.first, pair.second):
        _clip_of(label)
    open_modifications(pair)
    return WorkItem.objects.get(kind="modify", subject=pair.pk, clip__label=pair.first)


def judge(item: WorkItem, person: User, kind: str) -> Assignment:
    item.refresh_from_db()
    return submit_pair_verdict(
        assignment_id=hold(person, item).pk,
        annotator=person,
        key=uuid4(),
        base_version=0,
        content={"kind": kind},
    )


def _clip_of(label: Any) -> Clip:
    return Clip.objects.filter(label=label).first() or labelled_clip(label.project, label, "train")

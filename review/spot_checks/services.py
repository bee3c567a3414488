"""Draw a spot check, judge its items, and end it."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

from django.db import transaction
from django.utils import timezone

from annotate.audit import record_event
from annotate.models import Project, User
from review.errors import ReviewError
from review.spot_checks.models import SpotCheck, SpotCheckItem
from review.spot_checks.queries import finished_work, items_for

MAX_REMARK_LENGTH = 500
BATCH_SIZE = 1000


@transaction.atomic
def draw_spot_check(
    *, project: Project, kind: str, per_person: int, seed: int, admin: User
) -> SpotCheck:
    """Draw at most `per_person` pieces of each person's finished work. Raises ReviewError if
    nothing is finished.

    The order of the hashes of seed and key decides, so nobody chooses, and items of all people are
    mixed.
    """
    rows = finished_work(project, kind).order_by("pk").values_list("pk", "annotator")
    drawn: list[int] = []
    of_person: Counter[int] = Counter()
    for key, person in sorted(rows, key=lambda row: _rank(seed, row[0])):
        if of_person[person] < per_person:
            of_person[person] += 1
            drawn.append(key)
    if not drawn:
        raise ReviewError("No work of this kind is finished yet, so there is nothing to check.")
    check = SpotCheck.objects.create(
        project=project, kind=kind, per_person=per_person, seed=seed, created_by=admin
    )
    items = (
        SpotCheckItem(check_of=check, assignment_id=key, place=place)
        for place, key in enumerate(drawn)
    )
    SpotCheckItem.objects.bulk_create(items, batch_size=BATCH_SIZE)
    record_event(
        actor=admin,
        verb="draw spot check",
        subject=check,
        project=project,
        after={
            "kind": kind,
            "per_person": per_person,
            "seed": seed,
            "items": len(drawn),
            "people": len(of_person),
        },
    )
    return check


@transaction.atomic
def judge_item(*, item: SpotCheckItem, is_right: bool, remark: str, reviewer: User) -> None:
    """Store whether the work is right; a later judgment replaces it. Raises ReviewError."""
    check = SpotCheck.objects.select_for_update(no_key=True).get(pk=item.check_of_id)
    if check.ended_at:
        raise ReviewError("This spot check has ended, so its judgments stay as they are.")
    if not items_for(check, reviewer).filter(pk=item.pk).exists():
        raise ReviewError("You did this work on the clip yourself, so somebody else must check it.")
    remark = remark.strip()
    if len(remark) > MAX_REMARK_LENGTH:
        raise ReviewError(
            f"The remark has {len(remark)} characters. Shorten it to {MAX_REMARK_LENGTH}."
        )
    current = SpotCheckItem.objects.get(pk=item.pk)
    SpotCheckItem.objects.filter(pk=item.pk).update(
        is_right=is_right, remark=remark, judged_by=reviewer, judged_at=timezone.now()
    )
    record_event(
        actor=reviewer,
        verb="judge spot check",
        subject=item,
        project=check.project,
        before={"is_right": current.is_right, "remark": current.remark},
        after={"is_right": is_right, "remark": remark},
    )


@transaction.atomic
def end_spot_check(*, check: SpotCheck, admin: User | None) -> None:
    """End the check: its judgments can't be changed any more. Safe to repeat."""
    if SpotCheck.objects.filter(pk=check.pk, ended_at=None).update(ended_at=timezone.now()):
        record_event(actor=admin, verb="end spot check", subject=check, project=check.project)


def _rank(seed: int, key: int) -> bytes:
    return sha256(f"{seed} {key}".encode()).digest()

"""Change or withdraw an accepted modification. Existing triplet sets don't change."""

from __future__ import annotations

from django.db import transaction

from annotate.audit import record_event
from annotate.models import Project, User
from review.errors import ReviewError
from review.modifications.models import Modification
from review.modifications.queries import IN_USE, word_limits
from review.modifications.services import ask_for_direction, reads_the_same
from review.modifications.text import problem_with

State = Modification.State


@transaction.atomic
def change_modification(*, modification: Modification, text: str, person: User) -> Modification:
    """Accept a new text instead, as a child of the old one. Raises ReviewError."""
    old = _locked(modification)
    text = " ".join(text.split())
    if text == old.text:
        raise ReviewError("The text has not changed. Change it first.")
    if problem := problem_with(text, word_limits(old.pair.project)):
        raise ReviewError(problem)
    if other := reads_the_same(text, old.source, old.target):
        raise ReviewError(
            f"“{other.text}” reads the same and leads to {other.target.caption}. Write another "
            "text, so that a query has one meaning."
        )
    old.state = State.EDITED
    old.save(update_fields=["state"])
    new = Modification.objects.create(
        pair=old.pair,
        source=old.source,
        target=old.target,
        text=text,
        state=State.ACCEPTED,
        parent=old,
        author=person,
    )
    record_event(
        actor=person,
        verb="change modification",
        subject=new,
        project=old.pair.project,
        before={"modification": old.pk, "text": old.text},
        after={"text": text},
    )
    return new


@transaction.atomic
def keep_modification(*, modification: Modification, person: User) -> Modification:
    """Confirm that an accepted text is still right after a label was corrected. Raises
    ReviewError.
    """
    kept = _locked(modification)
    if not kept.is_outdated:
        raise ReviewError("This text isn't outdated, so there is nothing to keep.")
    kept.is_outdated = False
    kept.save(update_fields=["is_outdated"])
    record_event(
        actor=person,
        verb="keep modification",
        subject=kept,
        project=kept.pair.project,
        after={"text": kept.text, "source": kept.source.caption, "target": kept.target.caption},
    )
    return kept


@transaction.atomic
def withdraw_modification(*, modification: Modification, person: User) -> Modification:
    """Reject an accepted text, and open work on another one if the labels are still a pair. Raises
    ReviewError.
    """
    old = _locked(modification)
    old.state = State.REJECTED
    old.save(update_fields=["state"])
    if old.pair.kind in IN_USE:
        ask_for_direction(old.pair, old.source_id)
    record_event(
        actor=person,
        verb="withdraw modification",
        subject=old,
        project=old.pair.project,
        before={"text": old.text},
    )
    return old


def _locked(modification: Modification) -> Modification:
    """Lock and return the modification. Raises ReviewError while a triplet set is being generated,
    which would mix old and new texts.
    """
    project = Project.objects.lock(modification.pair.project_id)
    if project.triplet_sets.filter(state="running").exists():
        raise ReviewError("Triplets are being generated now. Wait until they are finished.")
    locked = (
        Modification.objects.select_for_update(of=("self",))
        .select_related("pair__project", "source", "target")
        .get(pk=modification.pk)
    )
    if locked.state != State.ACCEPTED:
        raise ReviewError("This text is no longer in use, so there is nothing to change.")
    return locked

"""The queue's written-out SQL says what the models say."""

import pytest
from django.utils import timezone

from annotate.models import Assignment, WorkItem
from annotate.queue import services as queue
from annotate.queue.services import statements
from tests.annotate.queue.test_claims import work_on
from tests.cast import make_clip, make_person

pytestmark = pytest.mark.django_db

State = Assignment.State


def finish(person, item, state):
    return Assignment.objects.create(
        item=item, annotator=person, state=state, lease_expires_at=timezone.now()
    )


@pytest.mark.parametrize("kind", list(WorkItem.Kind))
def test_a_claim_takes_what_claimable_by_shows_first_until_nothing_is_left(project, kind):
    bea = make_person("Bea", project, "annotator", "expert")
    for number, state in enumerate([None, *State]):
        clip = make_clip(project)
        item = work_on(clip, kind, needed=1, priority=number % 3)
        if state is not None:
            finish(bea, item, state)
    work_on(make_clip(project), kind, state="waiting", priority=9)
    work_on(make_clip(project), kind, needed=0, priority=9)
    written = make_clip(project)
    earlier = WorkItem.Kind.SPLIT if kind == WorkItem.Kind.WRITE else WorkItem.Kind.WRITE
    finish(bea, work_on(written, earlier), State.SUBMITTED)
    work_on(written, kind, priority=9)

    claimable, taken = [], []
    while item := queue.claimable_by(bea, project, kind).first():
        claimable.append(item.pk)
        [clip_id, *_] = statements.next_clip(kind).row(person=bea.pk, project=project.pk)
        assert clip_id == item.clip_id
        [key] = statements.take_best_slot(kind).row(person=bea.pk, project=project.pk)
        taken.append(key)
    assert statements.take_best_slot(kind).row(person=bea.pk, project=project.pk) is None
    assert statements.next_clip(kind).row(person=bea.pk, project=project.pk) is None
    assert taken == claimable
    assert len(set(taken)) >= 2


@pytest.mark.parametrize("kind", list(WorkItem.Kind))
def test_a_claim_of_reserved_work_offers_its_other_places_to_everybody(project, kind):
    bea, cy = (make_person(name, project, "annotator", "expert") for name in ("Bea", "Cy"))
    item = work_on(make_clip(project), kind, needed=2, reserved_for=bea)
    last = work_on(make_clip(project), kind, needed=1, priority=-1, reserved_for=bea)

    def take(person):
        offered = queue.claimable_by(person, project, kind).first()
        taken = statements.take_best_slot(kind).row(person=person.pk, project=project.pk)
        assert taken == (offered and (offered.pk,))
        return taken

    assert take(cy) is None
    assert take(bea) == (item.pk,)
    assert take(cy) == (item.pk,)
    assert take(bea) == (last.pk,)
    item.refresh_from_db()
    last.refresh_from_db()
    assert (item.reserved_for, last.reserved_for) == (None, bea)


def test_a_new_hold_has_the_defaults_of_the_model(project, anna):
    item, now = work_on(make_clip(project)), timezone.now()
    statements.HOLD.row(item=item.pk, person=anna.pk, now=now, lease_end=now)
    stored = Assignment.objects.get()
    expected = Assignment(
        pk=stored.pk,
        item=item,
        annotator=anna,
        lease_expires_at=now,
        claimed_at=now,
        heartbeat_at=now,
    )
    for field in Assignment._meta.concrete_fields:
        assert getattr(stored, field.attname) == getattr(expected, field.attname), field.name


@pytest.mark.parametrize("state", [State.HELD, State.RETURNED, State.PAUSED, State.SUBMITTED])
def test_work_in_progress_or_done_is_not_started_again(project, anna, state):
    held = finish(anna, work_on(make_clip(project)), state)
    now = timezone.now()
    row = statements.HOLD.row(item=held.item_id, person=anna.pk, now=now, lease_end=now)
    held.refresh_from_db()
    assert (row, held.state) == (None, state)

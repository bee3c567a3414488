"""Claiming, skipping, expiring: who gets what, and what stays whose."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from annotate.errors import AnnotateError, LeaseLost
from annotate.models import Assignment, Membership, WorkItem
from annotate.queue import services as queue
from annotate.queue.services.claims import hold_item
from tests.cast import count_queries, join, make_clip, make_person, make_project

State = Assignment.State


def work_on(clip, kind="write", needed=2, **fields) -> WorkItem:
    return WorkItem.objects.create(
        project=clip.project, clip=clip, kind=kind, needed=needed, open_slots=needed, **fields
    )


def claim(person, project, kind="write"):
    return queue.claim_next(
        membership=Membership.objects.select_related("project", "user").get(
            user=person, project=project
        ),
        kind=kind,
    )


def run_out(assignment: Assignment) -> None:
    Assignment.objects.filter(pk=assignment.pk).update(
        lease_expires_at=timezone.now() - timedelta(seconds=1)
    )


@pytest.fixture
def item(project):
    return work_on(make_clip(project))


def test_it_gives_the_highest_priority_first(project, anna):
    work_on(make_clip(project), priority=1)
    urgent = work_on(make_clip(project), priority=5)
    assert claim(anna, project).item == urgent


def test_it_gives_back_what_the_person_already_holds(project, anna, item):
    work_on(make_clip(project), priority=9)
    first = claim(anna, project)
    assert claim(anna, project) == first
    assert Assignment.objects.count() == 1


def test_it_gives_one_item_to_as_many_people_as_it_needs(project, anna, ben, item):
    cara = make_person("Cara", project, "annotator")
    assert claim(anna, project).item == item
    assert claim(ben, project).item == item
    assert claim(cara, project) is None


def test_it_gives_nothing_of_another_project(project, olaf, item):
    other = make_project("Other")
    join(other, olaf, "annotator")
    assert claim(olaf, other) is None


def test_it_gives_no_merge_to_somebody_who_wrote_the_clip(project, ben, emil):
    clip = make_clip(project)
    written = work_on(clip)
    Assignment.objects.create(
        item=written, annotator=emil, state=State.SUBMITTED, lease_expires_at=timezone.now()
    )
    work_on(clip, "merge", 1)
    fred = make_person("Fred", project, "expert")
    assert claim(emil, project, "merge") is None
    assert claim(fred, project, "merge").item.clip == clip


def test_an_overdue_lease_returns_to_the_queue_with_the_next_claim(project, anna, ben):
    item = work_on(make_clip(project), needed=1)
    lost = claim(anna, project)
    run_out(lost)
    assert claim(ben, project).item == item
    lost.refresh_from_db()
    item.refresh_from_db()
    assert (lost.state, item.open_slots) == (State.EXPIRED, 0)


def test_a_draft_survives_expiry_and_comes_back_to_its_author(project, anna, item):
    lost = claim(anna, project)
    queue.save_draft(assignment=lost, base_version=0, content={"overview": "A dive."})
    run_out(lost)
    assert queue.expire_leases() == 1
    again = claim(anna, project)
    assert again.pk == lost.pk
    assert again.draft == {"overview": "A dive."}
    assert WorkItem.objects.get(pk=item.pk).open_slots == 1


def test_two_overdue_holds_of_one_item_free_two_slots(project, anna, ben, item):
    for hold in [claim(anna, project), claim(ben, project)]:
        run_out(hold)
    assert queue.expire_leases() == 2
    item.refresh_from_db()
    assert item.open_slots == 2


def test_returned_work_that_runs_out_goes_back_to_its_author_only(project, anna, ben, emil):
    item = work_on(make_clip(project), needed=1)
    hold = claim(anna, project)
    Assignment.objects.filter(pk=hold.pk).update(returned_by=emil, return_comment="Shorter.")
    run_out(hold)
    queue.expire_leases()
    hold.refresh_from_db()
    item.refresh_from_db()
    assert (hold.state, item.open_slots) == (State.RETURNED, 0)
    assert claim(ben, project) is None
    assert claim(anna, project) == hold


def test_skipping_frees_the_slot_and_keeps_the_draft(project, anna, item):
    hold = claim(anna, project)
    queue.save_draft(assignment=hold, base_version=0, content={"misc": "x"})
    queue.skip(assignment_id=hold.pk, annotator=anna, reason=" Too dark. ")
    hold.refresh_from_db()
    item.refresh_from_db()
    assert (hold.state, hold.skip_reason, hold.draft) == (State.SKIPPED, "Too dark.", {"misc": "x"})
    assert item.open_slots == 2
    assert claim(anna, project) is None


def test_skipping_needs_a_reason(project, anna, item):
    hold = claim(anna, project)
    with pytest.raises(AnnotateError, match="Say why"):
        queue.skip(assignment_id=hold.pk, annotator=anna, reason="  ")


def test_skipped_work_can_be_taken_again_while_a_slot_is_free(project, anna, item):
    hold = claim(anna, project)
    queue.skip(assignment_id=hold.pk, annotator=anna, reason="Later.")
    again = queue.take_again(assignment_id=hold.pk, annotator=anna)
    item.refresh_from_db()
    assert (again.pk, again.state, item.open_slots) == (hold.pk, State.HELD, 1)


def test_it_can_not_be_taken_again_once_others_have_it(project, anna, ben):
    work_on(make_clip(project), needed=1)
    hold = claim(anna, project)
    queue.skip(assignment_id=hold.pk, annotator=anna, reason="Later.")
    claim(ben, project)
    with pytest.raises(LeaseLost, match="Somebody else has taken"):
        queue.take_again(assignment_id=hold.pk, annotator=anna)


def test_it_can_not_be_taken_again_once_it_is_no_longer_needed(project, anna, item):
    hold = claim(anna, project)
    queue.skip(assignment_id=hold.pk, annotator=anna, reason="Later.")
    WorkItem.objects.update(state="cancelled")
    with pytest.raises(LeaseLost, match="no longer needed"):
        queue.take_again(assignment_id=hold.pk, annotator=anna)


def test_a_finished_item_can_not_be_claimed(project, anna):
    work_on(make_clip(project), state="done")
    assert claim(anna, project) is None


def test_the_database_refuses_two_holds_of_one_person_on_one_item(project, anna, item):
    hold = claim(anna, project)
    with pytest.raises(IntegrityError), transaction.atomic():
        Assignment.objects.create(item=item, annotator=anna, lease_expires_at=hold.lease_expires_at)


def test_the_database_refuses_more_open_slots_than_needed(item):
    with pytest.raises(IntegrityError), transaction.atomic():
        WorkItem.objects.filter(pk=item.pk).update(open_slots=3)


def test_work_reserved_for_a_person_offers_its_other_places_to_everybody(project, anna, ben):
    item = work_on(make_clip(project), reserved_for=anna)
    last = work_on(make_clip(project), needed=1, priority=-1, reserved_for=anna)
    assert claim(ben, project) is None
    held = claim(anna, project)
    assert (held.item, claim(ben, project).item) == (item, item)
    Assignment.objects.filter(pk=held.pk).update(state=Assignment.State.SUBMITTED)
    assert claim(anna, project).item == last
    item.refresh_from_db()
    last.refresh_from_db()
    assert (item.reserved_for, last.reserved_for) == (None, anna)


@pytest.mark.parametrize("state", ["held", "returned", "paused", "submitted"])
def test_work_in_progress_or_done_is_not_started_again(project, anna, item, state):
    now = timezone.now()
    held = Assignment.objects.create(item=item, annotator=anna, state=state, lease_expires_at=now)
    WorkItem.objects.update(open_slots=0)
    assert hold_item(item.pk, anna, now, now) is None
    held.refresh_from_db()
    item.refresh_from_db()
    assert (held.state, item.open_slots) == (state, 1)


@pytest.mark.parametrize("items", [1, 3])
def test_a_claim_costs_the_same_whatever_waits(project, anna, items):
    for _ in range(items):
        work_on(make_clip(project))
    membership = Membership.objects.select_related("project", "user").get(user=anna)
    with count_queries() as count:
        queue.claim_next(membership=membership, kind="write")
    assert count == 8

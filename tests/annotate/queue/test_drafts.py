"""Drafts, heartbeats and submits: nothing typed is lost, nothing later is overwritten."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import transaction
from django.utils import timezone

from annotate.errors import DraftConflict, LeaseLost
from annotate.models import Assignment, WorkItem
from annotate.queue import services as queue
from annotate.queue.services.drafts import _union_within, union_of_intervals
from tests.annotate.queue.test_claims import claim, run_out, work_on
from tests.cast import count_queries, make_clip
from tests.work import let_pass

State = Assignment.State


@pytest.fixture
def hold(project, anna):
    work_on(make_clip(project), needed=1)
    return claim(anna, project)


def save(hold, version, **content):
    return queue.save_draft(assignment=hold, base_version=version, content=content)


def submit(hold, key=None, version=0, **content):
    with transaction.atomic():
        assignment, repeated = queue.lock_for_submit(
            assignment_id=hold.pk,
            annotator=hold.annotator,
            key=key or uuid4(),
            base_version=version,
        )
        if not repeated:
            queue.complete(assignment, key=key or uuid4(), content=content)
        return repeated


def test_each_save_counts_the_version_up(hold):
    assert save(hold, 0, overview="A").version == 1
    assert save(hold, 1, overview="AB").version == 2
    hold.refresh_from_db()
    assert (hold.draft, hold.draft_version) == ({"overview": "AB"}, 2)


def test_a_stale_save_is_refused_with_the_stored_text(hold):
    save(hold, 0, overview="first tab")
    with pytest.raises(DraftConflict) as refused:
        save(hold, 0, overview="second tab")
    assert refused.value.assignment.draft == {"overview": "first tab"}
    assert refused.value.assignment.draft_version == 1


def test_a_draft_is_kept_after_the_lease_is_lost(project, hold, ben):
    run_out(hold)
    claim(ben, project)
    hold.refresh_from_db()
    saved = save(hold, 0, overview="typed too late")
    hold.refresh_from_db()
    assert saved.holds_lease is False
    assert hold.draft == {"overview": "typed too late"}


def test_a_submitted_draft_can_not_be_changed(hold):
    submit(hold, overview="done")
    with pytest.raises(LeaseLost, match="already submitted"):
        save(hold, 1, overview="changed")


def test_a_heartbeat_renews_and_adds_up(hold):
    run_out(hold)
    let_pass(hold, 30.5)
    queue.beat(assignment=hold, active_seconds=30, watched=[[0, 50]])
    hold.refresh_from_db()
    let_pass(hold, 3600)
    hold.refresh_from_db()
    queue.beat(assignment=hold, active_seconds=9999, watched=[[40, 9000]])
    hold.refresh_from_db()
    assert hold.lease_expires_at > timezone.now() + timedelta(minutes=29)
    assert hold.active_seconds == 30 + 120
    assert hold.watched == [[0, 250]]


def test_parts_of_seconds_are_not_lost(hold):
    let_pass(hold, 1.4)
    hold.refresh_from_db()
    began = hold.heartbeat_at
    queue.beat(assignment=hold, active_seconds=1)
    hold.refresh_from_db()
    assert (hold.active_seconds, hold.heartbeat_at) == (1, began + timedelta(seconds=1))


def test_watched_frames_are_cut_off_where_the_time_ends(hold):
    assert _union_within([[10, 20]], [[0, 5], [15, 40]], 250, 8) == [[0, 5], [10, 23]]
    assert _union_within([[10, 20]], [[0, 5]], 250, 5) == [[0, 5], [10, 20]]
    assert _union_within([], [[0, 250]], 250, 0) == []


def test_a_heartbeat_costs_one_query(hold):
    let_pass(hold, 10)
    hold = Assignment.objects.select_related("item__clip", "item__project").get()
    with count_queries() as count:
        queue.beat(assignment=hold, active_seconds=9, watched=[[0, 9]])
    assert count == 1


def test_a_heartbeat_does_not_revive_what_was_taken_back(hold):
    run_out(hold)
    queue.expire_leases()
    with pytest.raises(LeaseLost, match="Your text is kept"):
        queue.beat(assignment=hold)


def test_intervals_are_joined_and_clipped():
    assert union_of_intervals([[5, 9], [0, 3], [3, 4], [8, 99], [7, 7]], 20) == [[0, 4], [5, 20]]


def test_the_same_submit_twice_is_one_submit(hold):
    key = uuid4()
    assert submit(hold, key) is False
    assert submit(hold, key) is True


def test_another_submit_after_the_first_is_refused(hold):
    submit(hold, overview="first")
    with pytest.raises(LeaseLost, match="already submitted"):
        submit(hold, overview="second")
    hold.refresh_from_db()
    assert hold.draft == {"overview": "first"}


def test_a_late_submit_is_refused_and_nothing_is_overwritten(project, hold, ben):
    save(hold, 0, overview="Anna's text")
    run_out(hold)
    taken = claim(ben, project)
    with pytest.raises(LeaseLost, match="has ended"):
        submit(hold, version=1, overview="late")
    hold.refresh_from_db()
    assert (hold.state, hold.draft) == (State.EXPIRED, {"overview": "Anna's text"})
    taken.refresh_from_db()
    assert (taken.annotator, taken.state) == (ben, State.HELD)


def test_a_submit_based_on_an_older_draft_is_a_conflict(hold):
    save(hold, 0, overview="later text from another tab")
    with pytest.raises(DraftConflict):
        submit(hold, version=0, overview="older text")


def test_the_item_is_done_with_its_last_submit(project, anna, ben):
    item = work_on(make_clip(project))
    first, second = claim(anna, project), claim(ben, project)
    submit(first)
    item.refresh_from_db()
    assert item.state == WorkItem.State.OPEN
    submit(second)
    item.refresh_from_db()
    assert item.state == WorkItem.State.DONE


def test_a_draft_save_costs_one_query(hold):
    with count_queries() as count:
        save(hold, 0, overview="A")
    assert count == 1

"""What a worker does with a planned job, item after item."""

from __future__ import annotations

import time

import pytest
from django.db import OperationalError
from django.utils import timezone

from annotate.errors import ItemFailed, ItemLost, JobStopped, Refused
from annotate.jobs.services import working
from annotate.jobs.services.control import cancel_job, retry_job
from annotate.jobs.services.leases import take_items
from annotate.jobs.services.working import work_on
from annotate.models.jobs import JobItem
from tests.annotate.jobs import cast
from tests.annotate.jobs.cast import (
    Unreachable,
    away,
    drop_lease,
    numbers_stored,
    planned,
    start_counting,
    states,
    work_through,
)

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_worker_plans_works_and_ends_the_job(project, counting):
    job = work_through(start_counting(project))
    assert (job.state, job.total, job.counts["done"]) == ("done", 5, 5)
    assert states(job) == ["done"] * 5
    assert numbers_stored() == [1, 2, 3, 4, 5]
    assert job.job_items.get(position=3).note == "counted 3"
    assert counting.ends == ["done"]


def test_twice_is_once(project, counting):
    job = work_through(start_counting(project))
    work_through(job)
    assert numbers_stored() == [1, 2, 3, 4, 5]
    assert counting.ends == ["done"]


def test_one_failed_item_fails_alone_with_its_reason(project, counting):
    def refuse_three(number):
        if number == 3:
            raise ItemFailed("odd", "3 is odd. Choose another.")

    counting.on_item = refuse_three
    job = work_through(start_counting(project))
    failed = job.job_items.get(state="failed")
    assert (failed.subject, failed.code, failed.reason) == (3, "odd", "3 is odd. Choose another.")
    assert (job.state, job.counts["failed"]) == ("done", 1)
    assert numbers_stored() == [1, 2, 4, 5]


def test_a_refusal_of_a_service_is_the_reason(project, counting):
    def refuse(number):
        raise Refused("The round has ended.")

    counting.on_item = refuse
    job = work_through(start_counting(project, numbers=1))
    assert job.job_items.get().reason == "The round has ended."


def test_a_fault_is_reported_without_its_words(project, counting):
    counting.on_item = lambda number: 1 / 0
    job = work_through(start_counting(project, numbers=1))
    assert "division" not in job.job_items.get(state="failed").reason


@pytest.mark.parametrize("error", [Unreachable("unreachable", "Nobody answers."), JobStopped("X")])
def test_what_concerns_all_items_stops_the_job_and_fails_none(project, counting, error):
    def stop(number):
        if number == 3:
            raise error

    counting.on_item = stop
    job = work_through(start_counting(project))
    assert (job.state, job.reason) == ("failed", str(error))
    assert states(job) == ["done"] * 2 + ["waiting"] * 3
    counting.on_item = lambda number: None
    retry_job(job=job, admin=None)
    assert work_through(job).state == "done"
    assert numbers_stored() == [1, 2, 3, 4, 5]


def test_an_unavailable_model_stops_the_job(project, counting):
    def missing():
        raise ItemFailed("not_installed", "This worker lacks torch. Install it.")

    counting.on_open = missing
    job = work_through(start_counting(project))
    assert (job.state, job.reason) == ("failed", "This worker lacks torch. Install it.")
    assert states(job) == ["waiting"] * 5


def test_a_database_that_is_away_puts_the_item_back(project, counting):
    counting.on_item = lambda number: away()
    job = start_counting(project)
    with pytest.raises(OperationalError):
        work_on(job_id=job.pk)
    assert states(job) == ["waiting"] * 5
    counting.on_item = lambda number: None
    assert work_through(job).state == "done"


def test_what_a_dead_worker_held_is_resumed(project, counting):
    job = planned(start_counting(project))
    drop_lease(*take_items(job, 2))
    assert work_through(job).state == "done"
    assert numbers_stored() == [1, 2, 3, 4, 5]


def test_what_a_living_worker_holds_is_left_alone(project, counting):
    job = planned(start_counting(project))
    held = take_items(job, 2)
    assert work_through(job).state == "running"
    assert states(job) == ["running"] * 2 + ["done"] * 3
    assert [item.subject for item in held] == [1, 2]


def test_an_item_that_kills_its_worker_three_times_is_given_up_and_the_job_continues(
    project, counting
):
    job = planned(start_counting(project))
    for _ in range(3):
        (item,) = take_items(job, 1)
        drop_lease(item)
    work_through(job)
    poisonous = job.job_items.get(state="failed")
    assert (poisonous.subject, poisonous.code) == (1, "gave_up")
    assert poisonous.reason == counting.gave_up
    assert (job.state, numbers_stored()) == ("done", [2, 3, 4, 5])


def test_a_worker_that_lost_its_lease_stores_nothing(project, counting):
    counting.on_item = lambda number: JobItem.objects.filter(state="running").update(attempts=9)
    job = work_through(start_counting(project, numbers=1))
    assert (numbers_stored(), states(job)) == ([], ["running"])


def test_a_worker_stores_nothing_of_a_job_cancelled_meanwhile(project, counting):
    job = start_counting(project)
    counting.on_item = lambda number: cancel_job(job=job, admin=None)
    work_through(job)
    assert (job.state, states(job), numbers_stored()) == ("cancelled", ["cancelled"] * 5, [])


def test_a_turn_that_is_over_leaves_the_rest_to_the_next(project, counting, monkeypatch):
    monkeypatch.setattr(working, "TURN_SECONDS", 0.0)
    job = work_through(start_counting(project))
    assert (job.state, states(job)) == ("running", ["done"] + ["waiting"] * 4)


def test_a_slow_start_keeps_what_its_worker_holds(project, counting, settings):
    settings.VERICAP_ITEM_LEASE_SECONDS = 1

    def load_slowly():
        time.sleep(1.5)
        assert JobItem.objects.get(state="running").lease_until > timezone.now()

    counting.on_open = load_slowly
    job = work_through(start_counting(project))
    assert job.state == "done"
    assert set(job.job_items.values_list("deaths", flat=True)) == {0}


def test_a_batch_is_worked_on_together(project, batches):
    job = work_through(start_counting(project, numbers=9, kind="count_batches"))
    assert batches.batches == [[1], [2, 3, 4, 5], [6, 7, 8, 9]]
    assert (job.state, numbers_stored()) == ("done", list(range(1, 10)))


def test_one_item_that_breaks_its_batch_fails_alone(project, batches):
    def break_at_three(number):
        if number == 3:
            raise RuntimeError("poisoned")

    batches.on_item = break_at_three
    job = work_through(start_counting(project, kind="count_batches"))
    assert job.job_items.get(state="failed").subject == 3
    assert numbers_stored() == [1, 2, 4, 5]


def test_one_item_that_can_not_be_read_or_has_no_answer_shifts_no_other(project, batches):
    batches.unreadable = {2}
    batches.replies = {4: ItemFailed("cut_off", "The reply was cut off.")}
    job = work_through(start_counting(project, kind="count_batches"))
    failed = job.job_items.filter(state="failed").order_by("position")
    assert [(item.subject, item.code) for item in failed] == [(2, "failed"), (4, "cut_off")]
    assert numbers_stored() == [1, 3, 5]


def test_what_was_answered_before_the_server_went_is_kept(project, batches):
    batches.replies = {4: Unreachable("unreachable", "Nobody answers.")}
    job = work_through(start_counting(project, kind="count_batches"))
    assert (job.state, numbers_stored()) == ("failed", [1, 2, 3, 5])
    assert job.job_items.get(state="waiting").subject == 4


def test_suspects_are_tried_alone(project, batches):
    job = planned(start_counting(project, kind="count_batches"))
    drop_lease(*take_items(job, 3))
    work_through(job)
    assert [len(batch) for batch in batches.batches if set(batch) & {1, 2, 3}] == [1, 1, 1]
    assert job.state == "done"


def test_a_batch_that_the_server_is_away_for_is_asked_about_once(project, batches):
    def leave(number):
        if number == 3:
            raise Unreachable("unreachable", "Nobody answers.")

    batches.on_item = leave
    job = work_through(start_counting(project, kind="count_batches"))
    assert batches.batches == [[1], [2, 3, 4, 5]]
    assert (job.state, states(job)) == ("failed", ["done"] + ["waiting"] * 4)


def test_a_batch_that_finds_itself_lost_is_dropped_and_no_failure(project, batches):
    def lose(number):
        raise ItemLost

    job = start_counting(project, numbers=1, kind="count_batches")
    batches.on_item = lose
    work_through(job)
    assert (job.state, states(job), len(batches.batches)) == ("running", ["running"], 1)


@pytest.mark.parametrize("kind", ["count", "count_batches"])
def test_a_server_that_is_away_for_a_worker_without_its_lease_does_not_end_the_job(
    project, counting, batches, kind
):
    def lease_lost(number):
        JobItem.objects.filter(state="running").update(attempts=9)
        raise Unreachable("unreachable", "Nobody answers.")

    counting.on_item = batches.on_item = lease_lost
    job = work_through(start_counting(project, numbers=1, kind=kind))
    assert (job.state, job.reason, states(job)) == ("running", "", ["running"])


@pytest.mark.parametrize("kind", ["count", "count_batches"])
def test_a_database_that_is_away_when_a_result_comes_puts_everything_in_hand_back(
    project, counting, batches, monkeypatch, kind
):
    job = start_counting(project, kind=kind)
    with monkeypatch.context() as patched:
        patched.setattr(cast, "store", lambda item: away())
        with pytest.raises(OperationalError):
            work_on(job_id=job.pk)
    assert states(job) == ["waiting"] * 5
    assert work_through(job).state == "done"


def test_each_attempt_is_followed_by_its_tidying_up(project, counting, monkeypatch):
    tidied = []
    monkeypatch.setattr(
        cast.CountingWork, "attempted", lambda work, item: tidied.append(item.subject)
    )

    def break_at_two(number):
        if number == 2:
            raise RuntimeError("broken")
        if number == 3:
            raise KeyboardInterrupt

    counting.on_item = break_at_two
    with pytest.raises(KeyboardInterrupt):
        work_through(start_counting(project))
    assert tidied == [1, 2, 3]


def test_a_kind_stores_how_long_reading_and_the_batch_took(project, batches, monkeypatch):
    measured = []
    monkeypatch.setattr(
        type(batches), "measured", lambda self, job, times: measured.append(times) or {}
    )
    batches.unreadable = {3}
    batches.on_item = lambda number: time.sleep(0.02 if number == 1 else 0)
    work_through(start_counting(project, kind="count_batches"))
    assert len(measured) == 4  # the one that could not be read has none
    assert all(0 <= times.read < 0.02 for times in measured)
    assert measured[0].compute >= 0.02
    # The others share one batch, and so its time.
    assert len({times.compute for times in measured[1:]}) == 1


def test_an_item_of_several_steps_has_no_such_times(project, counting, monkeypatch):
    measured = []
    monkeypatch.setattr(
        type(counting), "measured", lambda self, job, times: measured.append(times) or {}
    )
    work_through(start_counting(project, numbers=1))
    assert [(times.read, times.compute) for times in measured] == [(None, None)]

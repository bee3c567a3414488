"""Planning a job: once, by a living worker, or not at all with a sentence."""

from __future__ import annotations

import time

import pytest
from django.db import OperationalError
from django.utils import timezone

from annotate.jobs.services import planning
from annotate.jobs.services.control import cancel_job, retry_job
from annotate.jobs.services.queueing import requeue_jobs
from annotate.jobs.services.working import work_on
from annotate.models.jobs import Job
from tests.annotate.jobs.cast import (
    away,
    numbers_stored,
    start_counting,
    work_through,
)

pytestmark = pytest.mark.django_db(transaction=True)


def test_starting_writes_one_row_and_plans_nothing(project, counting):
    job = start_counting(project)
    assert (job.state, job.is_planned, job.job_items.count()) == ("waiting", False, 0)


def test_what_can_not_be_planned_fails_with_a_sentence(project, counting):
    job = work_through(start_counting(project, numbers=0))
    assert (job.state, job.reason) == ("failed", "There is nothing to count. Choose a number.")


def test_a_fault_in_planning_fails_the_job_without_its_words(project, counting):
    counting.on_plan = lambda: 1 / 0
    job = work_through(start_counting(project))
    assert job.state == "failed"
    assert "division" not in job.reason
    counting.on_plan = lambda: None
    retry_job(job=job, admin=None)
    assert work_through(job).state == "done"


def test_a_plan_whose_worker_was_taken_for_dead_is_not_stored(project, counting):
    job = start_counting(project)

    def another_worker_plans():
        counting.on_plan = lambda: None
        Job.objects.filter(pk=job.pk).update(lease_until=timezone.now())
        assert planning.plan_job(job)

    counting.on_plan = another_worker_plans
    work_through(job)
    assert job.job_items.count() == 5
    assert numbers_stored() == [1, 2, 3, 4, 5]


def test_a_job_whose_plan_kills_its_worker_three_times_is_given_up(project, counting):
    job = start_counting(project)
    for _ in range(3):
        assert planning._take_plan(job.pk)
        Job.objects.filter(pk=job.pk).update(lease_until=timezone.now())
    assert work_through(job).state == "failed"
    assert job.reason == planning.GAVE_UP


def test_a_living_planner_is_left_alone(project, counting):
    job = start_counting(project)
    assert planning._take_plan(job.pk)
    assert work_through(job).is_planned is False
    assert requeue_jobs().jobs == 0


def test_planning_while_the_database_is_away_is_repeated(project, counting):
    job = start_counting(project)
    counting.on_plan = away
    with pytest.raises(OperationalError):
        work_on(job_id=job.pk)
    counting.on_plan = lambda: None
    assert work_through(job).state == "done"


def test_a_job_cancelled_before_it_was_planned_is_resumed(project, counting):
    job = start_counting(project)
    assert cancel_job(job=job, admin=None) == 0
    assert work_through(job).state == "cancelled"
    retry_job(job=job, admin=None)
    assert work_through(job).state == "done"


def test_cancelling_while_it_is_planned_stores_no_plan(project, counting):
    job = start_counting(project)
    counting.on_plan = lambda: cancel_job(job=job, admin=None)
    assert (work_through(job).state, job.job_items.count()) == ("cancelled", 0)


def test_a_long_plan_keeps_its_lease(project, counting, settings):
    settings.VERICAP_ITEM_LEASE_SECONDS = 1
    job = start_counting(project)

    def plan_slowly():
        time.sleep(1.5)
        assert Job.objects.get(pk=job.pk).lease_until > timezone.now()

    counting.on_plan = plan_slowly
    assert work_through(job).state == "done"
    assert job.deaths == 0

"""Starting, cancelling, retrying and requeueing jobs."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from annotate.errors import ItemFailed, Refused
from annotate.jobs.services import planning, queueing
from annotate.jobs.services.control import cancel_job, retry_job
from annotate.jobs.services.leases import take_items
from annotate.jobs.services.queueing import requeue_jobs, requeue_jobs_of_dead_workers
from annotate.jobs.services.starting import JobInProgress
from annotate.models.jobs import Job, JobItem
from tests.annotate.jobs.cast import (
    drop_lease,
    numbers_stored,
    planned,
    start_counting,
    work_through,
)
from tests.worker_messages import collect_messages

pytestmark = pytest.mark.django_db(transaction=True)


def test_an_ended_job_is_not_cancelled(project, counting):
    job = work_through(start_counting(project))
    with pytest.raises(Refused, match="has already ended"):
        cancel_job(job=job, admin=None)


def test_one_reason_is_retried_alone(project, counting):
    def refuse(number):
        raise ItemFailed("odd" if number % 2 else "even", "No.")

    counting.on_item = refuse
    job = work_through(start_counting(project))
    counting.on_item = lambda number: None
    assert retry_job(job=job, admin=None, code="even") == 2
    work_through(job)
    assert (job.state, numbers_stored()) == ("done", [2, 4])
    assert retry_job(job=job, admin=None) == 3
    assert work_through(job).counts["done"] == 5


def test_a_cancelled_job_whose_failures_are_retried_still_leaves_the_rest_out(project, counting):
    job = planned(start_counting(project))
    cancel_job(job=job, admin=None)
    JobItem.objects.filter(job=job, subject=1).update(state="failed", code="timeout")
    assert retry_job(job=job, admin=None, code="timeout") == 1
    assert work_through(job).state == "cancelled"
    assert retry_job(job=job, admin=None) == 4
    assert work_through(job).state == "done"


def test_one_item_is_retried_alone(project, counting):
    def refuse(number):
        raise ItemFailed("odd", "No.")

    counting.on_item = refuse
    job = work_through(start_counting(project))
    counting.on_item = lambda number: None
    assert retry_job(job=job, admin=None, item=job.job_items.get(subject=3)) == 1
    assert (work_through(job).state, numbers_stored()) == ("done", [3])


def test_what_a_retry_can_not_help_stays_failed(project, counting, monkeypatch):
    def refuse(number):
        raise ItemFailed("odd" if number % 2 else "even", "No.")

    counting.on_item = refuse
    job = work_through(start_counting(project))
    monkeypatch.setattr(counting, "may_retry", lambda code: code == "even")
    assert retry_job(job=job, admin=None) == 2
    assert [item.subject for item in job.job_items.filter(state="failed")] == [1, 3, 5]
    counting.on_item = lambda number: None
    work_through(job)
    with pytest.raises(Refused, match="Nothing to retry"):
        retry_job(job=job, admin=None, code="odd")


def test_what_a_cancelled_job_left_out_is_not_resumed_where_that_is_impossible(
    project, counting, monkeypatch
):
    job = planned(start_counting(project))
    cancel_job(job=job, admin=None)
    monkeypatch.setattr(counting, "resumes_cancelled", False, raising=False)
    with pytest.raises(Refused, match="Nothing to retry"):
        retry_job(job=job, admin=None)


def test_a_retry_of_nothing_says_so(project, counting):
    job = work_through(start_counting(project))
    with pytest.raises(Refused, match="Nothing to retry"):
        retry_job(job=job, admin=None)


def test_in_a_lane_one_job_is_active_at_a_time(project, counting):
    first = start_counting(project, lane="left")
    start_counting(project, lane="right")
    start_counting(project)
    with pytest.raises(JobInProgress, match=f"counted by job {first.pk}"):
        start_counting(project, lane="left")
    work_through(first)
    second = start_counting(project, lane="left")
    cancel_job(job=second, admin=None)
    third = start_counting(project, lane="left")
    with pytest.raises(JobInProgress, match=f"counted by job {third.pk}"):
        retry_job(job=second, admin=None)


def test_a_lost_message_costs_a_requeue(project, counting, monkeypatch):
    job = start_counting(project)
    sent = []
    monkeypatch.setattr(queueing, "nudge", lambda job: sent.append(job.pk))
    assert requeue_jobs().jobs == 1
    assert sent == [job.pk]


def test_a_job_that_somebody_works_on_is_requeued_only_by_force(project, counting):
    job = planned(start_counting(project))
    take_items(job, 1)
    assert requeue_jobs().jobs == 0
    assert requeue_jobs(force=True).jobs == 1


def test_a_job_is_queued_once_after_its_worker_has_died(project, counting, monkeypatch):
    sent = collect_messages(monkeypatch)
    start_counting(project, lane="waiting")
    held, dead = (start_counting(project, lane=lane) for lane in ("held", "dead"))
    take_items(planned(held), 1)
    take_items(planned(dead), 1)
    dying = start_counting(project, lane="dying")
    assert planning._take_plan(dying.pk)
    an_hour_ago = timezone.now() - timedelta(hours=1)
    Job.objects.update(queued_at=an_hour_ago)
    sent.clear()
    requeue_jobs_of_dead_workers()
    assert sent == []
    drop_lease(*JobItem.objects.filter(job=dead, state="running"))
    Job.objects.filter(pk=dying.pk).update(lease_until=an_hour_ago + timedelta(minutes=1))
    for _ in range(2):
        requeue_jobs_of_dead_workers()
    assert [message["args"] for message in sent] == [(dead.pk,), (dying.pk,)]

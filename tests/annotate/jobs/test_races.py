"""Many workers at once on one job, on whichever database the tests run."""

from __future__ import annotations

import time
from collections import Counter

import pytest

from annotate.jobs.services.control import cancel_job
from annotate.jobs.services.leases import take_items
from annotate.jobs.services.planning import plan_job
from annotate.jobs.services.starting import JobInProgress
from annotate.jobs.services.working import work_on
from annotate.models.jobs import Job
from tests.annotate.jobs.cast import numbers_stored, start_counting, states
from tests.annotate.queue.test_concurrency import in_threads

pytestmark = pytest.mark.django_db(transaction=True)

WORKERS = 8


def test_many_workers_plan_a_job_once_and_do_each_item_once(project, counting):
    counting.on_plan = lambda: time.sleep(0.2)
    job = start_counting(project, numbers=60)
    in_threads(lambda _: work_on(job_id=job.pk), range(WORKERS))
    work_on(job_id=job.pk)
    job.refresh_from_db()
    assert (job.state, job.total, job.counts["done"]) == ("done", 60, 60)
    assert numbers_stored() == list(range(1, 61))
    assert Counter(counting.counted).most_common(1)[0][1] == 1
    assert counting.ends == ["done"]


def test_no_item_is_held_twice(project, counting):
    job = start_counting(project, numbers=40)
    plan_job(job)

    def take_all(_):
        taken = []
        while items := take_items(job, 3):
            taken += [item.subject for item in items]
        return taken

    held = Counter(number for taken in in_threads(take_all, range(WORKERS)) for number in taken)
    assert held == Counter(range(1, 41))


def test_cancelling_under_way_stores_nothing_afterwards(project, counting):
    counting.on_item = lambda number: time.sleep(0.01)
    job = start_counting(project, numbers=60)

    def work_or_cancel(number):
        if number:
            work_on(job_id=job.pk)
        else:
            time.sleep(0.2)
            cancel_job(job=job, admin=None)

    in_threads(work_or_cancel, range(4))
    job.refresh_from_db()
    done = states(job).count("done")
    assert job.state == "cancelled"
    assert len(numbers_stored()) == done < 60
    assert states(job).count("cancelled") == 60 - done


def test_two_people_who_start_in_one_lane_start_one_job(project, counting):
    def start(_):
        try:
            return start_counting(project, lane="left").pk
        except JobInProgress:
            return None

    started = [key for key in in_threads(start, range(WORKERS)) if key]
    assert len(started) == 1
    assert Job.objects.count() == 1

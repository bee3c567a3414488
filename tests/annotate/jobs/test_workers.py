"""Whether a worker responds, by what workers write."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from annotate.jobs.services.workers import forget_old_beats, record_beat
from annotate.jobs.workers import SILENT_AFTER, Silence, last_beats
from annotate.models import WorkerBeat

pytestmark = pytest.mark.django_db


def age(queue: str, by: timedelta) -> WorkerBeat:
    beat = WorkerBeat.objects.get(queue=queue)
    beat.at -= by
    beat.save()
    return beat


def test_a_queue_without_any_worker_is_silent_since_ever():
    record_beat(worker="w1@here", queues=["cpu"])
    assert last_beats().silence_in("gpu") == Silence("gpu", None)
    assert last_beats().silence_in("cpu") is None


def test_a_worker_that_stopped_is_silent_since_its_last_beat():
    record_beat(worker="w1@here", queues=["cpu", "media"])
    stopped = age("cpu", SILENT_AFTER)
    assert last_beats().silence_in("cpu") == Silence("cpu", stopped.at)
    assert last_beats().silence_in("media") is None


def test_one_living_worker_is_enough():
    record_beat(worker="w1@here", queues=["cpu"])
    age("cpu", SILENT_AFTER)
    record_beat(worker="w2@there", queues=["cpu"])
    assert last_beats().silence_in("cpu") is None


def test_a_worker_keeps_one_row_for_each_queue():
    record_beat(worker="w1@here", queues=["cpu", "media"])
    old = age("cpu", timedelta(hours=1))
    record_beat(worker="w1@here", queues=["cpu", "media"])
    assert WorkerBeat.objects.count() == 2
    assert WorkerBeat.objects.get(queue="cpu").at - old.at > timedelta(minutes=59)


def test_the_clock_of_the_database_is_near_that_of_the_pages():
    record_beat(worker="w1@here", queues=["cpu"])
    beat = WorkerBeat.objects.get()
    assert abs(timezone.now() - beat.at) < timedelta(seconds=5)


def test_workers_that_are_long_gone_are_forgotten():
    record_beat(worker="w1@here", queues=["cpu"])
    age("cpu", timedelta(days=8))
    record_beat(worker="w2@here", queues=["gpu"])
    forget_old_beats()
    assert [beat.worker for beat in WorkerBeat.objects.all()] == ["w2@here"]

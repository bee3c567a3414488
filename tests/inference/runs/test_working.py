"""What a worker does with a run, item by item."""

from __future__ import annotations

import time
from datetime import timedelta
from threading import Thread

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from annotate.jobs.kinds import Outcome
from annotate.jobs.services.control import cancel_job, retry_job
from annotate.jobs.services.leases import take_items
from annotate.jobs.services.results import record_done
from annotate.jobs.services.starting import JobInProgress
from annotate.jobs.services.working import work_on
from annotate.models import Caption
from inference.backends.protocols import BackendError
from inference.backends.replies import Reply
from inference.models import InferenceRun, RunItem
from tests.cast import make_clip
from tests.inference.cast import run_through, start_run, states

pytestmark = pytest.mark.django_db


@pytest.fixture
def clips(project, rendered_media, clips):
    """Clips of 10, 9, 8, 7 and 6 frames, so that replies tell them apart."""
    for number, clip in enumerate(clips):
        clip.end_frame -= number
        clip.save()
    return clips


@pytest.fixture
def run(project, draft_model, clips):
    return start_run(project=project, kind="caption", model=draft_model)


def texts() -> dict[int, str]:
    return {c.clip.frames: c.text for c in Caption.objects.select_related("clip")}


def test_each_clip_gets_its_own_caption(run, captioner):
    assert run_through(run).state == "done"
    assert texts() == {n: f"A clip of {n} frames." for n in (6, 7, 8, 9, 10)}
    assert states(run) == ["done"] * 5
    assert set(Caption.objects.values_list("source", "kind")) == {("machine", "general")}


def test_the_shortest_clips_come_first(run, captioner):
    run_through(run)
    assert [n for batch in captioner.batches for n in batch] == [6, 7, 8, 9, 10]


def test_one_clip_without_an_answer_shifts_no_other(run, captioner):
    captioner.replies[8] = BackendError("cut_off", "The reply was cut off. Raise max tokens.")
    run_through(run)
    assert texts() == {n: f"A clip of {n} frames." for n in (6, 7, 9, 10)}
    failed = run.items.get(state="failed")
    assert (failed.clip.frames, failed.code) == (8, "cut_off")
    assert failed.reason == "The reply was cut off. Raise max tokens."


def test_one_clip_that_breaks_its_batch_fails_alone(run, captioner):
    captioner.replies[7] = RuntimeError("poisoned")
    run_through(run)
    assert texts() == {n: f"A clip of {n} frames." for n in (6, 8, 9, 10)}
    failed = run.items.get(state="failed")
    assert (failed.clip.frames, failed.code) == (7, "failed")
    assert "poisoned" not in failed.reason


def test_a_clip_whose_file_is_gone_fails_alone_with_what_to_do(
    project, draft_model, clips, captioner
):
    lost = make_clip(project)
    run = start_run(project=project, kind="caption", model=draft_model)
    run_through(run)
    failed = run.items.get(state="failed")
    assert (failed.clip, failed.code) == (lost, "clip_unreadable")
    assert failed.reason
    assert run.items.filter(state="done").count() == 5


def test_an_empty_reply_is_no_caption(run, captioner):
    captioner.replies[6] = " \n "
    run_through(run)
    assert run.items.get(state="failed").code == "empty_reply"
    assert 6 not in texts()


def test_reasoning_is_stored_beside_the_caption(run, captioner):
    captioner.replies[8] = Reply("A dive.", reasoning="A jump?", left_out=("seed", "temperature"))
    run_through(run)
    assert texts()[8] == "A dive."
    item = run.items.get(result__text="A dive.")
    assert item.reasoning == "A jump?"
    assert item.note == "2 words; not sent: seed, temperature"


def test_twice_is_once(run, captioner):
    run_through(run)
    work_on(job_id=run.pk)
    assert Caption.objects.count() == 5


def test_an_unavailable_model_stops_the_run_and_fails_nothing(run, monkeypatch):
    def missing(settings):
        raise BackendError("not_installed", "This worker lacks torch. Install it.")

    monkeypatch.setattr("inference.kinds.caption.load_model", missing)
    run_through(run)
    assert (run.state, run.reason) == ("failed", "This worker lacks torch. Install it.")
    assert states(run) == ["waiting"] * 5


def test_a_stopped_run_continues_once_the_cause_is_fixed(run, captioner):
    InferenceRun.objects.filter(pk=run.pk).update(state="failed", reason="No model.")
    retry_job(job=run, admin=None)
    run_through(run)
    assert (run.state, run.reason) == ("done", "")
    assert Caption.objects.count() == 5


def test_a_database_that_is_away_puts_the_item_back(run, captioner, monkeypatch):
    def away(*args, **kwargs):
        raise OperationalError("the database is away")

    with monkeypatch.context() as patch:
        patch.setattr("inference.kinds.caption.record_machine_caption", away)
        with pytest.raises(OperationalError):
            work_on(job_id=run.pk)
    RunItem.objects.filter(run=run, state="running").update(lease_until=timezone.now())
    run_through(run)
    assert states(run) == ["done"] * 5
    assert Caption.objects.count() == 5


def drop_lease(item: RunItem) -> None:
    past = timezone.now() - timedelta(seconds=1)
    RunItem.objects.filter(pk=item.pk).update(lease_until=past)


def test_what_a_dead_worker_held_is_resumed(run, captioner):
    for item in take_items(run, 2):
        drop_lease(item)
    run_through(run)
    assert states(run) == ["done"] * 5
    assert Caption.objects.count() == 5


def test_what_a_living_worker_holds_is_abandoned(run, captioner):
    held = take_items(run, 2)
    run_through(run)
    assert run.state == "running"
    assert sorted(states(run)) == ["done"] * 3 + ["running"] * 2
    assert [item.pk for item in held] == [i.pk for i in run.items.filter(state="running")]


def test_a_worker_that_lost_its_lease_stores_nothing(run, captioner):
    def overtake():
        held = run.items.filter(state="running")
        held.update(attempts=5)

    captioner.before_reply = overtake
    work_on(job_id=run.pk)
    assert Caption.objects.count() == 0


def test_an_item_whose_worker_died_is_tried_alone(run, captioner):
    suspects = take_items(run, 3)
    for item in suspects:
        drop_lease(item)
    run_through(run)
    lengths = {item.clip.frames for item in suspects}
    with_suspects = [batch for batch in captioner.batches if lengths & set(batch)]
    assert [len(batch) for batch in with_suspects] == [1, 1, 1]


def test_an_item_that_kills_its_worker_three_times_is_given_up(run, captioner):
    for _ in range(3):
        (item,) = take_items(run, 1)
        drop_lease(item)
    run_through(run)
    given_up = run.items.get(state="failed")
    assert (given_up.pk, given_up.code) == (item.pk, "gave_up")
    assert run.items.filter(state="done").count() == 4


def test_retrying_repeats_what_failed_and_nothing_else(run, captioner):
    captioner.replies[8] = BackendError("cut_off", "Cut off.")
    run_through(run)
    captioner.replies.clear()
    assert retry_job(job=run, admin=None) == 1
    run_through(run)
    assert states(run) == ["done"] * 5
    assert Caption.objects.count() == 5


def test_cancelling_in_the_middle_keeps_what_is_done(run, captioner):
    (first,) = take_items(run, 1)
    drop_lease(first)
    cancel_job(job=run, admin=None)
    work_on(job_id=run.pk)
    assert run_through(run).state == "cancelled"
    assert states(run) == ["cancelled"] * 5
    retry_job(job=run, admin=None)
    assert run_through(run).state == "done"
    assert Caption.objects.count() == 5


def test_a_cancelled_run_whose_failures_are_retried_leaves_the_rest_out_still(run, captioner):
    cancel_job(job=run, admin=None)
    failed = run.items.first()
    RunItem.objects.filter(pk=failed.pk).update(state="failed", code="timeout")
    assert retry_job(job=run, admin=None, code="timeout") == 1
    assert run_through(run).state == "cancelled"
    assert retry_job(job=run, admin=None) == 4
    assert run_through(run).state == "done"


def test_a_run_is_not_retried_beside_the_very_same_one(run, captioner, project, draft_model):
    captioner.replies[7] = BackendError("cut_off", "The reply was cut off.")
    run_through(run)
    twin = start_run(project=project, kind="caption", model=draft_model)
    with pytest.raises(JobInProgress, match=f"in progress: run {twin.pk}"):
        retry_job(job=run, admin=None)
    assert run.items.filter(state="failed").count() == 1


def test_a_worker_stores_nothing_of_a_run_cancelled_meanwhile(run, captioner):
    captioner.before_reply = lambda: cancel_job(job=run, admin=None) if not ended() else None

    def ended():
        return InferenceRun.objects.get(pk=run.pk).state == "cancelled"

    run_through(run)
    assert Caption.objects.count() == 0
    assert states(run) == ["cancelled"] * 5


@pytest.mark.django_db(transaction=True)
def test_cancelling_waits_for_the_first_result_and_neither_locks_the_other_out(run):
    (item,) = take_items(run, 1)
    item.run = run

    def cancel():
        cancel_job(job=run, admin=None)
        connection.close()

    canceller = Thread(target=cancel)

    def store():
        canceller.start()
        time.sleep(0.3)
        return Outcome()

    record_done(run, item, store, seconds=1.0)
    canceller.join()
    assert states(run) == ["done", *["cancelled"] * 4]


def test_a_server_that_is_not_there_stops_the_run_and_fails_nothing(run, captioner):
    away = BackendError("unreachable", "Nobody answers at the server.", transient=True)
    captioner.replies = dict.fromkeys(range(6, 11), away)
    run_through(run)
    assert (run.state, run.reason) == ("failed", "Nobody answers at the server.")
    assert states(run) == ["waiting"] * 5


def test_what_was_answered_before_the_server_went_is_kept(run, captioner):
    captioner.replies[10] = BackendError("unreachable", "Nobody answers.", transient=True)
    run_through(run)
    assert (run.state, sorted(states(run))) == ("failed", ["done"] * 4 + ["waiting"])
    captioner.replies.clear()
    retry_job(job=run, admin=None)
    assert run_through(run).state == "done"
    assert Caption.objects.count() == 5


@pytest.mark.django_db(transaction=True)
def test_a_model_that_takes_long_to_load_keeps_what_its_worker_holds(
    run, captioner, settings, monkeypatch
):
    settings.VERICAP_ITEM_LEASE_SECONDS = 1

    def load_slowly(model):
        time.sleep(1.5)
        held = run.items.get(state="running")
        assert held.lease_until > timezone.now()
        return captioner

    monkeypatch.setattr("inference.kinds.caption.load_model", load_slowly)
    assert run_through(run).state == "done"
    assert set(run.items.values_list("deaths", flat=True)) == {0}

"""Model runs by a real worker: killed in the middle, its messages lost, an item poisoned."""

from __future__ import annotations

from itertools import combinations

import pytest
from django.db.models import Count
from django.utils import timezone

from annotate.jobs.services.leases import take_items
from annotate.jobs.services.planning import plan_job
from annotate.models import Caption
from inference.models import InferenceRun, RunItem
from inference.runs.services import start_run
from tests.cast import make_clip, make_video
from tests.inference.cast import make_model
from tests.media import PLAYABLE, attach_media

MANY, FEW = 40, 6


@pytest.fixture
def make_run(project, rendered_media):
    """A function that starts captions of so many clips by a model that needs no weights."""

    def make(number: int) -> InferenceRun:
        video = attach_media(make_video(project, **PLAYABLE), rendered_media)
        lengths = range(12, 19)
        ranges = [(s, e) for s, e in combinations(range(51), 2) if e - s in lengths]
        for start, end in ranges[:number]:
            make_clip(project, video=video, start_frame=start, end_frame=end)
        return start_run(project=project, kind="caption", model=make_model(project))

    return make


def done() -> int:
    return RunItem.objects.filter(state="done").count()


def has_finished(run: InferenceRun) -> bool:
    run.refresh_from_db()
    return run.state == "done"


def captions_per_clip() -> set[int]:
    counts = Caption.objects.values("clip").annotate(n=Count("pk")).order_by()
    return set(counts.values_list("n", flat=True))


def test_a_worker_killed_in_the_middle_loses_nothing_and_repeats_nothing(worker, make_run):
    run = make_run(MANY)
    worker.send("annotate.requeue_jobs", queue="cpu")
    worker.wait_for(lambda: done() >= 3, "beginning of the run")
    worker.kill()
    assert 3 <= done() < MANY
    worker.start()
    worker.manage("requeue_jobs", "--force")
    worker.wait_for(lambda: has_finished(run), "end of the run")
    assert done() == MANY
    assert Caption.objects.count() == MANY
    assert captions_per_clip() == {1}


def test_a_lost_message_costs_a_requeue_and_nothing_else(idle_worker, make_run):
    run = make_run(FEW)
    idle_worker.manage("requeue_jobs")
    assert idle_worker.lose_messages("cpu") == 1
    idle_worker.start()
    assert idle_worker.manage("requeue_jobs") == "1 job queued again.\n"
    idle_worker.wait_for(lambda: has_finished(run), "end of the run")
    assert Caption.objects.count() == FEW


def test_a_run_continues_by_itself_after_its_worker_was_killed(idle_worker, make_run):
    """As in the demo: the worker's own clock hands out again what nobody holds any more."""
    run = make_run(FEW)
    assert plan_job(run)
    taken = take_items(run, 3)
    RunItem.objects.filter(pk__in=[item.pk for item in taken]).update(lease_until=timezone.now())
    idle_worker.start()
    idle_worker.send("annotate.requeue_jobs", queue="cpu")
    idle_worker.wait_for(lambda: has_finished(run), "end of the run")
    assert captions_per_clip() == {1}


def test_a_poisoned_item_fails_alone_with_its_reason(worker, make_run, project):
    run = make_run(FEW)
    poisoned = make_clip(project, original_name="poisoned.mp4")
    other = start_run(project=project, kind="caption", model=run.model, options={"seed": 1})
    worker.send("annotate.requeue_jobs", queue="cpu")
    worker.wait_for(lambda: has_finished(other) and has_finished(run), "end of the runs")
    failed = other.items.exclude(state="done").get()
    assert (failed.clip, failed.state, failed.code) == (poisoned, "failed", "clip_unreadable")
    assert failed.reason.startswith("The playback file is missing from the media folder.")
    assert captions_per_clip() == {2}

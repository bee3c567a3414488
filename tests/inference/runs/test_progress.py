"""How far a run is, and how long it will take: from what was finished lately, never guessed."""

from datetime import UTC, datetime, timedelta

import pytest

from annotate.jobs.progress import Progress, duration
from inference.models import InferenceRun, RunItem
from inference.runs.progress import progress_of
from tests.cast import count_queries, make_clip
from tests.inference.cast import make_model, start_run
from tests.inference.outcomes import EMPTY, hold, leave

NOW = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)


@pytest.fixture
def now(monkeypatch):
    monkeypatch.setattr("django.utils.timezone.now", lambda: NOW)


@pytest.fixture
def run(project):
    for _ in range(20):
        make_clip(project)
    return start_run(project=project, kind="caption", model=make_model(project))


def started(run, **ago) -> InferenceRun:
    """The run as if it had been started and queued so long ago."""
    then = NOW - timedelta(**ago)
    InferenceRun.objects.filter(pk=run.pk).update(created_at=then, resumed_at=then, queued_at=NOW)
    run.refresh_from_db()
    return run


def of(run):
    return progress_of([run])[run.pk]


def test_the_rate_is_what_was_finished_since_the_start(run, now):
    started(run, minutes=2)
    leave(run, done=4, at=NOW - timedelta(seconds=80))
    leave(run, done=4, failed=(EMPTY, EMPTY), at=NOW - timedelta(seconds=30))
    hold(run)
    progress = of(run)
    assert (progress.rate, progress.speed) == (5.0, "5.0 a minute")
    assert (progress.left, progress.time_left) == (120.0, "about 2 min")
    assert (progress.ended, progress.percent, progress.has_worker) == (10, 50, True)


def test_what_was_finished_long_ago_tells_nothing_about_now(run, now):
    started(run, hours=1)
    leave(run, done=10, at=NOW - timedelta(minutes=6))
    hold(run)
    progress = of(run)
    assert (progress.rate, progress.left) == (None, None)
    assert (progress.speed, progress.time_left) == ("–", "–")


def test_a_long_run_is_measured_by_its_last_five_minutes(run, now):
    started(run, hours=1)
    leave(run, done=5, at=NOW - timedelta(minutes=30))
    for minutes in (4, 3, 2, 1):
        leave(run, done=1, at=NOW - timedelta(minutes=minutes))
    leave(run, done=1, at=NOW)
    hold(run)
    assert of(run).rate == 1.0


def test_when_nothing_ends_any_more_nothing_is_promised(run, now):
    started(run, minutes=2)
    leave(run, done=10, at=NOW - timedelta(seconds=110))
    leave(run, done=1, at=NOW - timedelta(seconds=61))
    hold(run)
    assert (of(run).speed, of(run).time_left) == ("–", "–")


def test_items_that_take_minutes_are_waited_for_longer(run, now):
    started(run, minutes=5)
    leave(run, done=1, at=NOW - timedelta(seconds=180))
    leave(run, done=1, at=NOW - timedelta(seconds=70))
    run.items.filter(state="done").update(seconds=105)
    hold(run)
    assert of(run).rate == 0.4


def test_after_a_pause_the_rate_is_counted_anew(run, now):
    started(run, minutes=4)
    leave(run, done=2, at=NOW - timedelta(seconds=200))
    leave(run, done=1, at=NOW - timedelta(seconds=30))
    hold(run)
    assert of(run).rate is None
    leave(run, done=3, at=NOW - timedelta(seconds=10))
    assert of(run).rate == 6.0


def test_time_before_a_worker_took_the_run_does_not_count(run, now):
    started(run, minutes=4)
    leave(run, done=1, at=NOW - timedelta(seconds=20))
    leave(run, done=5, at=NOW - timedelta(seconds=10))
    hold(run)
    assert of(run).rate == 15.0


def test_a_retried_run_is_measured_from_the_retry_on(run, now):
    started(run, hours=5)
    InferenceRun.objects.filter(pk=run.pk).update(resumed_at=NOW - timedelta(minutes=1))
    run.refresh_from_db()
    leave(run, done=6, at=NOW - timedelta(seconds=5))
    hold(run)
    assert of(run).rate == 6.0


def test_a_run_that_no_worker_is_on_promises_nothing(run, now):
    started(run, minutes=3)
    leave(run, done=6, at=NOW - timedelta(minutes=2))
    InferenceRun.objects.filter(pk=run.pk).update(queued_at=NOW - timedelta(minutes=2))
    run.refresh_from_db()
    progress = of(run)
    assert (progress.is_abandoned, progress.has_worker, progress.rate) == (True, False, None)


def test_a_run_just_queued_is_not_left_alone(run, now):
    started(run, seconds=10)
    progress = of(run)
    assert (progress.is_abandoned, progress.has_worker) == (False, False)


def test_what_was_cancelled_is_not_counted_as_done(run, now):
    started(run, minutes=1)
    leave(run, done=5, at=NOW, state="cancelled")
    run.items.filter(state="waiting").update(state="cancelled")
    progress = of(run)
    assert (progress.ended, progress.percent, progress.counts["cancelled"], progress.took) == (
        5,
        25,
        15,
        "1 min",
    )


def test_only_all_of_it_is_100_percent(run, now):
    leave(run, done=19)
    InferenceRun.objects.filter(pk=run.pk).update(total=20)
    assert of(run).percent == 95
    leave(run, done=1)
    assert of(run).percent == 100


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0 s"),
        (59.4, "59 s"),
        (59.6, "1 min"),
        (3599, "59 min"),
        (7500, "2 h 05 min"),
        (172_800, "2 days"),
    ],
)
def test_durations_are_as_exact_as_anybody_needs(seconds, text):
    assert duration(seconds) == text


def test_a_screen_reader_hears_of_each_tenth_only(run, now):
    leave(run, done=4)
    announcement = of(run).announcement
    leave(run, done=1)
    assert (announcement, of(run).announcement) == ("At least 20 % done.", "At least 20 % done.")
    leave(run, failed=(EMPTY,))
    assert of(run).announcement == "At least 30 % done, some failed."


def test_before_the_first_tenth_a_screen_reader_hears_that_it_is_less(run, now):
    leave(run, done=1)
    assert of(run).announcement == "Less than 10 % done."


def test_in_the_end_a_screen_reader_hears_what_was_done(run, now):
    assert Progress(0, dict.fromkeys(RunItem.State.values, 0)).announcement == (
        "Ended: there was nothing to do."
    )
    leave(run, done=4)
    leave(run, failed=(EMPTY,))
    run.items.filter(state="waiting").update(state="cancelled")
    assert of(run).announcement == "Ended: 4 done, 1 failed, 15 canceled."


def test_many_runs_cost_as_many_queries_as_one(project, run):
    model = run.model
    runs = [run] + [
        start_run(project=project, kind="caption", model=model, options={"seed": n}) for n in (1, 2)
    ]
    with count_queries() as queries_for_one:
        progress_of([run])
    with count_queries() as queries_for_three:
        progress_of(runs)
    assert int(queries_for_three) == int(queries_for_one)

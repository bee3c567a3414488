"""Workers that judge captions: killed, cancelled, and two at once."""

from datetime import timedelta

import pytest
from django.db import OperationalError
from django.db.models import F
from django.utils import timezone

from annotate.errors import Refused
from annotate.jobs.services.control import cancel_job
from annotate.jobs.services.queueing import abandoned_jobs, requeue_jobs
from annotate.jobs.services.results import FAILED
from annotate.models import Caption
from inference.backends.protocols import BackendError
from review.capst import asking, judging
from review.capst.asking import Unanswered
from review.capst.models import CapstItem, CapstRun
from review.elements.models import Extraction
from tests.review.capst.capst_runs import (
    PREDICTION,
    described_clip,
    judge,
    planned,
    predictions,
    start,
    word_overlap,
)
from tests.worker_messages import collect_messages

pytestmark = pytest.mark.django_db


def states(run) -> list[str]:
    return list(run.items.values_list("state", flat=True))


def let_another_take_it() -> None:
    """Claim every item, as another worker does when it takes this one for dead."""
    later = timezone.now() + timedelta(hours=1)
    CapstItem.objects.update(attempts=F("attempts") + 1, lease_until=later)


class TestWorkers:
    def test_twice_is_once(self, project, model, captions, server):
        run = start(project, captions, model)
        judge(run=run)
        requests_before = len(server.received)
        judge(run=run)
        assert len(server.received) == requests_before

    def test_a_killed_worker_loses_nothing(
        self, project, model, captions, clip, server, monkeypatch
    ):
        other = described_clip(project)
        both = predictions(project, "Both", {clip: PREDICTION, other: "A dog."})
        run = start(project, both, model)
        judge_batch = judging._Batch.judge

        def killed(batch):
            if batch.items[0].clip == other:
                raise KeyboardInterrupt
            return judge_batch(batch)

        with monkeypatch.context() as patched:
            patched.setattr(judging._Batch, "judge", killed)
            with pytest.raises(KeyboardInterrupt):
                judge(run=run)
        assert (CapstRun.objects.get().state, states(run)) == ("running", ["done", "running"])
        assert not abandoned_jobs().exists()  # its lease runs
        judge(run=run)
        assert states(run) == ["done", "running"]
        CapstItem.objects.filter(state="running").update(
            lease_until=timezone.now() - timedelta(seconds=1)
        )
        assert [job.pk for job in abandoned_jobs()] == [run.pk]
        requests_before = len(server.received)
        judge(run=run)
        assert (run.state, states(run)) == ("done", ["done", "done"])
        assert len(server.received) == requests_before + 2 + 2

    def test_a_cancelled_run_asks_for_nothing_more(self, project, model, captions, server, ada):
        run = planned(start(project, captions, model))
        cancel_job(job=run, admin=ada)
        judge(run=run)
        assert (server.received, states(run)) == ([], ["cancelled"])
        with pytest.raises(Refused, match="already ended"):
            cancel_job(job=run, admin=ada)

    def test_a_run_cancelled_while_the_model_answers_stores_no_result(
        self, project, model, captions, server, ada
    ):
        run = start(project, captions, model)
        asker = judging.Asker.ask

        def cancelled_before(self, questions, refuse_lost):
            if isinstance(questions[0], asking.Judge):
                cancel_job(job=run, admin=ada)
            return asker(self, questions, refuse_lost)

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(judging.Asker, "ask", cancelled_before)
            judge(run=run)
        assert (run.state, states(run)) == ("cancelled", ["cancelled"])
        assert (run.items.get().results, len(server.received)) == ({}, 4)

    def test_a_worker_that_was_taken_for_dead_asks_for_nothing_more(
        self, project, model, captions, server, monkeypatch
    ):
        run = start(project, captions, model)
        asker = judging.Asker.ask

        def lease_lost(self, questions, refuse_lost):
            let_another_take_it()
            return asker(self, questions, refuse_lost)

        monkeypatch.setattr(judging.Asker, "ask", lease_lost)
        judge(run=run)
        assert (run.state, states(run), server.received) == ("running", ["running"], [])

    def test_an_error_of_a_worker_without_its_lease_does_not_stop_the_run(
        self, project, model, captions, monkeypatch
    ):
        run = start(project, captions, model)

        def lease_lost(self, questions, refuse_lost):
            let_another_take_it()
            raise BackendError("unreachable", "gone")

        monkeypatch.setattr(judging.Asker, "ask", lease_lost)
        judge(run=run)
        assert (run.state, run.reason) == ("running", "")

    def test_questions_unanswered_when_the_lease_was_lost_are_left_to_the_other(
        self, project, model, captions, monkeypatch
    ):
        run = start(project, captions, model)

        def lease_lost(self, questions, refuse_lost):
            let_another_take_it()
            return [Unanswered("Timed out.", "") for _ in questions]

        monkeypatch.setattr(judging.Asker, "ask", lease_lost)
        judge(run=run)
        assert (run.state, states(run)) == ("running", ["running"])

    def test_a_bug_after_the_lease_was_lost_does_not_stop_the_run(
        self, project, model, captions, monkeypatch
    ):
        def broken(batch):
            let_another_take_it()
            raise ValueError("no such list")

        run = start(project, captions, model)
        monkeypatch.setattr(judging._Batch, "judge", broken)
        judge(run=run)
        assert (run.state, states(run)) == ("running", ["running"])

    def test_a_busy_database_leaves_the_run_to_the_next_try(
        self, project, model, captions, monkeypatch
    ):
        def busy(batch):
            raise OperationalError("database is locked")

        run = start(project, captions, model)
        with monkeypatch.context() as patched:
            patched.setattr(judging._Batch, "judge", busy)
            with pytest.raises(OperationalError):
                judge(run=run)
        judge(run=run)
        assert (run.state, states(run)) == ("done", ["done"])

    def test_a_bug_fails_the_clip_and_is_reported(self, project, model, captions, monkeypatch):
        def broken(batch):
            raise ValueError("no such list")

        run = start(project, captions, model)
        monkeypatch.setattr(judging._Batch, "judge", broken)
        judge(run=run)
        item = run.items.get()
        assert (run.state, item.state, item.reason) == ("done", "failed", FAILED)
        assert not abandoned_jobs().exists()

    def test_a_run_of_a_rule_based_model_is_cancelled_too(
        self, project, captions, ada, monkeypatch
    ):
        run = start(project, captions, word_overlap(project))
        asker = judging.Asker.ask

        def cancelled_after(self, questions, refuse_lost):
            answers = asker(self, questions, refuse_lost)
            cancel_job(job=run, admin=ada)
            return answers

        monkeypatch.setattr(asking, "RULE_BATCH_SIZE", 1)
        monkeypatch.setattr(judging.Asker, "ask", cancelled_after)
        judge(run=run)
        assert (run.state, Extraction.objects.count()) == ("cancelled", 1)

    def test_two_runs_at_once_use_the_same_lists(self, project, model, captions, server):
        run = start(project, captions, model)
        asker = judging.Asker.ask
        temporal = Caption.objects.get(kind="temporal")

        def somebody_faster(self, questions, refuse_lost):
            answers = asker(self, questions, refuse_lost)
            if not Extraction.objects.exists():
                Extraction.objects.create(
                    caption=temporal, kind="events", elements=["theirs"], model=model,
                    recipe=judging.Judging(run).recipe, method="m",
                )  # fmt: skip
            return answers

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(judging.Asker, "ask", somebody_faster)
            judge(run=run)
        assert run.items.get().results["events"]["reference"]["elements"] == ["theirs"]
        assert Extraction.objects.filter(caption=temporal, kind="events").count() == 1

    def test_workers_that_judge_at_once_record_the_formats_of_both(
        self, project, model, captions, server
    ):
        run = planned(start(project, captions, model))
        work = judging.Judging(run)
        CapstRun.objects.update(reply_formats={"judgements": ["text"]})
        CapstItem.objects.update(state="running")
        work.compute(list(run.items.all()), [])
        run.refresh_from_db()
        assert run.reply_formats == {
            "elements": ["json_schema"], "judgements": ["json_schema", "text"],
        }  # fmt: skip

    def test_an_abandoned_run_is_queued_again(
        self, project, model, captions, monkeypatch, django_capture_on_commit_callbacks
    ):
        run = start(project, captions, model)
        queued = collect_messages(monkeypatch)
        with django_capture_on_commit_callbacks(execute=True):
            assert requeue_jobs().jobs == 1
        assert queued == [{"args": (run.pk,), "queue": "cpu", "countdown": 0}]

"""Workers that judge captions: killed, stopped, and two at once."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import OperationalError
from django.utils import timezone

from annotate.models import Caption
from inference.backends.protocols import BackendError
from review.capst import asking, judging
from review.capst.asking import Unanswered
from review.capst.judging import judge
from review.capst.models import CapstRun
from review.capst.runs import abandoned_capst_runs, stop_capst_run
from review.capst.tasks import judge_captions, requeue_capst
from review.elements.models import Extraction
from review.errors import ReviewError
from tests.review.capst.capst_runs import (
    PREDICTION,
    described_clip,
    predictions,
    start,
    word_overlap,
)

pytestmark = pytest.mark.django_db


def states(run) -> list[str]:
    return list(run.items.values_list("state", flat=True))


class TestWorkers:
    def test_twice_is_once(self, project, model, captions, server):
        run = start(project, captions, model)
        judge(run=run)
        asked = len(server.received)
        judge(run=run)
        assert len(server.received) == asked

    def test_a_killed_worker_loses_nothing(
        self, project, model, captions, clip, server, monkeypatch
    ):
        other = described_clip(project)
        both = predictions(project, "Both", {clip: PREDICTION, other: "A dog."})
        run = start(project, both, model)
        finish = judging._Worker._finish

        def killed(worker, some):
            if some[0].clip == other:
                raise KeyboardInterrupt
            finish(worker, some)

        with monkeypatch.context() as patched:
            patched.setattr(judging._Worker, "_finish", killed)
            with pytest.raises(KeyboardInterrupt):
                judge(run=run)
        assert (CapstRun.objects.get().state, states(run)) == ("running", ["done", "waiting"])
        assert not abandoned_capst_runs().exists()  # its lease runs
        judge(run=run)
        assert states(run) == ["done", "waiting"]
        CapstRun.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
        assert list(abandoned_capst_runs()) == [run]
        asked = len(server.received)
        judge(run=run)
        run.refresh_from_db()
        assert (run.state, states(run)) == ("finished", ["done", "done"])
        assert len(server.received) == asked + 2 + 2

    def test_a_stopped_run_asks_for_nothing_more(self, project, model, captions, server, ada):
        run = start(project, captions, model)
        stop_capst_run(run=run, admin=ada)
        judge(run=run)
        assert (server.received, states(run)) == ([], ["waiting"])
        with pytest.raises(ReviewError, match="over already"):
            stop_capst_run(run=run, admin=ada)

    def test_stopped_while_the_model_answers_it_stores_no_result(
        self, project, model, captions, server, ada
    ):
        run = start(project, captions, model)
        asker = judging.Asker.ask

        def stopped_before(self, questions):
            if isinstance(questions[0], asking.Judge):
                stop_capst_run(run=run, admin=ada)
            return asker(self, questions)

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(judging.Asker, "ask", stopped_before)
            judge(run=run)
        assert (run.state, states(run)) == ("stopped", ["waiting"])

    def test_a_worker_that_was_taken_for_dead_asks_for_nothing_more(
        self, project, model, captions, server, monkeypatch
    ):
        run = start(project, captions, model)
        asker = judging.Asker.ask

        def overtaken(self, questions):
            CapstRun.objects.update(lease_until=timezone.now() + timedelta(hours=1))
            return asker(self, questions)

        monkeypatch.setattr(judging.Asker, "ask", overtaken)
        judge(run=run)
        assert (run.state, states(run), server.received) == ("running", ["waiting"], [])

    def test_what_befalls_it_then_does_not_stop_the_run(
        self, project, model, captions, monkeypatch
    ):
        run = start(project, captions, model)

        def overtaken(self, questions):
            CapstRun.objects.update(lease_until=timezone.now() + timedelta(hours=1))
            raise BackendError("unreachable", "gone")

        monkeypatch.setattr(judging.Asker, "ask", overtaken)
        judge(run=run)
        assert (run.state, run.reason) == ("running", "")

    def test_what_it_got_no_answer_to_is_left_to_the_other(
        self, project, model, captions, monkeypatch
    ):
        run = start(project, captions, model)

        def overtaken(self, questions):
            CapstRun.objects.update(lease_until=timezone.now() + timedelta(hours=1))
            return [Unanswered("Timed out.", "") for _ in questions]

        monkeypatch.setattr(judging.Asker, "ask", overtaken)
        judge(run=run)
        assert (run.state, states(run)) == ("running", ["waiting"])

    def test_a_fault_of_our_own_after_it_does_not_stop_the_run(
        self, project, model, captions, monkeypatch
    ):
        def broken(worker, some):
            CapstRun.objects.update(lease_until=timezone.now() + timedelta(hours=1))
            raise ValueError("no such list")

        run = start(project, captions, model)
        monkeypatch.setattr(judging._Worker, "_finish", broken)
        with pytest.raises(ValueError, match="no such list"):
            judge(run=run)
        run.refresh_from_db()
        assert run.state == "running"

    def test_a_busy_database_leaves_the_run_to_the_next_try(
        self, project, model, captions, monkeypatch
    ):
        def busy(worker, some):
            raise OperationalError("database is locked")

        run = start(project, captions, model)
        with monkeypatch.context() as patched:
            patched.setattr(judging._Worker, "_finish", busy)
            with pytest.raises(OperationalError):
                judge(run=run)
        judge(run=run)
        assert (run.state, states(run)) == ("finished", ["done"])

    def test_a_fault_of_our_own_stops_the_run_and_is_told(
        self, project, model, captions, monkeypatch
    ):
        def broken(worker, some):
            raise ValueError("no such list")

        run = start(project, captions, model)
        monkeypatch.setattr(judging._Worker, "_finish", broken)
        with pytest.raises(ValueError, match="no such list"):
            judge(run=run)
        run.refresh_from_db()
        assert (run.state, run.reason) == ("stopped", "It broke off: no such list")
        assert not abandoned_capst_runs().exists()

    def test_a_model_that_goes_by_rules_is_stopped_too(self, project, captions, ada, monkeypatch):
        run = start(project, captions, word_overlap(project))
        asker = judging.Asker.ask

        def stopped_after(self, questions):
            answers = asker(self, questions)
            stop_capst_run(run=run, admin=ada)
            return answers

        monkeypatch.setattr(asking, "RULES_AT_ONCE", 1)
        monkeypatch.setattr(judging.Asker, "ask", stopped_after)
        judge(run=run)
        assert (run.state, Extraction.objects.count()) == ("stopped", 1)

    def test_two_runs_at_once_rest_on_the_same_lists(self, project, model, captions, server):
        run = start(project, captions, model)
        asker = judging.Asker.ask
        temporal = Caption.objects.get(kind="temporal")

        def somebody_faster(self, questions):
            answers = asker(self, questions)
            if not Extraction.objects.exists():
                Extraction.objects.create(
                    caption=temporal, kind="events", elements=["theirs"], model=model,
                    recipe=judging._Worker(run).recipe, method="m",
                )  # fmt: skip
            return answers

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(judging.Asker, "ask", somebody_faster)
            judge(run=run)
        assert run.items.get().results["events"]["reference"]["elements"] == ["theirs"]
        assert Extraction.objects.filter(caption=temporal, kind="events").count() == 1

    def test_an_abandoned_run_is_queued_again(
        self, project, model, captions, monkeypatch, django_capture_on_commit_callbacks
    ):
        queued = []
        run = start(project, captions, model)
        monkeypatch.setattr(judge_captions, "apply_async", lambda **told: queued.append(told))
        with django_capture_on_commit_callbacks(execute=True):
            requeue_capst()
            call_command("requeue_capst", stdout=(said := StringIO()))
        assert queued == [{"args": (run.pk,), "queue": "cpu"}] * 2
        assert said.getvalue() == "1 runs queued again.\n"

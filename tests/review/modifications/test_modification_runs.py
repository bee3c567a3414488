"""A text model writes modifications: asked once a direction, never guessed from its reply."""

from datetime import timedelta

import pytest
from django.db import OperationalError
from django.db.models import F
from django.utils import timezone

from annotate.errors import Refused
from annotate.jobs.services.control import cancel_job, retry_job
from annotate.jobs.services.planning import plan_job
from annotate.jobs.services.queueing import abandoned_jobs, requeue_jobs
from annotate.jobs.services.results import FAILED
from annotate.jobs.services.working import work_on
from annotate.jobs.tasks import work_on_job
from annotate.models import Clip, WorkItem
from config.environment import Secret
from inference.backends.openai_compatible import ChatModel
from inference.loading import forget_models
from inference.models import ModelSpec
from review.errors import ReviewError
from review.modifications import writing
from review.modifications.models import (
    Modification,
    ModificationPrompt,
    ModificationRequest,
    ModificationRun,
)
from review.modifications.prompt_changes import current_prompt, save_prompt
from review.modifications.runs import start_modification_run
from review.modifications.services import open_modifications
from tests.inference.backends.loopback import KEY, fails, running, says
from tests.review.triplets.triplets import labelled_clip, make_label, make_pair, modify
from tests.work import hold
from tests.worker_messages import collect_messages

pytestmark = pytest.mark.django_db
GOOD = "show with one more somersault"


@pytest.fixture
def server(settings):
    """A model server on this machine that gives the answers of `answers`."""
    with running() as loopback:
        loopback.answers = [says(GOOD)]
        settings.VERICAP_MODEL_SERVERS = {"here": {"url": loopback.url, "key": Secret(KEY)}}
        forget_models()
        yield loopback
        forget_models()


@pytest.fixture
def model(project, server):
    return ModelSpec.objects.create(
        project=project, name="Writer", backend="openai-compatible", model_id="m",
        parameters={"server": "here", "parallel": 1, "tries": 1},
    )  # fmt: skip


@pytest.fixture
def lease_lost(monkeypatch):
    """Let another worker take over the directions while the model answers this one."""
    complete = ChatModel.complete

    def answer_slowly(model, *args, **options):
        ModificationRequest.objects.filter(state="running").update(
            attempts=F("attempts") + 1, lease_until=timezone.now() + timedelta(hours=1)
        )
        return complete(model, *args, **options)

    monkeypatch.setattr(ChatModel, "complete", answer_slowly)


@pytest.fixture
def pair(project):
    labels = [make_label(project, key, f"Forward, {key} somersaults") for key in ("2.5", "3.5")]
    for label in labels:
        labelled_clip(project, label, "train")
    pair = make_pair(*labels)
    open_modifications(pair)
    return pair


def start(project, model, domain="diving"):
    return start_modification_run(project=project, model=model, domain=domain, admin=None)


def planned(run) -> ModificationRun:
    assert plan_job(run)
    return run


def write(*, run) -> ModificationRun:
    """Do the run's work here, as a worker would, and read its row again."""
    work_on(job_id=run.pk)
    run.refresh_from_db()
    return run


def states(run) -> list[str]:
    return list(run.requests.values_list("state", flat=True))


def texts() -> list[tuple[str, str, str]]:
    return list(Modification.objects.values_list("source__key", "text", "state"))


class TestStarting:
    def test_it_asks_about_each_direction_without_a_text(self, project, model, pair):
        modify(pair.first, pair.second, state="waiting")
        run = planned(start(project, model))
        assert [(r.source, r.target) for r in run.requests.all()] == [(pair.second, pair.first)]

    def test_it_keeps_the_prompt_it_was_started_with(self, project, model, pair):
        run = start(project, model)
        save_prompt(project=project, domain="diving", instruction="New.", examples=[], author=None)
        assert (run.prompt.version, current_prompt(project, "diving").version) == (1, 2)

    def test_a_direction_that_a_person_holds_is_left_alone(self, project, model, pair, emil):
        for item in WorkItem.objects.filter(kind="modify"):
            hold(emil, item)
        with pytest.raises(ReviewError, match="needs a text"):
            start(project, model)

    def test_a_clip_that_got_a_label_beyond_the_pair_is_left_alone(self, project, model, pair):
        Clip.objects.filter(label=pair.first).update(label=make_label(project, "4.5"))
        run = planned(start(project, model))
        assert [(r.source, r.target) for r in run.requests.all()] == [(pair.second, pair.first)]

    def test_one_runs_at_a_time(self, project, model, pair):
        start(project, model)
        with pytest.raises(Refused, match="is already writing"):
            start(project, model)

    def test_a_model_that_answers_nothing_is_refused(self, project, pair):
        draft = ModelSpec.objects.create(project=project, name="Draft", backend="opencv-draft")
        with pytest.raises(ReviewError, match="can't write texts"):
            start(project, draft)

    def test_other_domains_are_other_runs(self, project, model, pair):
        with pytest.raises(ReviewError, match="needs a text"):
            start(project, model, "gymnastics")
        assert ModificationPrompt.objects.count() == 0


class TestWriting:
    def test_every_direction_gets_a_text_that_waits_for_a_person(
        self, project, model, pair, server
    ):
        run = start(project, model)
        work_on_job(run.pk)
        run.refresh_from_db()
        assert (run.state, states(run)) == ("done", ["done", "done"])
        assert texts() == [("2.5", GOOD, "waiting"), ("3.5", GOOD, "waiting")]
        assert {m.prompt for m in Modification.objects.all()} == {run.prompt}
        assert len(server.received) == 2

    def test_the_model_reads_the_instruction_the_examples_and_the_captions(
        self, project, model, pair, server
    ):
        example = {"source": "Back, tuck", "target": "Back, pike", "modification": "show piked"}
        save_prompt(
            project=project, domain="diving", instruction="Be brief.", examples=[example],
            author=None,
        )  # fmt: skip
        write(run=start(project, model))
        first = server.received[0]
        assert first.body["messages"][0] == {"role": "system", "content": "Be brief."}
        assert first.prompt == (
            "First: Back, tuck\nSecond: Back, pike\nChange: show piked\n\n"
            "First: Forward, 2.5 somersaults\nSecond: Forward, 3.5 somersaults\nChange:"
        )

    @pytest.mark.parametrize(
        ("reply", "reason"),
        [
            ("turn " * 20 + "on", "2 to 19 words"),
            ("show it\nor not", "several lines"),
            ("“show with one more”", "quotation marks"),
            ("'show with one more'", "quotation marks"),
            ("once", "2 to 19 words"),
            (f"show {'x' * 300}", "characters"),
        ],
    )
    def test_a_malformed_reply_is_asked_for_twice_again_and_then_reported(
        self, project, model, pair, server, reply, reason
    ):
        server.answers = [says(reply)]
        run = start(project, model)
        write(run=run)
        assert (len(server.received), texts()) == (6, [])
        for request in run.requests.all():
            assert (request.state, reason in request.reason) == ("failed", True)
            assert request.reply == reply[:500]

    def test_a_retry_says_what_was_wrong(self, project, model, pair, server):
        server.answers = [says("once"), says(GOOD)]
        run = start(project, model)
        write(run=run)
        assert states(run) == ["done", "done"]
        assert "could not be used. It does not have 2 to 19 words." in server.received[1].prompt

    def test_one_failure_does_not_stop_the_others(self, project, model, pair, server):
        server.answers = [fails(400, "too long"), says(GOOD)]
        run = start(project, model)
        write(run=run)
        assert states(run) == ["failed", "done"]
        assert "too long" in run.requests.first().reason

    def test_a_failure_that_concerns_all_stops_the_run_until_it_is_resumed(
        self, project, model, pair, server
    ):
        server.answers = [says(GOOD), fails(401, "no key"), says(GOOD)]
        run = start(project, model)
        write(run=run)
        assert (run.state, states(run)) == ("failed", ["done", "waiting"])
        assert run.reason
        retry_job(job=run, admin=None)
        assert (write(run=run).state, run.reason, len(texts())) == ("done", "", 2)

    def test_another_run_makes_the_remaining_requests_too(self, project, model, pair, server):
        server.answers = [says(GOOD), fails(401, "no key"), says(GOOD)]
        run = write(run=start(project, model))
        assert write(run=start(project, model)).state == "done"
        assert len(texts()) == 2
        retry_job(job=run, admin=None)
        assert (write(run=run).state, states(run)) == ("done", ["done", "skipped"])

    def test_a_reply_that_came_beside_a_failure_that_concerns_all_is_kept(
        self, project, model, pair, server
    ):
        def refuses_one(received, out):
            is_second = received.prompt.endswith("Second: Forward, 2.5 somersaults\nChange:")
            (fails(401, "no key") if is_second else says(GOOD))(received, out)

        other = make_label(project, "4.5", "Forward, 4.5 somersaults")
        labelled_clip(project, other, "train")
        open_modifications(make_pair(pair.second, other))
        model.parameters |= {"parallel": 2}
        model.save()
        server.answers = [refuses_one]
        run = start(project, model)
        write(run=run)
        # A worker begins with one direction; the next two are asked about at once.
        assert (run.state, states(run)) == ("failed", ["done", "waiting", "done", "waiting"])

    def test_a_reply_that_is_cut_off_says_what_to_change(self, project, model, pair, server):
        server.answers = [says("Let me think about", "length")]
        run = start(project, model)
        write(run=run)
        assert (len(server.received), states(run)) == (2, ["failed", "failed"])
        assert run.requests.first().reason == (
            "The model used up its 120 tokens before its answer was complete. Choose a model that "
            "answers without thinking aloud."
        )

    def test_twice_is_once(self, project, model, pair, server):
        run = start(project, model)
        write(run=run)
        write(run=run)
        assert (len(server.received), len(texts())) == (2, 2)

    def test_a_killed_worker_loses_nothing(self, project, model, pair, server, monkeypatch):
        run = start(project, model)
        compute = writing.Writing.compute

        def killed_at_the_second(work, tasks, materials):
            if texts():
                raise KeyboardInterrupt
            return compute(work, tasks, materials)

        with monkeypatch.context() as killed:
            killed.setattr(writing.Writing, "compute", killed_at_the_second)
            with pytest.raises(KeyboardInterrupt):
                write(run=run)
        assert (ModificationRun.objects.get().state, len(texts())) == ("running", 1)
        assert not abandoned_jobs().exists()  # its lease runs
        write(run=run)
        assert (run.state, states(run)) == ("running", ["done", "running"])
        past = timezone.now() - timedelta(seconds=1)
        ModificationRequest.objects.filter(state="running").update(lease_until=past)
        assert [job.pk for job in abandoned_jobs()] == [run.pk]
        write(run=run)
        assert (run.state, len(server.received), len(texts())) == ("done", 2, 2)

    def test_a_worker_that_was_taken_for_dead_stores_nothing_and_asks_for_no_more(
        self, project, model, pair, server, lease_lost
    ):
        run = start(project, model)
        write(run=run)
        assert (len(server.received), run.state) == (1, "running")
        assert (states(run), texts()) == (["running", "running"], [])

    def test_its_later_failure_does_not_stop_the_run(
        self, project, model, pair, server, lease_lost
    ):
        server.answers = [fails(401, "no key")]
        run = start(project, model)
        write(run=run)
        assert (run.state, run.reason) == ("running", "")

    def test_its_failure_is_not_stored_over_the_work_of_the_other(
        self, project, model, pair, server, lease_lost
    ):
        server.answers = [fails(400, "no answer in time")]
        run = start(project, model)
        write(run=run)
        assert states(run) == ["running", "running"]
        assert {request.reason for request in run.requests.all()} == {""}

    def test_a_direction_that_a_person_has_begun_meanwhile_is_left_to_them(
        self, project, model, pair, server, emil
    ):
        run = planned(start(project, model))
        hold(emil, WorkItem.objects.get(kind="modify", clip__label=pair.first))
        write(run=run)
        assert states(run) == ["skipped", "done"]

    def test_a_direction_begun_while_the_model_answers_is_left_to_its_person(
        self, project, model, pair, server, emil, monkeypatch
    ):
        run = start(project, model)
        store = writing.store_text

        def begun_first(run, request, text):
            if request.source == pair.first:
                hold(emil, WorkItem.objects.get(kind="modify", clip__label=pair.first))
            return store(run, request, text)

        monkeypatch.setattr(writing, "store_text", begun_first)
        write(run=run)
        assert states(run) == ["skipped", "done"]

    def test_a_cancelled_run_asks_for_nothing_more(self, project, model, pair, server, ada):
        run = planned(start(project, model))
        cancel_job(job=run, admin=ada)
        write(run=run)
        assert (server.received, run.requests.first().state) == ([], "cancelled")
        with pytest.raises(Refused, match="already ended"):
            cancel_job(job=run, admin=ada)

    def test_cancelled_while_the_model_answers_it_stores_nothing(
        self, project, model, pair, server, ada
    ):
        run = planned(start(project, model))
        with pytest.MonkeyPatch.context() as patched:
            complete = ChatModel.complete

            def cancel_first(chat, *args, **options):
                cancel_job(job=run, admin=ada)
                return complete(chat, *args, **options)

            patched.setattr(ChatModel, "complete", cancel_first)
            server.answers = [says("once")]  # which would be asked for again
            write(run=run)
        assert (run.state, states(run)) == ("cancelled", ["cancelled", "cancelled"])
        assert (len(server.received), texts()) == (1, [])

    def test_a_busy_database_leaves_the_run_to_the_next_try(
        self, project, model, pair, monkeypatch
    ):
        def busy(run, request, text):
            raise OperationalError("database is locked")

        run = start(project, model)
        with monkeypatch.context() as patched:
            patched.setattr(writing, "store_text", busy)
            with pytest.raises(OperationalError):
                write(run=run)
        write(run=run)
        assert (run.state, states(run)) == ("done", ["done", "done"])

    def test_a_fault_of_our_own_fails_the_direction_and_is_reported(
        self, project, model, pair, monkeypatch
    ):
        def broken(run, request, text):
            raise ValueError("no such text")

        run = start(project, model)
        monkeypatch.setattr(writing, "store_text", broken)
        write(run=run)
        assert (run.state, states(run)) == ("done", ["failed", "failed"])
        assert {request.reason for request in run.requests.all()} == {FAILED}
        assert not abandoned_jobs().exists()

    def test_an_abandoned_run_is_queued_again(
        self, project, model, pair, monkeypatch, django_capture_on_commit_callbacks
    ):
        run = start(project, model)
        queued = collect_messages(monkeypatch)
        with django_capture_on_commit_callbacks(execute=True):
            assert requeue_jobs().jobs == 1
        assert queued == [{"args": (run.pk,), "queue": "cpu", "countdown": 0}]

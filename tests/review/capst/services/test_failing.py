"""A model that answers badly, or not at all: asked again, reported, never guessed."""

import pytest

from annotate.errors import Refused
from annotate.jobs.services.control import retry_job
from inference.loading import forget_models
from review.capst.models import JudgeReply
from review.elements.models import Extraction
from tests.inference.backends.loopback import fails, says
from tests.review.capst.capst_runs import (
    PREDICTION,
    caption,
    described_clip,
    judge,
    judged,
    predictions,
    server_model,
    start,
    thinks,
)

pytestmark = pytest.mark.django_db


def states(run) -> list[str]:
    return list(run.items.values_list("state", flat=True))


class TestFailing:
    def test_a_malformed_reply_is_requested_three_more_times_and_then_reported(
        self, project, model, captions, server
    ):
        server.answers = [says("I found none.")]
        run = start(project, captions, model)
        judge(run=run)
        item = run.items.get()
        assert (run.state, item.state) == ("done", "failed")
        assert "Events of the human caption: It is not JSON." in item.reason
        assert item.reply == "I found none."
        assert len(server.received) == 4 * 4
        assert (Extraction.objects.count(), JudgeReply.objects.count()) == (0, 0)
        assert [side["judged"] for kind in item.results.values() for side in kind.values()] == [
            None, None, None, None,
        ]  # fmt: skip

    def test_a_retry_says_what_was_wrong(self, project, model, captions, server):
        server.answers = [says("None."), thinks]
        run = start(project, captions, model)
        judge(run=run)
        assert states(run) == ["done"]
        assert "could not be used. It is not JSON. Answer again." in server.received[1].prompt
        assert [received.body["seed"] for received in server.received[:2]] == [0, 1]

    def test_only_the_list_without_an_answer_is_missing(self, project, model, captions, server):
        server.answers = [
            *[thinks] * 4, *[judged("entailment")] * 1, thinks, thinks, thinks,
            *[judged("entailment")] * 3,
        ]  # fmt: skip
        run = start(project, captions, model)
        judge(run=run)
        item = run.items.get()
        assert item.state == "failed"
        assert item.reason == "Events of the human caption: It has 1 judgments; 2 were asked for."
        assert item.results["events"]["reference"]["judged"] is None
        assert item.results["objects"]["predicted"]["judged"] is not None

    def test_one_failure_does_not_stop_the_others(self, project, model, captions, clip, server):
        other = described_clip(project)
        caption(other, "spatial", "Another one.")
        both = predictions(project, "Both", {clip: PREDICTION, other: PREDICTION})
        # Eight questions about the first clip; the ninth is about the other's spatial caption.
        server.answers = [*[thinks] * 8, fails(400, "too long"), thinks]
        run = start(project, both, model)
        judge(run=run)
        assert states(run) == ["done", "failed"]
        assert "too long" in run.items.last().reason

    def test_only_failed_questions_are_asked_again(self, project, model, captions, server, ada):
        server.answers = [*[thinks] * 7, *[says("?")] * 4, thinks]
        run = start(project, captions, model)
        judge(run=run)
        assert states(run) == ["failed"]
        requests_before = len(server.received)
        assert retry_job(job=run, admin=ada) == 1
        judge(run=run)
        run.refresh_from_db()
        assert (run.state, states(run), len(server.received)) == (
            "done",
            ["done"],
            requests_before + 1,
        )
        with pytest.raises(Refused, match="No item failed or is left"):
            retry_job(job=run, admin=ada)

    def test_an_older_run_stays_as_it_is(self, project, model, captions, server, ada):
        server.answers = [says("?")]
        run = start(project, captions, model)
        judge(run=run)
        judge(run=start(project, captions, model))
        with pytest.raises(Refused, match="a newer run"):
            retry_job(job=run, admin=ada)

    @pytest.mark.parametrize(
        ("answer", "mend"), [(fails(401, "no key"), "VERICAP_MODEL_KEY_HERE"),
                             (fails(404, "no model"), "Check the model's id")]
    )  # fmt: skip
    def test_an_error_of_the_server_stops_the_run_and_says_how_to_fix_it(
        self, project, model, captions, server, ada, answer, mend
    ):
        server.answers = [thinks, thinks, answer, thinks]
        run = start(project, captions, model)
        judge(run=run)
        assert (run.state, states(run), mend in run.reason) == ("failed", ["waiting"], True)
        retry_job(job=run, admin=ada)
        judge(run=run)
        run.refresh_from_db()
        assert (run.state, run.reason, states(run)) == ("done", "", ["done"])

    def test_answers_beside_such_an_error_are_kept(self, project, captions, clip, server):
        other = described_clip(project)
        caption(other, "temporal", "A dog runs.")
        both = predictions(project, "Both", {clip: PREDICTION, other: PREDICTION})
        # The two questions that the judge gets at once, after the four about elements.
        server.answers = [*[thinks] * 4, thinks, fails(401, "no key"), thinks]
        run = start(project, both, server_model(project, "Two", parallel=2))
        judge(run=run)
        assert (run.state, JudgeReply.objects.count()) == ("failed", 5)

    def test_a_reply_that_is_cut_off_fails_the_clip_and_not_the_run(
        self, project, model, captions, server
    ):
        server.answers = [says("Let me think.", finish_reason="length")]
        run = start(project, None, model)
        judge(run=run)
        assert states(run) == ["failed"]
        assert "Events: The model used up its 4,096 tokens" in run.items.get().reason

    def test_a_server_that_is_gone_stops_the_run(self, project, model, captions, settings):
        run = start(project, captions, model)
        settings.VERICAP_MODEL_SERVERS = {}
        forget_models()
        judge(run=run)
        assert run.state == "failed"
        assert "There is no model server named 'here'" in run.reason

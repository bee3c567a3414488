"""Captions judged by a model: each question once, nothing guessed, nothing lost."""

import json

import pytest

from annotate.errors import Refused
from annotate.jobs.tasks import work_on_job
from annotate.models import Caption
from inference.models import ModelSpec
from review.capst import batches
from review.capst.models import JudgeReply
from review.elements.models import Extraction
from review.errors import ReviewError
from tests.inference.backends.loopback import fails
from tests.review.capst.capst_runs import (
    FULL,
    PREDICTION,
    SPATIAL,
    TEMPORAL,
    caption,
    described_clip,
    elements,
    judge,
    judged,
    planned,
    predictions,
    start,
    thinks,
    word_overlap,
)

pytestmark = pytest.mark.django_db


def states(run) -> list[str]:
    return list(run.items.values_list("state", flat=True))


def relations(run) -> dict[str, list[str]]:
    results = run.items.get().results
    return {
        f"{kind} {side}": [relationship for relationship, _ in side_result["judged"]]
        for kind, sides in results.items()
        for side, side_result in sides.items()
    }


class TestStarting:
    def test_a_clip_without_both_human_captions_is_left_out(self, project, model, captions, clip):
        bare = described_clip(project)
        Caption.objects.filter(clip=bare, kind="spatial").delete()
        predictions(project, "Model B", {bare: PREDICTION})
        assert planned(start(project, captions, model)).items.get().clip == clip
        with pytest.raises(ReviewError, match="No clip with these captions has human spatial and"):
            start(project, project.caption_sets.get(name="Model B"), model)

    @pytest.mark.parametrize(("preset", "mend"), [("default", "Split"), ("official", "Merge")])
    def test_imported_captions_are_not_references_and_no_import_is_advised(
        self, project, model, captions, clip, preset, mend
    ):
        for kind in ("general", "spatial", "temporal"):
            Caption.objects.filter(kind=kind).delete()
            caption(clip, kind, "Imported.", "imported")
        with pytest.raises(ReviewError, match=rf" human .*captions?\. {mend} some clips first\.$"):
            start(project, captions, model, preset=preset)

    def test_the_newest_human_caption_is_the_reference(self, project, model, captions, clip):
        newer = caption(clip, "temporal", "She waves.")
        caption(clip, "temporal", "A machine says so.", "machine")
        assert planned(start(project, captions, model)).items.get().events_reference == newer

    def test_the_official_reference_is_the_full_caption(self, project, model, captions, clip):
        item = planned(start(project, captions, model, preset="official")).items.get()
        merged = Caption.objects.get(kind="general")
        caption(clip, "general", "Imported later.", "imported")
        assert (item.events_reference, item.objects_reference) == (merged, merged)
        again = planned(start(project, None, model, preset="official")).items.get()
        assert again.events_reference == merged

    def test_a_model_that_answers_nothing_is_refused(self, project, captions):
        lexical = ModelSpec.objects.create(project=project, name="Vectors", backend="lexical")
        with pytest.raises(ReviewError, match="Vectors can't judge captions"):
            start(project, captions, lexical)

    def test_the_same_captions_are_judged_once_at_a_time(self, project, model, captions):
        start(project, captions, model)
        start(project, captions, model, preset="official")
        with pytest.raises(Refused, match="judging these captions now"):
            start(project, captions, model)


class TestJudging:
    def test_elements_are_found_and_judged_against_the_other_text(
        self, project, model, captions, server
    ):
        server.answers = [
            elements("events", "a woman picks up a knife", "a woman slices a tomato"),
            elements("objects", "a red coat"),
            elements("events", "a woman slices a tomato"),
            elements("objects", "a red coat", "a kitchen"),
            judged("neutral", "entailment"),
            judged("entailment"),
            judged("entailment"),
            judged("entailment", "contradiction"),
        ]
        run = start(project, captions, model)
        work_on_job(run.pk)
        run.refresh_from_db()
        assert (run.state, states(run)) == ("done", ["done"])
        assert relations(run) == {
            "events reference": ["neutral", "entailment"],
            "events predicted": ["entailment"],
            "objects reference": ["entailment"],
            "objects predicted": ["entailment", "contradiction"],
        }
        assert [json.loads(received.prompt.partition("Description:\n")[2].partition("\n")[0])
                for received in server.received] == [
            TEMPORAL, SPATIAL, PREDICTION, PREDICTION,
            PREDICTION, TEMPORAL, PREDICTION, SPATIAL,
        ]  # fmt: skip

    def test_the_model_is_asked_for_json_at_temperature_0(self, project, model, captions, server):
        judge(run=start(project, captions, model))
        body = server.received[0].body
        assert (body["temperature"], body["messages"][0]["role"]) == (0.0, "system")
        assert body["response_format"]["json_schema"]["schema"]["required"] == ["events"]
        last = server.received[-1].body["response_format"]["json_schema"]["schema"]
        assert last["required"] == ["judgements"]

    def test_the_official_choices_ask_for_ten_of_the_full_caption(
        self, project, model, captions, server
    ):
        judge(run=start(project, captions, model, preset="official"))
        prompts = [received.prompt for received in server.received[:4]]
        assert [FULL in prompt for prompt in prompts] == [True, True, False, False]
        assert ["at most 10, the most" in prompt for prompt in prompts] == [True] * 4

    def test_a_text_without_elements_gets_no_further_questions(
        self, project, model, captions, server
    ):
        server.answers = [
            elements("events"), elements("objects"), elements("events"), elements("objects"),
        ]  # fmt: skip
        run = start(project, captions, model)
        judge(run=run)
        assert (len(server.received), states(run)) == (4, ["done"])
        assert set(map(tuple, relations(run).values())) == {()}

    def test_a_long_list_is_judged_in_portions(self, project, model, captions, server, monkeypatch):
        monkeypatch.setattr(batches, "JUDGING_BATCH_SIZE", 1)
        run = start(project, captions, model)
        judge(run=run)
        assert states(run) == ["done"]
        # Four lists of two elements each; each is the first, which is entailed, of its portion.
        assert len(server.received) == 4 + 4 * 2
        assert set(map(tuple, relations(run).values())) == {("entailment", "entailment")}

    def test_a_list_with_an_unanswered_portion_has_no_judgments(
        self, project, model, captions, server, monkeypatch
    ):
        monkeypatch.setattr(batches, "JUDGING_BATCH_SIZE", 1)
        server.answers = [*[thinks] * 5, fails(400, "too long"), thinks]
        run = start(project, captions, model)
        judge(run=run)
        results = run.items.get().results
        assert results["events"]["reference"]["judged"] is None
        assert results["events"]["predicted"]["judged"] is not None
        assert states(run) == ["failed"]

    def test_human_captions_are_read_once_for_all_models(
        self, project, model, captions, clip, server
    ):
        judge(run=start(project, None, model))
        assert len(server.received) == 3  # temporal: events and objects, for the leakage
        judge(run=start(project, captions, model))
        other = predictions(project, "Model B", {clip: "A dog."})
        before = len(server.received)
        run = start(project, other, model)
        judge(run=run)
        # Two lists, and two new judgments: what it names was judged with the other model.
        assert len(server.received) - before == 2 + 2
        humans = Extraction.objects.filter(caption__source="human")
        assert humans.count() == 3
        used = run.items.get().results["events"]["reference"]["extraction"]
        assert used == humans.get(caption__kind="temporal", kind="events").pk

    def test_a_question_answered_before_costs_nothing(self, project, model, captions, clip, server):
        judge(run=start(project, captions, model))
        same = predictions(project, "Model B", {clip: PREDICTION})
        requests_before = len(server.received)
        run = start(project, same, model)
        judge(run=run)
        assert (len(server.received), states(run)) == (requests_before, ["done"])
        assert Extraction.objects.filter(caption__sets__caption_set=same).count() == 2

    def test_a_model_with_another_name_or_timeout_is_the_same_model(
        self, project, model, captions, clip, server
    ):
        judge(run=start(project, captions, model))
        requests_before = len(server.received)
        ModelSpec.objects.update(name="Renamed", parameters=model.parameters | {"timeout": 9.0})
        model.refresh_from_db()
        judge(run=start(project, captions, model))
        assert len(server.received) == requests_before
        model.model_id = "other"
        judge(run=start(project, captions, model))
        assert len(server.received) == 2 * requests_before

    def test_a_checked_list_is_current_for_every_model(
        self, project, model, captions, anna, server
    ):
        judge(run=start(project, captions, model))
        first = Extraction.objects.get(caption__kind="temporal", kind="events")
        checked = Extraction.objects.create(
            caption=first.caption, kind="events", elements=["a woman waves"], author=anna,
            parent=first, recipe=first.recipe, method=first.method,
        )  # fmt: skip
        run = start(project, captions, word_overlap(project))
        judge(run=run)
        reference = run.items.get().results["events"]["reference"]
        assert (reference["extraction"], reference["elements"]) == (checked.pk, ["a woman waves"])
        assert relations(run)["events reference"] == ["neutral"]


def test_the_word_overlap_judges_without_a_server(project, captions):
    run = start(project, captions, word_overlap(project))
    judge(run=run)
    assert (run.state, states(run)) == ("done", ["done"])
    assert relations(run) == {
        "events reference": ["neutral", "entailment"],
        "events predicted": ["neutral"],
        "objects reference": ["entailment", "entailment", "entailment"],
        "objects predicted": ["entailment", "entailment", "neutral", "entailment"],
    }
    assert JudgeReply.objects.count() == 0
    assert set(Extraction.objects.values_list("method", flat=True)) == {"word-overlap 1"}

"""LoVR's dynamic optimization: regenerate, score again, at most three times, then a person."""

from __future__ import annotations

import re

import numpy as np
import pytest

from annotate.corpus.precedence import current_caption
from annotate.jobs.services.working import work_on
from annotate.models import Caption, CaptionRank, WorkItem
from inference.backends.protocols import BackendError
from inference.errors import InferenceError
from inference.models import ModelSpec, QualityScore, QualityThreshold, RefineAttempt
from tests.inference.cast import (
    make_model,
    make_playable_clips,
    run_through,
    start_run,
    states,
)
from tests.inference.kinds.conftest import HandMade

pytestmark = pytest.mark.django_db


class Writer:
    def __init__(self, *replies):
        self.replies = list(replies)
        self.generations = []

    def caption(self, requests, generation):
        self.generations.append(generation)
        reply = self.replies.pop(0)
        if isinstance(reply, KeyboardInterrupt):
            raise reply
        return [reply for _ in requests]


class Counting(Writer):
    """A model that keeps how many clips it was asked about at once."""

    def __init__(self, *replies):
        super().__init__(*replies)
        self.batches = []

    def caption(self, requests, generation):
        self.batches.append(len(requests))
        return super().caption(requests, generation)


@pytest.fixture
def chain(project):
    return make_model(project, "opencv-draft", name="First", refine_order=1)


@pytest.fixture
def scored(project, encoder, clips, write, load):
    """One caption under the threshold (0.1), one above it (0.6)."""
    by = [{"model": "Painter", "spec": 0, "run": 0}]
    captions = [write(clips[0], "bad splash", provenance=by), write(clips[1], "good good good")]
    run_through(start_run(project=project, kind="score", model=encoder))
    return captions


def refine(project, encoder, **options):
    return start_run(project=project, kind="refine", model=encoder, options=options)


def test_only_what_is_under_the_threshold_is_regenerated(project, encoder, chain, scored, load):
    load["opencv-draft"] = Writer("a good good dive")
    run = run_through(refine(project, encoder))
    assert [item.clip for item in run.items.all()] == [scored[0].clip]
    assert run.recipe["threshold"] == 0.2
    accepted = run.items.get().result
    assert (accepted.text, list(accepted.parents.all())) == ("a good good dive", [scored[0]])
    assert not WorkItem.objects.filter(kind="hand").exists()


def test_clips_are_regenerated_side_by_side(
    project, encoder, chain, rendered_media, write, load, settings
):
    """The first one alone, while the models load; then as many as the model takes at once."""
    clips = make_playable_clips(project, rendered_media, 6)
    for clip in clips:
        write(clip, "bad splash")
    run_through(start_run(project=project, kind="score", model=encoder))
    settings.VERICAP_MODEL_SERVERS = {"here": object()}
    parameters = {"server": "here", "parallel": 4}
    ModelSpec.objects.filter(pk=chain.pk).update(
        backend="openai-compatible", model_id="m", parameters=parameters
    )
    cut_off = BackendError("cut_off", "Cut off.")
    model = load["openai-compatible"] = Counting("good", "bad", cut_off, "good good", "good")
    run = run_through(refine(project, encoder))
    # Attempts 1, 2 and 3 of four clips, then the last one.
    assert model.batches == [1, 4, 4, 4, 1]
    assert states(run) == ["done"] * 6
    assert RefineAttempt.objects.filter(reason="Cut off.").count() == 4


def test_an_attempt_is_scored_as_a_score_run_scores_the_same_text(
    project, encoder, chain, clips, write, load
):
    options = {"keywords_at_most": 1}
    write(clips[0], "Bad.")
    write(clips[1], "Splash. Good.")
    run_through(start_run(project=project, kind="score", model=encoder, options=options))
    # Refining counts in the same captions, though "splash" would be the common word by now.
    write(clips[1], "Splash. Splash.")
    load["opencv-draft"] = Writer("Splash. Good.")
    run = run_through(refine(project, encoder, **options))
    attempt = RefineAttempt.objects.get(item__run=run)
    scored = QualityScore.objects.get(caption__text="Splash. Good.", caption__clip=clips[1])
    assert attempt.score == scored.value
    assert QualityScore.objects.get(caption=attempt.caption).scorer == scored.scorer


def test_each_attempt_descends_from_the_one_before(project, encoder, chain, scored, load):
    load["opencv-draft"] = Writer("bad one", "bad two", "good good three")
    run = run_through(refine(project, encoder))
    attempts = list(RefineAttempt.objects.filter(item__run=run))
    assert [attempt.number for attempt in attempts] == [1, 2, 3]
    assert list(attempts[2].caption.parents.all()) == [attempts[1].caption]
    assert run.items.get().note.endswith("at attempt 3")


def test_attempts_are_drawn_at_the_papers_temperature_with_new_seeds(
    project, encoder, chain, scored, load
):
    writer = load["opencv-draft"] = Writer("bad one", "bad two", "bad three")
    run_through(refine(project, encoder))
    assert [generation.temperature for generation in writer.generations] == [0.9] * 3
    assert len({generation.seed for generation in writer.generations}) == 3


def test_after_three_failures_a_person_writes_it_and_sees_every_attempt(
    project, encoder, chain, scored, load
):
    load["opencv-draft"] = Writer("bad one", BackendError("cut_off", "Cut off."), "bad three")
    run_through(refine(project, encoder))
    item = WorkItem.objects.get(kind="hand")
    assert (item.clip, item.state, item.open_slots) == (scored[0].clip, "open", 1)
    rows = item.context["attempts"]
    assert [row["text"] for row in rows] == ["bad splash", "bad one", "", "bad three"]
    assert [row["reason"] for row in rows] == ["", "", "Cut off.", ""]
    assert item.context["threshold"] == 0.2
    assert [row["model"] for row in rows] == ["Painter", "First", "First", "First"]


def test_it_says_after_how_many_attempts_a_person_is_asked(project, encoder, chain, scored, load):
    load["opencv-draft"] = Writer("bad one", "bad two", "bad three")
    once = run_through(refine(project, encoder, attempts=1))
    assert once.items.get().note.startswith("to be written by hand after 1 attempt;")


class Graded(HandMade):
    """An encoder that finds a text as near to the pictures as the number in it says."""

    def encode_texts(self, texts):
        return [self.at(float((re.findall(r"0\.\d+", text) or ["0.1"])[0])) for text in texts]

    def at(self, cosine):
        return np.array([cosine, 0, np.sqrt(1 - cosine**2), 0], dtype=np.float32)


@pytest.fixture
def graded(project, encoder, clips, write, load):
    """A caption that scores 0.18 with the keywords that it has."""
    load["lexical"] = Graded()
    caption = write(clips[0], "splash 0.18")
    run_through(start_run(project=project, kind="score", model=encoder))
    return caption


def value_of(caption):
    return QualityScore.objects.get(caption=caption).value


def test_a_failed_attempt_does_not_replace_a_caption_that_scores_higher(
    project, encoder, chain, graded, load
):
    load["opencv-draft"] = Writer("splash 0.12", "splash 0.15", "splash 0.11")
    run = run_through(refine(project, encoder))
    assert current_caption(graded.clip) == graded
    assert run.items.get().note == (
        "to be written by hand after 3 attempts; the caption before stays until then, "
        f"{value_of(graded):.3f}"
    )
    records = CaptionRank.objects.filter(because="not_better")
    assert [rank.caption.text for rank in records.order_by("pk")] == [
        "splash 0.12",
        "splash 0.15",
        "splash 0.11",
    ]


def test_of_failed_attempts_the_one_that_scores_highest_describes_the_clip(
    project, encoder, chain, graded, load
):
    load["opencv-draft"] = Writer("splash 0.17", "splash 0.19", "splash 0.185")
    run = run_through(refine(project, encoder))
    current = current_caption(graded.clip)
    assert current.text == "splash 0.19"
    assert run.items.get().note == (
        "to be written by hand after 3 attempts; attempt 2 is the caption until then, "
        f"{value_of(current):.3f}"
    )


def test_a_failed_attempt_does_not_replace_a_caption_without_a_score(
    project, encoder, chain, graded, write, load
):
    run = refine(project, encoder, attempts=1)
    newer = write(graded.clip, "A newer caption.")
    load["opencv-draft"] = Writer("splash 0.19")
    run_through(run)
    assert current_caption(graded.clip) == newer
    note = "to be written by hand after 1 attempt; the caption before stays until then"
    assert run.items.get().note == note


def test_the_chain_continues_with_the_next_model(project, encoder, chain, scored, load):
    make_model(project, "opencv-draft", name="Second", refine_order=2)
    load["opencv-draft"] = Writer("bad one", "bad two", "bad three")
    run = run_through(refine(project, encoder))
    names = RefineAttempt.objects.filter(item__run=run).values_list("model__name", flat=True)
    assert list(names) == ["First", "Second", "First"]


def test_refining_continues_after_the_last_attempt_of_a_killed_worker(
    project, encoder, chain, scored, load
):
    load["opencv-draft"] = Writer("bad one", KeyboardInterrupt())
    run = refine(project, encoder)
    with pytest.raises(KeyboardInterrupt):
        work_on(job_id=run.pk)
    load["opencv-draft"] = Writer("good good two")
    run.items.update(state="waiting")
    run_through(run)
    attempts = RefineAttempt.objects.filter(item__run=run)
    assert list(attempts.values_list("number", "caption__text")) == [
        (1, "bad one"),
        (2, "good good two"),
    ]
    assert Caption.objects.filter(text="bad one").count() == 1


def test_a_server_that_is_away_uses_no_attempt_up(project, encoder, chain, scored, load):
    load["opencv-draft"] = Writer(BackendError("unreachable", "Nobody answers.", transient=True))
    run = run_through(refine(project, encoder))
    assert (run.state, states(run)) == ("failed", ["waiting"])
    assert RefineAttempt.objects.count() == 0


def test_an_unavailable_model_of_the_list_stops_the_run(
    project, encoder, chain, scored, load, monkeypatch
):
    def missing(settings):
        raise BackendError("not_installed", "This worker lacks torch.")

    monkeypatch.setattr("inference.kinds.refine.load_model", missing)
    run = run_through(refine(project, encoder))
    assert (run.state, run.reason) == ("failed", "First: This worker lacks torch.")
    assert states(run) == ["waiting"]
    assert RefineAttempt.objects.count() == 0


def test_what_a_person_wrote_is_never_regenerated(project, encoder, chain, clips, write, load):
    write(clips[0], "bad splash", source="human")
    run_through(start_run(project=project, kind="score", model=encoder))
    with pytest.raises(InferenceError, match="Nothing to refine"):
        refine(project, encoder)


def test_a_clip_written_by_hand_before_is_asked_of_somebody_else(
    project, encoder, chain, scored, load
):
    load["opencv-draft"] = Writer("bad one", "bad two", "bad three")
    WorkItem.objects.create(
        project=project, clip=scored[0].clip, kind="hand", state="done", open_slots=0
    )
    run_through(refine(project, encoder))
    item = WorkItem.objects.get(kind="hand")
    assert (item.state, item.needed, item.open_slots) == ("open", 2, 1)


def test_the_adopted_threshold_is_the_one_of_this_scorer(project, encoder, chain, scored, load):
    scorer = QualityScore.objects.values_list("scorer", flat=True).first()
    for name, value in [("0" * 64, 0.9), (scorer, 0.05)]:
        QualityThreshold.objects.create(project=project, scorer=name, scorer_name="", value=value)
    with pytest.raises(InferenceError, match=r"Every scored caption reaches 0\.05"):
        refine(project, encoder)


def test_scores_of_another_scorer_do_not_count(project, encoder, chain, scored, load):
    with pytest.raises(InferenceError, match="No caption has a score made this way"):
        refine(project, encoder, sampling={"kind": "every", "step": 7})


def test_without_a_list_of_models_nothing_starts(project, encoder, scored):
    with pytest.raises(InferenceError, match="The refinement order is empty"):
        refine(project, encoder)

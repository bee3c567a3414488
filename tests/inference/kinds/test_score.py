"""EVQAScore of stored captions."""

from __future__ import annotations

import numpy as np
import pytest

from annotate.models import Caption
from inference.backends.protocols import BackendError
from inference.errors import InferenceError
from inference.kinds import scoring
from inference.models import QualityScore
from tests.cast import make_clip
from tests.inference.cast import make_model, run_through, start_run, states

pytestmark = pytest.mark.django_db


class Namer:
    """A text model that names keywords."""

    def __init__(self, reply):
        self.reply = reply

    def complete(self, prompts, generation, *, system=""):
        return [self.reply for _ in prompts]


@pytest.fixture
def captions(clips, write):
    return [write(clips[0], "good jump"), write(clips[1], "bad splash")]


def scores() -> dict[str, float]:
    rows = QualityScore.objects.select_related("caption")
    return {score.caption.text: round(score.value, 6) for score in rows}


def test_a_score_is_worked_out_by_hand(project, encoder, captions, load):
    run = run_through(start_run(project=project, kind="score", model=encoder))
    assert states(run) == ["done", "done"]
    # Two one-word captions: the frames are (1, 0, 0, 0). "good jump", "good" and the text itself
    # have cosine 0.6; its other keyword "jump" is bad (0.1).
    score = QualityScore.objects.get(caption=captions[0])
    cosines = [0.6 if "good" in word else 0.1 for word in score.keywords]
    precision, recall = sum(cosines) / len(cosines), max(cosines)
    fine = 2 * precision * recall / (precision + recall)
    assert score.value == pytest.approx((fine + 0.6) / 2, abs=1e-6)
    assert score.details["variant"] == "v3"
    assert scores()["bad splash"] == pytest.approx(0.1, abs=1e-6)


def test_a_score_says_how_it_was_made(project, encoder, captions, load):
    run_through(start_run(project=project, kind="score", model=encoder))
    score = QualityScore.objects.first()
    assert (
        score.scorer_name
        == "EVQAScore v3, lexical, every 30th frame, TF-IDF keywords over 2 captions"
    )


def test_only_the_newest_caption_of_a_clip_is_scored(
    project, encoder, clips, captions, write, load
):
    write(clips[0], "good and new")
    run_through(start_run(project=project, kind="score", model=encoder))
    assert set(scores()) == {"good and new", "bad splash"}


def test_what_is_scored_already_is_not_scored_again_when_a_caption_is_added(
    project, encoder, clips, captions, write, load
):
    run_through(start_run(project=project, kind="score", model=encoder))
    write(clips[0], "good and new")
    again = run_through(start_run(project=project, kind="score", model=encoder))
    assert sorted(states(again)) == ["done", "skipped"]
    assert set(QualityScore.objects.values_list("item__stale_because", flat=True)) == {""}


def test_captions_of_whole_videos_have_a_scorer_of_their_own(
    project, encoder, captions, clips, load
):
    whole = make_clip(project, video=clips[0].video)
    full = Caption.objects.create(
        project=project, clip=whole, kind="full_video", source="machine", text="good", word_count=1
    )
    run_through(start_run(project=project, kind="score", model=encoder))
    of_videos = start_run(
        project=project, kind="score", model=encoder, options={"of": "full_video"}
    )
    assert states(run_through(of_videos)) == ["done"]
    score = QualityScore.objects.get(caption=full)
    assert score.scorer_name == (
        "EVQAScore v3 of whole videos, lexical, every 30th frame, TF-IDF keywords over 1 caption"
    )
    assert QualityScore.objects.exclude(scorer=score.scorer).count() == len(captions)
    # Neither outdates the other.
    again = run_through(start_run(project=project, kind="score", model=encoder))
    assert states(again) == ["skipped"] * len(captions)
    assert of_videos.items.get().stale_because == ""


def test_another_interval_is_another_scorer(project, encoder, captions, load):
    run_through(start_run(project=project, kind="score", model=encoder))
    often = {"sampling": {"kind": "every", "step": 10}}
    run_through(start_run(project=project, kind="score", model=encoder, options=often))
    assert QualityScore.objects.count() == 4
    assert QualityScore.objects.values_list("scorer", flat=True).distinct().count() == 2


def test_keywords_may_come_from_a_text_model(project, encoder, captions, load):
    load["openai-compatible"] = Namer("Answer: good, good thing")
    server = {"parameters": {"server": "here"}, "model_id": "qwen"}
    namer = make_model(project, "openai-compatible", **server)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("django.conf.settings.VERICAP_MODEL_SERVERS", {"here": object()})
        run = start_run(
            project=project, kind="score", model=encoder, options={"keyword_model": namer.pk}
        )
    run_through(run)
    score = QualityScore.objects.get(caption=captions[1])
    assert score.keywords == ["good", "good thing"]
    assert score.scorer_name.endswith("keywords by qwen")


def test_a_caption_without_keywords_is_refused_by_name(project, encoder, clips, write, load):
    write(clips[0], "The of and.")
    run = run_through(start_run(project=project, kind="score", model=encoder))
    assert run.items.get().code == "no_keywords"


def test_a_failing_namer_fails_what_it_was_asked_about(project, encoder, captions, load):
    load["lexical"].encode_texts = lambda texts: [BackendError("busy", "Full.")] * len(texts)
    run = run_through(start_run(project=project, kind="score", model=encoder))
    assert states(run) == ["failed", "failed"]
    assert set(run.items.values_list("code", flat=True)) == {"busy"}


def test_the_unbounded_variant_needs_token_vectors(project, encoder, captions, load):
    run = run_through(
        start_run(project=project, kind="score", model=encoder, options={"variant": "v1"})
    )
    assert set(run.items.values_list("code", flat=True)) == {"no_token_vectors"}


def test_without_captions_there_is_nothing_to_score(project, encoder, clips):
    with pytest.raises(InferenceError, match="Run captions first"):
        start_run(project=project, kind="score", model=encoder)


def test_frames_that_cancel_out_have_no_score(project, encoder, captions, load):
    ahead = load["lexical"].picture
    load["lexical"].encode_frames = lambda clip: np.stack([ahead, -ahead])
    run = run_through(start_run(project=project, kind="score", model=encoder))
    assert set(run.items.values_list("code", flat=True)) == {"no_score"}


def test_the_captions_are_counted_once_a_run_and_not_with_every_turn(
    project, encoder, captions, load, monkeypatch
):
    counted = []
    count = scoring.document_frequencies
    monkeypatch.setattr(
        scoring, "document_frequencies", lambda texts: counted.append(1) or count(texts)
    )
    monkeypatch.setattr("annotate.jobs.services.working.TURN_SECONDS", 0)
    run = start_run(project=project, kind="score", model=encoder)
    run_through(run)
    assert sorted(states(run)) == ["done", "waiting"]
    assert run_through(run).state == "done"
    assert counted == [1]


def test_the_same_text_has_the_same_score_when_the_project_has_other_captions(
    project, encoder, clips, write, load
):
    first = write(clips[0], "Splash. Good.")
    options = {"keywords_at_most": 1}
    run_through(start_run(project=project, kind="score", model=encoder, options=options))
    # Counted over these too, "splash" would be common, and "good" the rarer word.
    write(clips[1], "Splash.")
    write(clips[1], "Splash. Splash.")
    second = write(clips[0], "Splash! Good.")
    run = run_through(start_run(project=project, kind="score", model=encoder, options=options))
    assert run.recipe["counted"] == 1
    scored = {
        score.caption_id: (score.value, score.keywords) for score in QualityScore.objects.all()
    }
    assert scored[first.pk] == scored[second.pk]
    assert QualityScore.objects.values("scorer").distinct().count() == 1


def test_words_that_are_counted_again_make_another_scorer(project, encoder, captions, write, load):
    run_through(start_run(project=project, kind="score", model=encoder))
    newest = write(captions[0].clip, "good and new")
    again = start_run(project=project, kind="score", model=encoder, counts_again=True)
    run_through(again)
    assert states(again) == ["done", "done"]
    counted = QualityScore.objects.filter(scorer_name__endswith="over 3 captions")
    assert set(counted.values_list("caption", flat=True)) == {newest.pk, captions[1].pk}
    earlier = QualityScore.objects.filter(scorer_name__endswith="over 2 captions")
    assert set(earlier.values_list("item__stale_because", flat=True)) == {"words"}
    later = start_run(project=project, kind="score", model=encoder)
    assert later.recipe["counted"] == 3


def test_a_model_that_names_other_keywords_scores_the_same_text_alike(
    project, encoder, clips, write, load, settings
):
    settings.VERICAP_MODEL_SERVERS = {"here": object()}
    server = {"parameters": {"server": "here"}, "model_id": "qwen"}
    namer = make_model(project, "openai-compatible", **server)
    options = {"keyword_model": namer.pk}
    load["openai-compatible"] = Namer("good")
    first = write(clips[0], "A good dive.")
    run_through(start_run(project=project, kind="score", model=encoder, options=options))
    load["openai-compatible"] = Namer("dive")
    second = write(clips[0], "A good dive.")
    run_through(start_run(project=project, kind="score", model=encoder, options=options))
    keywords = dict(QualityScore.objects.values_list("caption", "keywords"))
    assert keywords == {first.pk: ["good"], second.pk: ["good"]}

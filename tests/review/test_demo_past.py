"""What the demo makes up about its past: votes, picks, candidates, vectors, takedowns."""

import pytest

from annotate.models import Candidate, Caption
from fixtures.demo_content import Segment, load_demo
from inference.models import Embedding, InferenceRun
from review.comparisons.models import Vote
from review.frozen.takedowns import Takedown
from review.identification.models import IdentificationTest, IdentifiedClip
from review.management.first_round import OPENING, WRITE_UPS
from review.management.first_takedowns import TAKEN_DOWN, UNDONE, take_down_videos
from review.management.first_test import identify_clips
from review.management.first_votes import vote_first
from review.management.known_votes import know_votes
from review.management.set_up import WHY_REJECTED, add_candidates
from review.management.simulated_encoders import ENCODERS, embed_simulated
from review.quality.models import GivenAnswer, KnownAnswer, TrainingPass
from review.quality.training import training_of
from tests.cast import make_clip, make_video
from tests.review.comparisons.comparing import start_round
from tests.review.identification.identifying import make_complete

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def test_votes_prefer_what_people_wrote_and_leave_pairs_to_try(project, emil, rita):
    clips = [make_clip(project) for _ in range(20)]
    names = (OPENING, "People, first write-up")
    start_round(project, clips, names=names, votes_per_pair=60, shared_percent=50)
    vote_first(project=project, people=[emil, rita])
    votes = Vote.objects.select_related("caption_pair__left__system", "caption_pair__right__system")
    assert votes.count() == 28
    winners = [
        getattr(vote.caption_pair, vote.outcome).system.name
        for vote in votes
        if vote.outcome in {"left", "right"}
    ]
    assert winners.count(names[1]) > winners.count(OPENING)
    days = {vote.created_at.date() for vote in votes}
    assert len(days) >= 5
    vote_first(project=project, people=[emil, rita])
    assert votes.count() == 28


def test_clear_votes_become_training_and_gold(project, ada, emil, rita):
    clips = [make_clip(project) for _ in range(40)]
    start_round(project, clips, names=(OPENING, *WRITE_UPS), votes_per_pair=60)
    vote_first(project=project, people=[emil, rita, ada])
    for _ in range(2):
        know_votes(project=project, trainee=emil, others=[rita, ada], admin=ada)
    purposes = KnownAnswer.objects.values_list("item__purpose", flat=True)
    assert sorted(purposes) == ["gold", "gold", "gold", "training", "training"]
    answers = list(GivenAnswer.objects.order_by("pk").values_list("is_right", flat=True))
    assert len(answers) > 2
    assert answers.count(False) == 1
    assert len(training_of(project, emil, "compare").items) == 2
    assert Vote.objects.count() == 42
    assert set(TrainingPass.objects.values_list("person", flat=True)) == {rita.pk, ada.pk}


def test_the_demo_segments_lie_in_its_long_video(project, ada):
    demo = load_demo()
    assert {segment.file for segment in demo.segments} == {video.file for video in demo.sources}
    assert all(0 <= segment.start < segment.end <= 26.4 for segment in demo.segments)
    video = make_video(project, original_name="drawn_day.mp4", frames=660)
    make_clip(project, video=video)
    add_candidates(project=project, segments=demo.segments, admin=ada)
    add_candidates(project=project, segments=[Segment("x.mp4", "A", "b", 0, 1)], admin=ada)
    states = list(Candidate.objects.order_by("number").values_list("state", "reason"))
    assert states == [("undecided", "")] * 3 + [("rejected", WHY_REJECTED)]
    video.refresh_from_db()
    assert video.excluded_because


def test_each_text_of_complete_dives_is_identified_by_somebody_who_wrote_none(
    project, anna, rita, ada
):
    people = [rita, ada]
    identify_clips(project=project, people=people, admin=ada)
    assert not IdentificationTest.objects.exists(), "nothing to test yet"
    for word in ("dog", "cat", "bird", "fish"):
        make_complete(project, anna, word)
    identify_clips(project=project, people=people, admin=ada)
    test = IdentificationTest.objects.get()
    picks = IdentifiedClip.objects.filter(task__text__test=test)
    assert picks.values("task__text").distinct().count() == test.texts.count() == 8
    assert set(picks.values_list("task__person", flat=True)) == {rita.pk, ada.pk}
    assert test.created_at < picks[0].created_at < test.ended_at
    identify_clips(project=project, people=people, admin=ada)
    assert IdentificationTest.objects.count() == 1


def test_made_up_encoders_have_vectors_of_each_clip_and_its_caption(project, ada):
    for text in ("A dog runs to the door and barks.", "Two birds sit on a wire and sing."):
        clip = make_clip(project)
        Caption.objects.create(
            project=project, clip=clip, kind="general", source="merged", text=text, word_count=8
        )
    embed_simulated(project=project, admin=ada, embeds_texts=True)
    vectors = Embedding.objects.filter(project=project)
    assert vectors.values("space").distinct().count() == len(ENCODERS)
    assert vectors.filter(caption=None).count() == 2 * len(ENCODERS)
    assert vectors.filter(clip=None).count() == 2 * len(ENCODERS)
    runs = InferenceRun.objects.filter(project=project)
    assert {run.title for run in runs} == {encoder.name for encoder in ENCODERS}
    embed_simulated(project=project, admin=ada, embeds_texts=True)
    assert vectors.count() == 4 * len(ENCODERS)


def test_one_video_is_taken_down_and_one_was(project, ada):
    for name in (UNDONE, TAKEN_DOWN):
        make_video(project, original_name=name)
    for _ in range(2):
        take_down_videos(project=project, admin=ada)
        takedowns = Takedown.objects.order_by("pk")
        is_undone = {t.video.original_name: hasattr(t, "reinstatement") for t in takedowns}
        assert is_undone == {UNDONE: True, TAKEN_DOWN: False}
        assert len(takedowns) == 2

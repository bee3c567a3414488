"""The demo's running round: real texts, two people who can vote at once, and nobody unmasked."""

import pytest

from annotate.models import Caption, WorkItem
from fixtures.demo_content import load_demo
from inference.models import InferenceRun
from review.captions.models import CaptionSet
from review.comparisons.models import Round, SystemCaption, SystemPair, Vote
from review.management.first_round import DRAFT, OPENING, WRITE_UPS, start_first_round
from review.rounds.entries import words_naming
from tests.review.cast import make_short_project, open_clip, write
from tests.review.comparisons.comparing import next_caption_pair, vote_for

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database]


@pytest.fixture
def project(transactional_db):
    return make_short_project()


@pytest.fixture
def round(project, anna, ben, ada, make_playable_clip):
    """One clip with both write-ups, one with the first alone, one without any."""
    for name, writers in (("dive_red_tuck", (anna, ben)), ("bikes", (anna,)), ("bunny", ())):
        clip = open_clip(project, name, make=make_playable_clip)
        if writers:
            write(project, clip, *writers)
    start_first_round(project=project, admin=ada)
    return Round.objects.get()


def test_it_runs_with_the_texts_of_people_and_of_a_run_and_starting_it_again_changes_nothing(
    round, ada
):
    draft, opening, first, second = CaptionSet.objects.order_by("pk")
    assert (draft.name, opening.name, first.name, second.name) == (DRAFT, OPENING, *WRITE_UPS)
    assert [caption_set.captions.count() for caption_set in (draft, opening, first, second)] == [
        3,
        3,
        2,
        1,
    ]
    assert draft.run.model.backend == "opencv-draft"
    assert draft.run.state == InferenceRun.State.DONE
    assert {set_caption.caption.source for set_caption in draft.captions.all()} == {
        Caption.Source.MACHINE
    }
    assert {set_caption.caption.source for set_caption in first.captions.all()} == {
        Caption.Source.HUMAN
    }
    draft_texts = dict(draft.captions.values_list("clip", "caption__text"))
    for clip, text in opening.captions.values_list("clip", "caption__text"):
        assert draft_texts[clip].startswith(text)
        assert len(text) < len(draft_texts[clip])

    assert round.ended_at is None
    assert not Vote.objects.exists()
    assert not SystemCaption.objects.exclude(names_its_model="").exists()
    # Both people wrote the same words here, and nobody compares a text with itself.
    assert list(round.pairs.values_list("clips", flat=True)) == [3, 2, 1, 2, 1, 0]

    start_first_round(project=round.project, admin=ada)
    assert (Round.objects.count(), InferenceRun.objects.count()) == (1, 1)
    assert not WorkItem.objects.filter(kind="compare").exists()


def test_expert_and_reviewer_can_vote_at_once(round, emil, rita):
    for person in (emil, rita):
        assert next_caption_pair(round.project, person) is not None
        for _ in range(9):
            assert vote_for(round.project, person, WRITE_UPS[0])
        assert next_caption_pair(round.project, person) is None
    assert list(SystemPair.objects.values_list("decided", flat=True)) == [6, 4, 2, 4, 2, 0]


def test_one_person_finds_thirty_pairs_in_the_demo():
    counts = [len(video.write_ups) for video in load_demo().videos]
    first, second = (sum(count > place for count in counts) for place in (0, 1))
    # Either draft beside the other and beside each write-up, and the write-ups beside each other.
    assert len(counts) + 2 * (first + second) + second >= 30


def test_no_write_up_of_the_demo_names_its_source():
    texts = [
        text
        for video in load_demo().videos
        for write_up in video.write_ups
        for text in write_up.parts().values()
    ]
    assert texts
    assert not [text for text in texts if words_naming(text, (DRAFT, OPENING, *WRITE_UPS))]

"""Who is given which pair of captions, on which sides."""

from collections import Counter
from datetime import timedelta

import pytest
from django.utils import timezone

from annotate.errors import AnnotateError
from annotate.models import Membership, Role, WorkItem
from annotate.queue import services as queue
from review.comparisons.models import CaptionPair, SystemPair
from review.comparisons.pairing import REPEAT_GAP, votes_ahead
from review.comparisons.services import show_names
from review.rounds.services import end_round, open_round
from tests.cast import make_cast, make_clip, make_person, make_project
from tests.review.comparisons.comparing import (
    make_set,
    next_caption_pair,
    start_round,
    vote,
    vote_for,
)

pytestmark = pytest.mark.django_db
NAMES = ("Avocet", "Bittern", "Crane")


@pytest.fixture(scope="module")
def made(kept):
    project = make_project()
    clips = [make_clip(project) for _ in range(8)]
    return {"project": project, **make_cast(project), "clips": clips}


@pytest.fixture
def clips(shared):
    return shared["clips"]


def test_votes_are_spread_evenly_over_pairs_and_sides_over_models(project, clips, rita, emil):
    opened = start_round(project, clips, NAMES, votes_per_pair=4)
    for _ in range(6):
        for person in (rita, emil):
            vote_for(project, person, "Avocet")
    assert list(opened.pairs.values_list("given", "first_left", "decided")) == [(4, 2, 4)] * 3
    assert next_caption_pair(project, rita) is None
    lefts = Counter(CaptionPair.objects.values_list("left__system__name", flat=True))
    assert lefts == {"Avocet": 4, "Bittern": 4, "Crane": 4}


def test_among_equally_compared_pairs_the_least_certain_comes_first(project, clips, rita):
    opened = start_round(project, clips, NAMES)
    certain, open_question, other = opened.pairs.all()
    for pair, points in ((certain, 9), (open_question, 5), (other, 2)):
        SystemPair.objects.filter(pk=pair.pk).update(given=10, decided=10, first_points=points)
    _, caption_pair = next_caption_pair(project, rita)
    assert caption_pair.pair == open_question
    SystemPair.objects.filter(pk=certain.pk).update(given=3)
    CaptionPair.objects.all().delete()
    WorkItem.objects.all().delete()
    _, caption_pair = next_caption_pair(project, rita)
    assert caption_pair.pair == certain


def test_nobody_gets_the_same_pair_of_a_clip_twice(project, clips, rita):
    start_round(project, clips, ("Avocet", "Bittern"))
    clip_ids = []
    while claim := next_caption_pair(project, rita):
        clip_ids.append(claim[1].clip_id)
        vote(claim[0])
    assert sorted(clip_ids) == sorted(clip.pk for clip in clips)


def test_the_least_compared_clip_comes_first(project, clips, rita, emil):
    start_round(project, clips, ("Avocet", "Bittern"))
    of_rita = {next_caption_pair(project, rita)[1].clip_id}
    of_rita |= set(CaptionPair.objects.values_list("clip", flat=True))
    of_emil = {next_caption_pair(project, emil)[1].clip_id}
    assert not of_rita & of_emil


def test_clips_that_nobody_has_compared_come_in_the_order_of_the_round(project, clips, rita):
    opened = start_round(project, clips, ("Avocet", "Bittern"), seed=3)
    for _ in clips:
        vote_for(project, rita, "Avocet")
    compared_clips = CaptionPair.objects.order_by("pk").values_list("clip", flat=True)
    in_order = opened.clips.order_by("place").values_list("clip", flat=True)
    assert list(compared_clips) == list(in_order) != sorted(in_order)


def test_a_reviewer_sees_another_clip_each_time_as_long_as_there_is_one(project, clips, rita):
    start_round(project, clips, NAMES)
    for _ in range(len(clips)):
        vote_for(project, rita, "Avocet")
    voted = CaptionPair.objects.filter(votes__isnull=False)
    assert sorted(voted.values_list("clip", flat=True)) == sorted(clip.pk for clip in clips)


def test_some_votes_are_shared_between_reviewers(project, clips, rita, emil):
    start_round(project, clips, ("Avocet", "Bittern"), shared_percent=50, votes_per_pair=8)
    for _ in range(4):
        for person in (rita, emil):
            vote_for(project, person, "Avocet")
    by_clip = Counter(CaptionPair.objects.values_list("clip", flat=True))
    assert sum(by_clip.values()) == 8
    # Every second one goes to a clip that somebody else has compared already.
    assert sum(times - 1 for times in by_clip.values()) >= 3


def test_a_planned_share_is_repeated_with_the_sides_swapped(project, clips, rita):
    start_round(project, clips, NAMES, repeat_percent=20)
    for _ in range(18):
        assert vote_for(project, rita, "Avocet")
    own = CaptionPair.objects.filter(reviewer=rita)
    repeats = own.exclude(repeat_of=None).select_related("repeat_of")
    assert len(repeats) == 3
    for repeat in repeats:
        seen = repeat.repeat_of
        assert (repeat.left_id, repeat.right_id) == (seen.right_id, seen.left_id)
        assert own.filter(repeat_of=None, pk__gt=seen.pk, pk__lt=repeat.pk).count() >= REPEAT_GAP
    # They say nothing new about the models, so they are not counted among the pair's votes.
    counted = sum(SystemPair.objects.values_list("decided", flat=True))
    assert counted == 18 - repeats.filter(votes__isnull=False).count()


def test_a_pair_reserved_for_one_person_goes_to_nobody_else(project, clips, rita, emil):
    start_round(project, clips, ("Avocet", "Bittern"), votes_per_pair=1)
    next_caption_pair(project, rita)
    assert WorkItem.objects.count() == 1
    assert next_caption_pair(project, emil) is None
    member = Membership.objects.get(user=emil, project=project)
    assert not queue.claimable_by(emil, project, "compare").exists()
    assert votes_ahead(member) == 0


def test_a_reserved_pair_that_stays_unclaimed_goes_to_somebody_else(project, clips, rita, emil):
    opened = start_round(project, clips, ("Avocet", "Bittern"), votes_per_pair=2)
    next_caption_pair(project, rita)
    assert next_caption_pair(project, emil) is None
    WorkItem.objects.update(created_at=timezone.now() - timedelta(days=2))
    assert next_caption_pair(project, emil) is not None
    # What Rita holds is still hers.
    assert Counter(WorkItem.objects.values_list("state", "reserved_for")) == {
        ("open", rita.pk): 1,
        ("cancelled", rita.pk): 1,
        ("open", emil.pk): 1,
    }
    [pair] = opened.pairs.all()
    assert pair.given == 2


def test_a_clip_whose_names_were_shown_is_not_given_again(project, clips, rita):
    start_round(project, clips[:2], NAMES)
    held, caption_pair = next_caption_pair(project, rita)
    vote(held)
    show_names(caption_pair=caption_pair, reviewer=rita)
    others = []
    while claim := next_caption_pair(project, rita):
        others.append(claim[1].clip_id)
        vote(claim[0])
    assert caption_pair.clip_id not in others
    assert len(others) == 3


def test_it_counts_the_votes_ahead_of_a_person(project, clips, rita):
    member = Membership.objects.get(user=rita, project=project)
    assert votes_ahead(member) == 0
    start_round(project, clips, ("Avocet", "Bittern"), votes_per_pair=20)
    assert votes_ahead(member) == 8
    next_caption_pair(project, rita)  # one is held, one waits
    assert votes_ahead(member) == 6


def test_choosing_a_pair_takes_as_many_queries_with_more_clips_and_models(
    project, clips, rita, count_queries_of
):
    opened = start_round(project, clips[:3], ("Avocet", "Bittern"))
    few = count_queries_of(lambda: next_caption_pair(project, rita))
    end_round(round=opened, admin=None)
    start_round(project, clips, ("Crane", "Dunlin", "Egret"))
    other = make_person("Sol", project, Role.REVIEWER)
    many = count_queries_of(lambda: next_caption_pair(project, other))
    assert few == many


@pytest.fixture
def count_queries_of():
    from tests.cast import count_queries

    def count(call) -> int:
        with count_queries() as counted:
            call()
        return int(counted)

    return count


def test_a_person_compares_no_caption_that_an_earlier_round_named_to_them(
    project, clips, rita, emil
):
    sets = [make_set(project, name, clips[:2]) for name in NAMES]
    options = {"project": project, "admin": None, "votes_per_pair": 20, "repeat_percent": 0}
    first = open_round(sets=sets[:2], **options)
    seen = vote_for(project, rita, "Avocet").caption_pair
    end_round(round=first, admin=None)
    second = open_round(sets=sets[1:], **options)
    member = Membership.objects.get(user=rita, project=project)
    assert votes_ahead(member) == 2
    held, _ = next_caption_pair(project, rita)
    # Named while she holds one and one waits for her: Bittern on the clip of the first round.
    show_names(caption_pair=seen, reviewer=rita)
    own = CaptionPair.objects.filter(round=second, reviewer=rita, names_shown_at=None)
    assert list(own.values_list("clip", flat=True)) == [
        clip.pk for clip in clips[:2] if clip.pk != seen.clip_id
    ]
    if held.item.clip_id == seen.clip_id:
        with pytest.raises(AnnotateError, match="You have seen which models"):
            vote(held)
        queue.skip(assignment_id=held.pk, annotator=rita, reason="seen")
        held, _ = next_caption_pair(project, rita)
    vote(held)
    assert next_caption_pair(project, rita) is None
    # To somebody who has not seen the name it comes.
    of_emil = {vote_for(project, emil, "Crane").caption_pair.clip_id for _ in range(2)}
    assert of_emil == {clip.pk for clip in clips[:2]}


def test_captions_named_before_a_round_are_not_chosen_in_it(project, clips, rita):
    sets = [make_set(project, name, clips[:3]) for name in (*NAMES, "Dunlin")]
    options = {"project": project, "admin": None, "votes_per_pair": 20, "repeat_percent": 0}
    first = open_round(sets=sets[:2], **options)
    seen = vote_for(project, rita, "Avocet").caption_pair
    show_names(caption_pair=seen, reviewer=rita)
    end_round(round=first, admin=None)
    second = open_round(sets=sets[1:], **options)
    member = Membership.objects.get(user=rita, project=project)
    assert votes_ahead(member) == 7
    while vote_for(project, rita, "Crane"):
        pass
    of_clip = CaptionPair.objects.filter(round=second, clip=seen.clip_id)
    pairs = list(of_clip.values_list("pair__first__name", "pair__second__name"))
    assert pairs == [("Crane", "Dunlin")]
    assert CaptionPair.objects.filter(round=second).count() == 7


def test_a_pair_whose_captions_were_named_since_is_not_repeated(project, clips, rita):
    sets = [make_set(project, name, clips) for name in NAMES]
    options = {"project": project, "admin": None, "votes_per_pair": 50, "shared_percent": 0}
    first = open_round(sets=sets[:2], repeat_percent=0, **options)
    seen, *_ = (vote_for(project, rita, "Avocet").caption_pair for _ in clips)
    end_round(round=first, admin=None)
    second = open_round(sets=sets[1:], repeat_percent=50, **options)
    own = CaptionPair.objects.filter(round=second, reviewer=rita)
    vote_for(project, rita, "Crane")
    assert own.order_by("pk").first().clip_id == seen.clip_id
    show_names(caption_pair=seen, reviewer=rita)
    while vote_for(project, rita, "Crane"):
        pass
    repeats = own.exclude(repeat_of=None)
    assert repeats.exists()
    assert not repeats.filter(clip=seen.clip_id).exists()

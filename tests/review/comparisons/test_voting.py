"""Votes that count once, can be changed until the names are shown, and are never overwritten."""

from uuid import uuid4

import pytest
from django.urls import reverse

from annotate.corpus.blindness import captions_to_judge
from annotate.corpus.caption_history import sees_every_caption
from annotate.errors import AnnotateError, LeaseLost, WorkInvalid
from annotate.models import Membership, WorkItem
from review.comparisons.content import MAX_REMARK_LENGTH, shown_on
from review.comparisons.models import CaptionPair, SystemPair, Vote
from review.comparisons.services import change_vote, show_names
from review.errors import ReviewError
from review.reports.services import recompute
from review.rounds.services import end_round, open_round
from tests.cast import client_of, make_clip
from tests.review.comparisons.comparing import (
    make_set,
    next_caption_pair,
    start_round,
    vote,
    vote_for,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def clips(project):
    return [make_clip(project) for _ in range(4)]


@pytest.fixture
def round(project, clips):
    return start_round(project, clips)


@pytest.fixture
def claim(project, round, rita):
    """What the queue gives Rita first: an assignment and its pair of captions."""
    return next_caption_pair(project, rita)


def test_a_vote_is_stored_with_its_reasons(claim, rita):
    held, caption_pair = claim
    made = vote(held, "right", **{"reason-order": "on", "remark": " The end is told first. "})
    assert (made.caption_pair, made.outcome, made.reasons, made.remark, made.assignment) == (
        caption_pair,
        "right",
        ["order"],
        "The end is told first.",
        held,
    )
    held.refresh_from_db()
    assert held.state == "submitted"
    assert WorkItem.objects.get(pk=held.item_id).state == "done"


@pytest.mark.parametrize(
    ("outcome", "points"), [("left", 1), ("right", 0), ("tie", 0.5), ("both_bad", 0.5)]
)
def test_a_vote_counts_for_the_choice_of_the_next_pair(claim, outcome, points):
    held, caption_pair = claim
    vote(held, outcome)
    pair = SystemPair.objects.get()
    first_is_left = caption_pair.left.system_id == pair.first_id
    assert pair.decided == 1
    assert pair.first_points == (points if first_is_left else 1 - points)


def test_the_same_submit_twice_is_one_vote(claim):
    held, _ = claim
    key = uuid4()
    vote(held, "left", key=key)
    vote(held, "right", key=key)
    assert Vote.objects.get().outcome == "left"
    with pytest.raises(LeaseLost):
        vote(held, "right")
    assert Vote.objects.count() == 1


@pytest.mark.parametrize("content", [{}, {"outcome": "draw"}, {"outcome": "LEFT"}])
def test_an_unknown_outcome_is_refused(claim, content):
    with pytest.raises(WorkInvalid) as refused:
        vote(claim[0], **{"outcome": "", **content})
    assert [problem.field for problem in refused.value.problems] == ["outcome"]
    assert not Vote.objects.exists()


def test_a_long_remark_says_how_long(claim):
    with pytest.raises(WorkInvalid, match=r"2000 characters \(it has 2001\)"):
        vote(claim[0], remark="x" * (MAX_REMARK_LENGTH + 1))


def test_a_form_with_the_sides_swapped_or_of_another_pair_is_refused(project, claim, rita):
    held, caption_pair = claim
    swapped = CaptionPair(
        pk=caption_pair.pk, left_id=caption_pair.right_id, right_id=caption_pair.left_id
    )
    other = CaptionPair.objects.exclude(pk=caption_pair.pk).get()
    for signature in (shown_on(swapped), shown_on(other), "", "left"):
        with pytest.raises(AnnotateError, match="different captions"):
            vote(held, signature=signature)
    assert not Vote.objects.exists()


def test_a_caption_pair_of_somebody_else_is_refused(claim, emil):
    held, caption_pair = claim
    CaptionPair.objects.filter(pk=caption_pair.pk).update(reviewer=emil)
    with pytest.raises(AnnotateError, match="somebody else"):
        vote(held)


def test_work_about_another_projects_caption_pair_is_refused(project, claim, rita):
    held, _ = claim
    WorkItem.objects.filter(pk=held.item_id).update(subject=10**9)
    with pytest.raises(AnnotateError, match="has no pair"):
        vote(held, signature="x")


def test_a_changed_vote_is_added_and_the_first_is_kept(claim, rita):
    held, caption_pair = claim
    first = vote(held, "left")
    second = change_vote(caption_pair=caption_pair, reviewer=rita, content={"outcome": "right"})
    assert list(Vote.objects.values_list("outcome", "corrects")) == [
        ("left", None),
        ("right", first.pk),
    ]
    assert Vote.objects.current().get() == second
    pair = SystemPair.objects.get()
    first_is_left = caption_pair.left.system_id == pair.first_id
    assert (pair.decided, pair.first_points) == (1, 0 if first_is_left else 1)
    assert (
        change_vote(caption_pair=caption_pair, reviewer=rita, content={"outcome": "right"})
        == second
    )
    third = change_vote(caption_pair=caption_pair, reviewer=rita, content={"outcome": "tie"})
    assert (third.corrects, Vote.objects.count()) == (second, 3)


def test_after_the_names_a_vote_is_neither_changed_nor_cast(project, clips, rita):
    round = start_round(project, clips[:1], ("Avocet", "Bittern", "Crane"))
    held, caption_pair = next_caption_pair(project, rita)
    vote(held, "left")
    ahead, _ = next_caption_pair(project, rita)
    names = show_names(caption_pair=caption_pair, reviewer=rita)
    assert names == (caption_pair.left.system.name, caption_pair.right.system.name)
    assert show_names(caption_pair=caption_pair, reviewer=rita) == names
    with pytest.raises(ReviewError, match="You have seen which models"):
        change_vote(caption_pair=caption_pair, reviewer=rita, content={"outcome": "tie"})
    # A caption of this one was named just now.
    with pytest.raises(AnnotateError, match="You have seen which models"):
        vote(ahead)
    assert Vote.objects.count() == 1
    assert round.caption_pairs.filter(names_shown_at=None).count() == 0
    waiting = WorkItem.objects.filter(kind="compare", open_slots__gt=0, state="open")
    assert not waiting.exists()


def test_the_names_come_after_the_vote_and_to_its_reviewer_only(claim, rita, emil):
    held, caption_pair = claim
    with pytest.raises(ReviewError, match="on these captions first"):
        show_names(caption_pair=caption_pair, reviewer=rita)
    vote(held)
    with pytest.raises(ReviewError, match="on these captions first"):
        show_names(caption_pair=caption_pair, reviewer=emil)
    with pytest.raises(ReviewError, match="on these captions first"):
        change_vote(caption_pair=caption_pair, reviewer=emil, content={"outcome": "tie"})
    caption_pair.refresh_from_db()
    assert caption_pair.names_shown_at is None


def test_a_round_may_hide_its_names_until_it_ends(project, clips, rita):
    round = start_round(project, clips, names_shown="after_round")
    held, caption_pair = next_caption_pair(project, rita)
    vote(held)
    with pytest.raises(ReviewError, match="after the round ends"):
        show_names(caption_pair=caption_pair, reviewer=rita)
    end_round(round=round, admin=None)
    assert len(show_names(caption_pair=caption_pair, reviewer=rita)) == 2
    with pytest.raises(ReviewError):
        change_vote(caption_pair=caption_pair, reviewer=rita, content={"outcome": "tie"})


def test_a_vote_sent_again_after_the_end_is_still_that_vote(project, round, claim):
    held, _ = claim
    key = uuid4()
    vote(held, "left", key=key)
    end_round(round=round, admin=None)
    assert vote(held, "right", key=key).outcome == "left"
    with pytest.raises(LeaseLost, match="already submitted"):
        vote(held, "right")


def test_an_ended_round_keeps_its_votes(project, round, rita):
    made = vote_for(project, rita, "Heron")
    end_round(round=round, admin=None)
    with pytest.raises(ReviewError, match="has ended"):
        change_vote(caption_pair=made.caption_pair, reviewer=rita, content={"outcome": "tie"})


@pytest.mark.usefixtures("counted_one_by_one")
@pytest.mark.parametrize("report", ["leaderboard", "agreement"])
def test_a_vote_that_a_report_counts_can_not_be_changed(project, round, rita, report):
    """The numbers before and after the change would tell which model was on which side."""
    made = vote_for(project, rita, "Heron")
    change_vote(caption_pair=made.caption_pair, reviewer=rita, content={"outcome": "both_bad"})
    recompute(project=project, name=report)
    with pytest.raises(ReviewError, match="already counts this vote"):
        change_vote(caption_pair=made.caption_pair, reviewer=rita, content={"outcome": "tie"})
    later = vote_for(project, rita, "Heron")
    changed = change_vote(
        caption_pair=later.caption_pair, reviewer=rita, content={"outcome": "tie"}
    )
    assert changed.corrects == later


@pytest.mark.usefixtures("counted_one_by_one")
def test_a_vote_that_was_changed_while_it_was_counted_is_not_changed_again(project, round, rita):
    made = vote_for(project, rita, "Heron")
    [report] = recompute(project=project, name="leaderboard")
    newer = Vote.objects.create(caption_pair=made.caption_pair, outcome="tie", corrects=made)
    assert report.result["stored"]["last"] < newer.pk
    with pytest.raises(ReviewError, match="already counts this vote"):
        change_vote(caption_pair=made.caption_pair, reviewer=rita, content={"outcome": "left"})


def test_after_the_names_no_vote_on_that_clip_is_changed(project, clips, rita):
    start_round(project, clips[:1], ("Avocet", "Bittern", "Crane"))
    first, second = (vote_for(project, rita, "Avocet") for _ in range(2))
    show_names(caption_pair=first.caption_pair, reviewer=rita)
    with pytest.raises(ReviewError, match="You have seen which models"):
        change_vote(
            caption_pair=second.caption_pair, reviewer=rita, content={"outcome": "both_bad"}
        )


def test_a_vote_on_a_caption_that_an_earlier_round_names_is_not_changed(project, clips, rita):
    sets = [make_set(project, name, clips[:1]) for name in ("Avocet", "Bittern", "Crane")]
    options = {"project": project, "admin": None, "votes_per_pair": 5}
    first = open_round(sets=sets[:2], **options)
    before = vote_for(project, rita, "Avocet")
    end_round(round=first, admin=None)
    open_round(sets=sets[1:], **options)
    now = vote_for(project, rita, "Crane")
    show_names(caption_pair=before.caption_pair, reviewer=rita)
    with pytest.raises(ReviewError, match="You have seen which models"):
        change_vote(caption_pair=now.caption_pair, reviewer=rita, content={"outcome": "both_bad"})


@pytest.mark.parametrize("file", ["votes.csv", "votes.json"])
def test_votes_of_an_ended_round_wait_while_its_captions_are_compared_again(
    project, clips, rita, ada, file
):
    sets = [make_set(project, name, clips) for name in ("Avocet", "Bittern", "Crane", "Dunlin")]
    options = {"project": project, "admin": None, "votes_per_pair": 5}
    first = open_round(sets=sets[:2], **options)
    vote_for(project, rita, "Avocet")
    end_round(round=first, admin=None)
    address = reverse("review:report_file", args=[project.slug, "leaderboard", first.pk, file])

    def statuses():
        return [client_of(person).get(address).status_code for person in (rita, ada)]

    assert statuses() == [200, 200]
    apart = open_round(sets=sets[2:], **options)
    assert statuses() == [200, 200]
    end_round(round=apart, admin=None)
    again = open_round(sets=sets[1:], **options)
    assert statuses() == [403, 200]
    end_round(round=again, admin=None)
    assert statuses() == [200, 200]


def test_the_clip_page_hides_captions_until_the_vote_is_final(project, clips, rita, anna):
    member, writer = (
        Membership.objects.select_related("project").get(user=person, project=project)
        for person in (rita, anna)
    )
    round = start_round(project, clips)
    assert not any(sees_every_caption(member, clip) for clip in clips)
    first = vote_for(project, rita, "Heron")
    _, caption_pair = next_caption_pair(project, rita)
    show_names(caption_pair=first.caption_pair, reviewer=rita)
    assert sees_every_caption(member, first.caption_pair.clip)
    assert not sees_every_caption(member, caption_pair.clip)
    end_round(round=round, admin=None)
    # It was taken back from her.
    assert sees_every_caption(member, caption_pair.clip)
    assert not captions_to_judge(writer).exists()


def test_pairs_that_wait_when_names_are_shown_go_to_somebody_else(project, clips, rita, emil):
    round = start_round(project, clips[:1], ("Avocet", "Bittern", "Crane"), votes_per_pair=1)
    first = vote_for(project, rita, "Avocet")
    show_names(caption_pair=first.caption_pair, reviewer=rita)
    assert vote_for(project, emil, "Avocet")
    assert vote_for(project, emil, "Avocet")
    assert list(round.pairs.values_list("given", "decided")) == [(1, 1)] * 3

"""Two tabs of one reviewer that act at the same moment, on each database."""

from uuid import uuid4

import pytest

from annotate.errors import AnnotateError, LeaseLost
from annotate.models import Assignment, WorkItem
from review.comparisons.content import shown_on
from review.comparisons.models import CaptionPair, SystemPair, Vote
from review.comparisons.services import change_vote, show_names, submit_vote
from review.errors import ReviewError
from review.rounds.services import end_round
from tests.annotate.queue.test_concurrency import in_threads
from tests.cast import make_clip, make_person, make_project
from tests.review.comparisons.comparing import next_caption_pair, start_round, vote

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def claim():
    """What the queue gives Rita first: an assignment and its pair of captions."""
    project = make_project()
    rita = make_person("Rita", project, "reviewer")
    start_round(project, [make_clip(project)], ("Avocet", "Bittern", "Crane"))
    return next_caption_pair(project, rita)


def submit(held, outcome, key):
    content = {"outcome": outcome, "shown": shown_on(CaptionPair.objects.get(pk=held.item.subject))}
    try:
        submit_vote(
            assignment_id=held.pk,
            annotator=held.annotator,
            key=key,
            base_version=0,
            content=content,
        )
    except LeaseLost:
        return "refused"
    return outcome


def test_one_of_two_tabs_votes_and_the_other_is_refused(claim):
    held, _ = claim
    answers = in_threads(lambda outcome: submit(held, outcome, uuid4()), ["left", "right"])
    assert answers.count("refused") == 1
    [counted] = [answer for answer in answers if answer != "refused"]
    assert list(Vote.objects.values_list("outcome", flat=True)) == [counted]
    held.refresh_from_db()
    assert held.draft["outcome"] == counted
    assert sum(SystemPair.objects.values_list("decided", flat=True)) == 1


def test_a_double_click_is_one_vote(claim):
    held, _ = claim
    key = uuid4()
    assert in_threads(lambda outcome: submit(held, outcome, key), ["left"] * 4) == ["left"] * 4
    assert Vote.objects.count() == 1
    assert sum(SystemPair.objects.values_list("decided", flat=True)) == 1


def test_a_vote_that_is_cast_while_the_round_ends_is_stored_before_it_or_refused(claim):
    held, caption_pair = claim

    def cast(_):
        try:
            return submit(held, "left", uuid4())
        except AnnotateError as error:
            return str(error)

    answer, ended = in_threads(
        lambda act: act(None), [cast, lambda _: end_round(round=caption_pair.round, admin=None)]
    )
    stored = list(Vote.objects.values_list("outcome", flat=True))
    assert (answer, stored) in [
        ("left", ["left"]),
        ("This round has ended, so it takes no more votes.", []),
    ]
    assert not Vote.objects.filter(created_at__gt=ended.ended_at).exists()
    assert not WorkItem.objects.filter(state=WorkItem.State.OPEN).exists()
    assert not Assignment.objects.filter(state=Assignment.State.HELD).exists()


def test_an_assignment_claimed_while_the_round_ends_can_not_vote(claim):
    """`end_round` misses a pair that is claimed between its two queries."""
    held, caption_pair = claim
    end_round(round=caption_pair.round, admin=None)
    Assignment.objects.filter(pk=held.pk).update(state=Assignment.State.HELD)
    with pytest.raises(AnnotateError, match="This round has ended"):
        submit(held, "left", uuid4())
    assert not Vote.objects.exists()


def test_votes_that_are_changed_at_once_follow_one_another(claim):
    held, caption_pair = claim
    vote(held, "left")

    def change(outcome):
        change_vote(
            caption_pair=caption_pair, reviewer=held.annotator, content={"outcome": outcome}
        )

    in_threads(change, ["right", "tie", "both_bad"])
    votes = {each.corrects_id: each for each in Vote.objects.all()}
    assert len(votes) == 4
    current = Vote.objects.current().get()
    following, chain = None, []
    while following in votes:
        chain.append(votes[following])
        following = votes[following].pk
    assert len(chain) == 4
    assert chain[-1] == current
    pair = SystemPair.objects.get(pk=caption_pair.pair_id)
    first_is_left = caption_pair.left.system_id == pair.first_id
    won = {"right": 0 if first_is_left else 1, "tie": 0.5, "both_bad": 0.5}
    assert (pair.decided, pair.first_points) == (1, won[current.outcome])


def test_no_vote_is_changed_after_the_names(claim):
    held, caption_pair = claim
    vote(held, "left")

    def change(_):
        try:
            change_vote(
                caption_pair=caption_pair, reviewer=held.annotator, content={"outcome": "tie"}
            )
        except (AnnotateError, ReviewError):
            return "refused"
        return "changed"

    def look(_):
        show_names(caption_pair=caption_pair, reviewer=held.annotator)
        return "shown"

    answers = in_threads(lambda act: act(None), [change, look])
    caption_pair.refresh_from_db()
    changed = Vote.objects.filter(outcome="tie")
    assert changed.exists() is ("changed" in answers)
    assert not changed.filter(created_at__gt=caption_pair.names_shown_at).exists()
    assert change(None) == "refused"

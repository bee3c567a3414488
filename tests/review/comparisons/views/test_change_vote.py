"""A change of a vote that is refused: what was typed stays on the page."""

import pytest
from django.urls import reverse

from annotate.queue.content import MAX_FIELD_LENGTH
from review.comparisons.services import show_names
from review.rounds.services import end_round
from tests.cast import client_of, make_clip
from tests.review.comparisons.comparing import next_caption_pair, start_round, vote
from tests.review.comparisons.rounds import leaderboard_of

pytestmark = pytest.mark.django_db
TYPED = {"outcome": "right", "reason-order": "on", "remark": "On a <second> look."}


@pytest.fixture
def voted(project, rita):
    """A pair on which Rita has voted: left."""
    start_round(project, [make_clip(project)], ("Egret", "Heron"))
    held, caption_pair = next_caption_pair(project, rita)
    vote(held, "left")
    return caption_pair


def change(person, caption_pair, **data):
    address = reverse("review:change_vote", args=[caption_pair.round.project.slug, caption_pair.pk])
    return client_of(person).post(address, data)


def test_after_the_end_of_the_round_it_says_so_and_shows_what_was_typed(voted, rita):
    end_round(round=voted.round, admin=None)
    response = change(rita, voted, **TYPED)
    assert response.status_code == 409
    assert "This round has ended, so you can’t change its votes." in response.text
    sent = response.text.partition("What you sent")[2]
    assert "Right is better" in sent
    assert "The order is right" in sent
    assert "On a &lt;second&gt; look." in sent
    assert list(voted.votes.values_list("outcome", flat=True)) == ["left"]


def test_once_the_names_were_seen_in_another_tab_it_shows_what_was_typed(voted, rita):
    show_names(caption_pair=voted, reviewer=rita)
    response = change(rita, voted, **TYPED)
    assert response.status_code == 409
    assert "On a &lt;second&gt; look." in response.text
    assert 'name="outcome"' not in response.text
    assert voted.votes.count() == 1


@pytest.mark.usefixtures("counted_one_by_one")
def test_once_the_leaderboard_counts_it_it_says_so_and_shows_what_was_typed(voted, rita):
    leaderboard_of(voted.round)
    response = change(rita, voted, **TYPED)
    assert response.status_code == 409
    assert response.text.count("The leaderboard or the agreement already counts this vote") == 2
    assert "On a &lt;second&gt; look." in response.text
    assert 'name="outcome"' not in response.text
    votes = reverse("review:votes", args=[voted.round.project.slug])
    assert ">Change<" not in client_of(rita).get(votes).text
    assert voted.votes.count() == 1


def test_a_remark_that_is_too_long_to_be_read_stays_in_its_field(voted, rita):
    remark = "y" * (MAX_FIELD_LENGTH + 1)
    response = change(rita, voted, **TYPED | {"remark": remark})
    assert response.status_code == 422
    assert "is too long to save" in response.text
    assert remark in response.text
    assert 'aria-labelledby="outcome-right" checked>' in response.text
    assert voted.votes.count() == 1


def test_without_a_refusal_nothing_is_said_to_be_sent(voted, rita):
    end_round(round=voted.round, admin=None)
    address = reverse("review:vote", args=[voted.round.project.slug, voted.pk])
    assert "What you sent" not in client_of(rita).get(address).text

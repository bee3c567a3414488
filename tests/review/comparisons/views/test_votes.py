"""A person's own votes: the list, changing a vote, and the names, which come only after it."""

import re

import pytest
from django.urls import reverse

from annotate.models import Membership
from review.comparisons import pages
from review.comparisons.models import CaptionPair, Vote
from review.comparisons.services import change_vote, show_names
from review.rounds.services import end_round
from tests.cast import client_of, count_queries, make_cast, make_clip, make_project
from tests.review.comparisons.comparing import next_caption_pair, start_round, vote

pytestmark = pytest.mark.django_db
NAMES = ("Egret", "Heron")


@pytest.fixture(scope="module")
def made(kept):
    """Four clips and who compares them, before the round."""
    project = make_project()
    clips = [make_clip(project) for _ in range(4)]
    return {"project": project, **make_cast(project), "clips": clips}


@pytest.fixture
def clips(shared):
    return shared["clips"]


@pytest.fixture
def round(project, clips):
    return start_round(project, clips, NAMES)


@pytest.fixture
def voted(project, round, rita):
    """A pair on which Rita has voted: left."""
    held, caption_pair = next_caption_pair(project, rita)
    vote(held, "left", **{"reason-order": "on", "remark": "The <end> comes first."})
    return caption_pair


def url(name, caption_pair, project=None):
    project = project or caption_pair.round.project
    return reverse(f"review:{name}", args=[project.slug, caption_pair.pk])


def get(person, caption_pair):
    return client_of(person).get(url("vote", caption_pair))


def post(person, name, caption_pair, **data):
    return client_of(person).post(url(name, caption_pair), data, follow=True)


def votes(person, project, **query):
    return client_of(person).get(reverse("review:votes", args=[project.slug]), query)


def names_in(text):
    return [name for name in NAMES if re.search(rf"\b{name}\b", text)]


def test_it_lists_the_newest_first_with_reasons_and_without_names(project, round, rita):
    for outcome in ("left", "tie"):
        held, _ = next_caption_pair(project, rita)
        vote(held, outcome, **{"reason-order": "on", "remark": "<b>"})
    response = votes(rita, project)
    assert [row.outcome for row in response.context["rows"]] == [
        "Both are good",
        "Left is better",
    ]
    assert "The order is right. " in response.text
    assert "&lt;b&gt;" in response.text
    assert names_in(response.text) == []
    assert response.text.count(">Show names<") == response.text.count(">Change<") == 2


def test_an_empty_list_says_where_pairs_come_from(project, rita, emil, voted):
    response = votes(emil, project)
    assert response.context["rows"] == []
    assert "Find pairs of captions to compare under" in response.text


def test_the_list_has_pages(project, round, rita, monkeypatch):
    monkeypatch.setattr(pages, "PER_PAGE", 2)
    for _ in range(3):
        vote(next_caption_pair(project, rita)[0])
    assert len(votes(rita, project).context["rows"]) == 2
    assert len(votes(rita, project, page=2).context["rows"]) == 1
    assert "3–3 of 3 votes" in votes(rita, project, page="9").text


def test_the_queries_do_not_grow_with_the_votes(project, round, rita):
    counts = []
    for more in (1, 2):
        for _ in range(more):
            held, caption_pair = next_caption_pair(project, rita)
            vote(held)
            change_vote(caption_pair=caption_pair, reviewer=rita, content={"outcome": "tie"})
        client = client_of(rita)
        with count_queries() as listed:
            client.get(reverse("review:votes", args=[project.slug]))
        with count_queries() as looked_at:
            client.get(url("vote", caption_pair))
        counts.append((int(listed), int(looked_at)))
    assert counts[0] == counts[1]


def test_a_vote_is_shown_with_its_captions_on_their_sides_and_without_names(voted, rita):
    response = get(rita, voted)
    left, right = (response.text.index(side.caption.text) for side in (voted.left, voted.right))
    assert left < right
    assert 'data-choice="0" aria-labelledby="outcome-left" checked>' in response.text
    assert 'name="reason-order" checked>' in response.text
    assert "The &lt;end&gt; comes first." in response.text
    warned = (
        "you can’t change this vote or your other votes on this clip, and you get no other pair"
    )
    assert f"{warned} of its captions in this round." in response.text
    assert names_in(response.text) == []


def test_a_change_is_a_new_vote_and_the_first_is_kept(voted, rita):
    response = post(rita, "change_vote", voted, outcome="right", remark="On a second look.")
    assert "Your vote counts as: Right is better." in response.text
    assert list(voted.votes.values_list("outcome", "corrects__outcome", "remark")) == [
        ("left", None, "The <end> comes first."),
        ("right", "left", "On a second look."),
    ]
    assert "Your earlier votes" in response.text
    assert names_in(response.text) == []
    assert ">changed</span>" in votes(rita, voted.round.project).text


def test_the_same_vote_again_adds_nothing(voted, rita):
    same = {"outcome": "left", "reason-order": "on", "remark": "The <end> comes first."}
    post(rita, "change_vote", voted, **same)
    assert voted.votes.count() == 1


def test_a_change_without_an_outcome_says_so_and_keeps_what_was_typed(voted, rita):
    response = post(rita, "change_vote", voted, outcome="draw", remark="Kept here.")
    assert response.status_code == 422
    assert "Choose one: left, right, both are good, or both are bad." in response.text
    assert "Kept here." in response.text
    assert voted.votes.count() == 1


def test_the_names_are_beside_their_captions_and_the_vote_is_final(project, voted, rita):
    response = post(rita, "show_names", voted)
    voted.refresh_from_db()
    assert voted.names_shown_at is not None
    left, right = voted.left.system.name, voted.right.system.name
    assert [side.name for side in response.context["sides"]] == [left, right]
    assert f'Left <span class="compare-name">{left}</span>' in response.text
    assert f'Right <span class="compare-name">{right}</span>' in response.text
    assert 'name="outcome"' not in response.text
    assert "Final: you have seen the names." in response.text
    response = post(rita, "change_vote", voted, outcome="right")
    assert "so you can’t vote on them again." in response.text
    assert voted.votes.count() == 1
    [row] = votes(rita, project).context["rows"]
    assert row.names == (left, right)
    assert ">Change<" not in votes(rita, project).text


def test_the_names_of_one_vote_do_not_show_those_of_the_others(project, clips, rita):
    names = ("Avocet", "Bittern", "Crane", "Dunlin")
    start_round(project, clips[:2], names)
    held, first = next_caption_pair(project, rita)
    vote(held)
    held, second = next_caption_pair(project, rita)
    vote(held)
    show_names(caption_pair=first, reviewer=rita)
    text = votes(rita, project).text + get(rita, second).text
    unseen = {second.left.system.name, second.right.system.name} - {
        first.left.system.name,
        first.right.system.name,
    }
    assert unseen
    assert not any(name in text for name in unseen)


def test_a_vote_on_a_caption_named_elsewhere_is_final(project, clips, rita):
    start_round(project, clips[:1], ("Avocet", "Bittern", "Crane"))
    held, first = next_caption_pair(project, rita)
    vote(held)
    held, second = next_caption_pair(project, rita)
    vote(held)
    show_names(caption_pair=first, reviewer=rita)
    text = get(rita, second).text
    assert "Final: you have seen the name of a model for this clip." in text
    assert 'name="outcome"' not in text


def test_a_round_may_hide_its_names_until_it_ends(project, clips, rita):
    opened = start_round(project, clips, NAMES, names_shown="after_round")
    held, caption_pair = next_caption_pair(project, rita)
    vote(held)
    for text in (get(rita, caption_pair).text, votes(rita, project).text):
        assert "Names are shown after the round ends." in text
        assert ">Show names<" not in text
    response = post(rita, "show_names", caption_pair)
    assert "Names are shown after the round ends." in response.text
    assert names_in(response.text) == []
    end_round(round=opened, admin=None)
    assert "Final: the round has ended." in get(rita, caption_pair).text
    assert len(names_in(post(rita, "show_names", caption_pair).text)) == 2


@pytest.mark.parametrize("name", ["vote", "change_vote", "show_names"])
def test_only_a_persons_own_votes_are_found(project, round, voted, rita, emil, name):
    client = client_of(emil)
    ask = client.get if name == "vote" else client.post
    assert ask(url(name, voted)).status_code == 404
    # Not voted on yet: nothing to look at, to change or to show.
    _, waiting = next_caption_pair(project, rita)
    client = client_of(rita)
    ask = client.get if name == "vote" else client.post
    assert ask(url(name, waiting)).status_code == 404
    assert Vote.objects.count() == 1
    assert not CaptionPair.objects.exclude(names_shown_at=None).exists()


@pytest.mark.parametrize("name", ["vote", "change_vote", "show_names"])
def test_a_vote_of_another_project_is_not_found(project, voted, rita, name):
    other = make_project("Bikes")
    Membership.objects.create(project=other, user=rita, is_reviewer=True)
    client = client_of(rita)
    ask = client.get if name == "vote" else client.post
    assert ask(url(name, voted, other)).status_code == 404


def test_a_former_reviewer_sees_no_votes(project, voted, rita):
    Membership.objects.filter(user=rita).update(is_reviewer=False, is_annotator=True)
    assert get(rita, voted).status_code == 403
    assert votes(rita, project).status_code == 403


def test_my_work_leads_to_the_votes_and_to_what_they_say(project, voted, rita, emil):
    def my_work(person):
        page = client_of(person).get(reverse("annotate:my_work", args=[project.slug])).text
        return page.partition("<main")[2]

    own = f'<a href="{reverse("review:votes", args=[project.slug])}">Your votes</a>'
    leaderboard = reverse("review:report_page", args=[project.slug, "leaderboard"])
    ratings = f'<a href="{leaderboard}">Leaderboard</a>'
    assert own in my_work(rita)
    assert ratings in my_work(rita)
    assert own not in my_work(emil)


def test_hostile_characters_change_nothing(voted, rita):
    response = post(rita, "change_vote", voted, outcome="left\x00", remark="\x00")
    assert response.status_code == 422
    assert voted.votes.count() == 1

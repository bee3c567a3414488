"""Blind comparison: its page, its plain form, and that nothing gives a model away."""

import json
import re
from uuid import uuid4

import pytest
from django.contrib.messages import get_messages
from django.db import connection
from django.urls import reverse

from annotate.models import Assignment, Caption, Membership, WorkItem
from review.captions.models import CaptionSet, SetCaption
from review.comparisons.content import shown_on
from review.comparisons.models import CaptionPair, System, SystemCaption, SystemPair, Vote
from review.comparisons.services import change_vote, show_names
from review.rounds.services import open_round
from tests.cast import client_of, count_queries, make_clip, make_project
from tests.review.comparisons.comparing import (
    form,
    make_set,
    next_caption_pair,
    page,
    start_round,
    submit,
    vote,
)
from tests.work import post_json

pytestmark = pytest.mark.django_db
HOSTILE = "<script>alert(1)</script> A pool. {{ clip }} \"' onclick=x.\n\nغواص يقفز.\n<img src=x>"
# Where a table counts from here on, its keys are found in a page if they are there.
FIRST_KEY = 730_000_000


@pytest.fixture
def clips(project):
    return [make_clip(project) for _ in range(3)]


@pytest.fixture
def claim(project, clips, rita):
    """What the queue gives Rita first: an assignment and its pair of captions."""
    start_round(project, clips)
    return next_caption_pair(project, rita)


def count_from(first, model):
    """Count the keys of later rows from `first`, so that they occur nowhere else by chance."""
    table = model._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT setval(pg_get_serial_sequence(%s, 'id'), %s)", [table, first])
        else:
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
            cursor.execute("INSERT INTO sqlite_sequence VALUES (%s, %s)", [table, first])


def test_it_shows_both_captions_the_four_choices_and_the_draft(project, rita, claim):
    held, caption_pair = claim
    held.draft = {"outcome": "tie", "reason-order": "on", "remark": "A <b>cap</b>."}
    held.save()
    response = page(rita, held)
    left, right = (
        response.text.index(side.caption.text) for side in (caption_pair.left, caption_pair.right)
    )
    assert response.text.index(">Left</h2>") < left < response.text.index(">Right</h2>") < right
    for words in ("Left is better", "Right is better", "Both are good", "Both are bad"):
        assert words in response.text
    assert response.text.count('type="radio" name="outcome"') == 4
    assert 'value="tie" data-choice="2" aria-labelledby="outcome-tie" checked>' in response.text
    assert 'name="reason-order" checked>' in response.text
    held.draft = {}
    held.save()
    before = page(rita, held).text
    assert response.text.count(" checked>") - before.count(" checked>") == 2
    assert "A &lt;b&gt;cap&lt;/b&gt;." in response.text
    assert f'name="shown" value="{shown_on(caption_pair)}"' in response.text


def test_captions_are_text_and_each_paragraph_has_its_direction(project, clips, rita):
    sets = [
        make_set(project, name, clips, f"{HOSTILE} {number}")
        for number, name in enumerate(("Egret", "Heron"))
    ]
    open_round(project=project, admin=None, sets=sets, votes_per_pair=3)
    text = page(rita, next_caption_pair(project, rita)[0]).text
    escaped = "&lt;script&gt;alert(1)&lt;/script&gt; A pool. {{ clip }} &quot;&#x27; onclick=x."
    assert text.count(escaped) == 2
    assert text.count('<p class="reading" dir="auto" lang="">غواص يقفز.</p>') == 2
    assert text.count("&lt;img src=x&gt;") == 2


def without_chance(text):
    """Return the page without what differs at each request."""
    for changing in (
        r'name="csrfmiddlewaretoken" value="\w+"',
        r'"X-CSRFToken": ?"\w+"',
        r'name="key" value="[\w-]+"',
        r'name="shown" value="[\w-]+"',
        r'data-lease-expires="[^"]+"',
        r'data-now="[^"]+"',
    ):
        text = re.sub(changing, "", text)
    return text


def test_the_page_is_the_same_whichever_models_wrote_the_texts_and_whichever_side(
    project, clips, rita
):
    names = ("Avocet", "Bittern", "Crane", "Dunlin")
    texts = ("She dives twice.", "A tower stands there.") * 2
    sets = [make_set(project, *made) for made in zip(names, [clips] * 4, texts, strict=True)]
    open_round(project=project, admin=None, sets=sets, votes_per_pair=3, shared_percent=0)
    held, caption_pair = next_caption_pair(project, rita)
    of = {
        caption.system.name: caption
        for caption in SystemCaption.objects.filter(clip=caption_pair.clip_id)
    }
    pages = set()
    for left, right in [("Avocet", "Bittern"), ("Crane", "Dunlin"), ("Avocet", "Dunlin")]:
        CaptionPair.objects.filter(pk=caption_pair.pk).update(left=of[left], right=of[right])
        pages.add(without_chance(page(rita, held).text))
    # The same texts on the same sides, where the models have changed places.
    first, second = of["Avocet"].caption_id, of["Bittern"].caption_id
    SystemCaption.objects.filter(pk=of["Avocet"].pk).update(caption=second)
    SystemCaption.objects.filter(pk=of["Bittern"].pk).update(caption=first)
    CaptionPair.objects.filter(pk=caption_pair.pk).update(left=of["Bittern"], right=of["Avocet"])
    pages.add(without_chance(page(rita, held).text))
    assert len(pages) == 1
    assert "She dives twice." in pages.pop()


def test_nothing_that_the_server_sends_before_the_names_gives_a_model_away(project, rita):
    clips = [make_clip(project) for _ in range(4)]
    names = ("Avocet-31B", "Bittern-17B")
    for model in (Caption, CaptionSet, SetCaption, System, SystemCaption, SystemPair):
        count_from(FIRST_KEY, model)
    opened = start_round(project, clips, names, repeat_percent=50)
    client = client_of(rita)
    answers = [client.post(reverse("annotate:claim", args=[project.slug, "compare"]))]
    my_work = reverse("annotate:my_work", args=[project.slug])
    votes = reverse("review:votes", args=[project.slug])
    for number in range(4):
        held = Assignment.objects.select_related("item").get(state="held")
        caption_pair = CaptionPair.objects.get(pk=held.item.subject)
        work = client.get(reverse("annotate:work", args=[held.pk]))
        answers += [work, client.get(my_work)]
        content = {"shown": shown_on(caption_pair), "outcome": "left", "remark": "A remark."}
        body = {"base_version": 0, "content": content}
        answers.append(post_json(client, "save_draft", held, body))
        answers.append(post_json(client, "save_draft", held, body))  # a conflict
        answers.append(post_json(client, "heartbeat", held, {"active_seconds": 3}))
        wrong = {"key": str(uuid4()), "base_version": 1, "then": "next"}
        answers.append(post_json(client, "submit", held, wrong | {"content": {}}))
        answers.append(
            post_json(client, "submit", held, wrong | {"content": {"shown": content["shown"]}})
        )
        answers.append(post_json(client, "submit", held, wrong | {"content": content}))
        assert answers[-1].status_code == 200, number
        answers.append(client.get(reverse("annotate:work", args=[held.pk])))
        address = [project.slug, caption_pair.pk]
        answers += [client.get(votes), client.get(reverse("review:vote", args=address))]
        changed = {"outcome": "tie"}
        answers.append(client.post(reverse("review:change_vote", args=address), changed))
        answers.append(client.post(reverse("review:change_vote", args=address), {}))
        answers += [client.get(votes), client.get(reverse("review:vote", args=address))]
    upcoming = re.findall(r'data-urls="([^"]+)"', "".join(a.text for a in answers))
    assert upcoming
    answers += [client.get(url) for urls in upcoming for url in urls.split()]
    assert {answer.status_code for answer in answers} >= {200, 302, 400, 409, 422}

    telling = {str(FIRST_KEY)[:7], "system", "provenance", "caption_set"}
    for name in names:
        telling |= {name, name.split("-")[0]}
    telling |= {each.created_at.strftime("%H:%M:%S.%f") for each in CaptionSet.objects.all()}
    assert min(opened.systems.first().pk, Caption.objects.first().pk) > FIRST_KEY
    for answer in answers:
        sent = [*answer.headers.values()]
        if not answer.streaming:
            # What the models themselves say holds their names backwards, and is meant to be read.
            sent.append(answer.text)
        sent += [str(cookie) for cookie in answer.cookies.values()]
        for word in telling:
            assert word.lower() not in " ".join(sent).lower(), (answer.request["PATH_INFO"], word)


def test_the_next_pair_is_reserved_and_its_video_is_named_for_loading(project, rita, claim):
    held, _ = claim
    [upcoming] = WorkItem.objects.filter(reserved_for=rita, open_slots=1)
    response = page(rita, held)
    assert response.context["upcoming"] == upcoming.clip
    playback = reverse("annotate:media_playback", args=[project.slug, upcoming.clip.video_id])
    assert f'{playback}"></div>' in response.text
    answer = submit(rita, held, outcome="left", then="next")
    following = Assignment.objects.get(state="held")
    assert following.item == upcoming
    assert answer.headers["Location"] == reverse("annotate:work", args=[following.pk])


def test_a_plain_form_votes_and_leads_on(project, rita, claim):
    held, caption_pair = claim
    answer = submit(
        rita, held, outcome="both_bad", remark="Neither sees her.", **{"reason-correct": "on"}
    )
    assert answer.headers["Location"] == reverse("annotate:my_work", args=[project.slug])
    [message] = get_messages(answer.wsgi_request)
    assert str(message) == f"Vote saved: {held.item.clip.short_name}."
    made = Vote.objects.get()
    assert (made.caption_pair, made.outcome, made.reasons, made.remark) == (
        caption_pair,
        "both_bad",
        ["correct"],
        "Neither sees her.",
    )


@pytest.mark.parametrize("outcome", ["", "LEFT", "left ", "draw", "5", "لeft"])
def test_without_a_choice_the_form_is_shown_again_and_nothing_counts(rita, claim, outcome):
    answer = submit(rita, claim[0], outcome=outcome, remark="Kept.")
    assert answer.status_code == 422
    assert "Choose one: left, right, both are good, or both are bad." in answer.text
    assert "Kept." in answer.text
    assert not Vote.objects.exists()


def test_a_remark_that_is_too_long_is_shown_again(rita, claim):
    answer = submit(rita, claim[0], outcome="left", remark="x" * 2001)
    assert answer.status_code == 422
    assert "shorten it to 2000 characters (it has 2001)" in answer.text
    assert 'aria-invalid="true"' in answer.text


def test_a_form_of_swapped_sides_or_of_another_pair_is_refused(rita, claim):
    held, caption_pair = claim
    swapped = CaptionPair(
        pk=caption_pair.pk, left_id=caption_pair.right_id, right_id=caption_pair.left_id
    )
    other = CaptionPair.objects.exclude(pk=caption_pair.pk).get()
    for signature in (shown_on(swapped), shown_on(other), ""):
        answer = submit(rita, held, outcome="left", shown=signature)
        assert answer.status_code == 400
        assert "Nothing was counted. Reload the page and vote again." in answer.text
    assert not Vote.objects.exists()
    assert submit(rita, held, outcome="left").status_code == 302


def test_a_swapped_form_that_was_kept_as_a_draft_does_not_come_back(rita, claim):
    held, caption_pair = claim
    submit(rita, held, outcome="left", shown="of another page")
    held.refresh_from_db()
    assert held.draft["shown"] == "of another page"
    assert f'name="shown" value="{shown_on(caption_pair)}"' in page(rita, held).text


def test_nobody_votes_on_a_pair_of_somebody_else(rita, emil, claim):
    held, caption_pair = claim
    assert submit(emil, held, outcome="left").status_code == 404
    CaptionPair.objects.filter(pk=caption_pair.pk).update(reviewer=emil)
    answer = submit(rita, held, outcome="left")
    assert answer.status_code == 400
    assert "These captions are assigned to somebody else." in answer.text
    assert not Vote.objects.exists()


def test_nobody_votes_on_a_pair_of_another_project(rita, claim):
    held, _ = claim
    other = make_project("Bikes")
    Membership.objects.create(project=other, user=rita, is_reviewer=True)
    start_round(other, [make_clip(other)])
    _, foreign = next_caption_pair(other, rita)
    WorkItem.objects.filter(pk=held.item_id).update(subject=foreign.pk)
    assert "This work has no pair of captions." in page(rita, held).text
    answer = submit(rita, held, outcome="left")
    assert answer.status_code == 400
    assert not Vote.objects.exists()


def test_a_double_click_is_one_vote(rita, claim):
    held, _ = claim
    url = reverse("annotate:submit", args=[held.pk])
    data = form(held, outcome="left")
    for outcome in ("left", "right"):
        assert client_of(rita).post(url, data | {"outcome": outcome}).status_code == 302
    assert Vote.objects.get().outcome == "left"


def test_the_second_of_two_tabs_is_refused_and_overwrites_nothing(rita, claim):
    held, caption_pair = claim
    first, second = form(held, outcome="left"), form(held, outcome="right", remark="Second tab.")
    url = reverse("annotate:submit", args=[held.pk])
    assert client_of(rita).post(url, first).status_code == 302
    answer = client_of(rita).post(url, second)
    assert answer.status_code == 410
    assert "This work is already submitted. Nothing was changed." in answer.text
    assert list(caption_pair.votes.values_list("outcome", "remark")) == [("left", "")]
    held.refresh_from_db()
    assert held.draft["outcome"] == "left"
    content = {name: second[name] for name in ("outcome", "remark", "shown")}
    body = {"key": second["key"], "base_version": 0, "content": content}
    answer = post_json(client_of(rita), "submit", held, body)
    assert (answer.status_code, answer.json()["code"]) == (410, "lease_lost")
    assert caption_pair.votes.count() == 1


def test_the_pages_script_learns_which_field_to_fix(rita, claim):
    held, caption_pair = claim
    content = {"shown": shown_on(caption_pair), "outcome": "draw"}
    body = {"key": str(uuid4()), "base_version": 0, "content": content}
    answer = post_json(client_of(rita), "submit", held, json.dumps(body))
    assert answer.status_code == 422
    assert [problem["field"] for problem in answer.json()["problems"]] == ["outcome"]


def test_once_the_names_of_its_clip_are_known_the_page_says_to_skip_it(project, clips, rita):
    start_round(project, clips[:1], ("Avocet", "Bittern", "Crane"))
    held, caption_pair = next_caption_pair(project, rita)
    vote(held)
    ahead, _ = next_caption_pair(project, rita)
    show_names(caption_pair=caption_pair, reviewer=rita)
    text = page(rita, ahead).text
    assert "you can’t vote on them again." in text
    assert "Skip this pair" in text
    assert 'name="outcome"' not in text
    assert submit(rita, ahead, outcome="left").status_code == 400


def test_the_next_page_shows_the_last_vote_and_the_number_of_votes(project, rita, claim):
    held, caption_pair = claim
    assert 'in this round: <span class="number">0</span>' in page(rita, held).text
    vote(held, "right")
    following, _ = next_caption_pair(project, rita)
    response = page(rita, following)
    address = reverse("review:vote", args=[project.slug, caption_pair.pk])
    assert 'in this round: <span class="number">1</span>' in response.text
    assert "Your last vote: <strong>Right is better</strong>." in response.text
    assert f'<a href="{address}" data-undo>Change <kbd' in response.text
    assert f'<a href="{address}#names">Show names</a>' in response.text


def test_a_submitted_vote_is_read_only_and_shows_what_counts_now(project, rita, claim):
    held, caption_pair = claim
    vote(held, "right")
    change_vote(caption_pair=caption_pair, reviewer=rita, content={"outcome": "tie"})
    text = page(rita, held).text
    assert "Your vote counts as: <strong>Both are good</strong>." in text
    assert 'value="right" data-choice="1" aria-labelledby="outcome-right" checked disabled>' in text
    assert text.count('name="outcome"') == text.count('aria-labelledby="outcome-') - 1 == 4
    assert reverse("review:vote", args=[project.slug, caption_pair.pk]) in text


def test_the_page_takes_as_many_queries_after_more_votes(project, clips, rita):
    start_round(project, clips, ("Avocet", "Bittern", "Crane"))
    counts = []
    for _ in range(3):
        vote(next_caption_pair(project, rita)[0])
        held, _ = next_caption_pair(project, rita)
        client = client_of(rita)
        with count_queries() as query_count:
            client.get(reverse("annotate:work", args=[held.pk]))
        counts.append(int(query_count))
    assert counts == [counts[0]] * 3

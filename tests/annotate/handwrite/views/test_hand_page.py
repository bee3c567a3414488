"""Writing by hand: its page, its plain form, and who may do it."""

from uuid import uuid4

import pytest
from django.urls import reverse

from annotate.models import Caption, Project, WorkItem
from tests.cast import client_of, count_queries, make_clip, make_project
from tests.hand_work import attempt, machine_caption, open_hand, write_by_hand
from tests.work import fill_draft, hold

pytestmark = pytest.mark.django_db

HOSTILE = "<script>alert(1)</script> A pool. {{ clip }} \"' onclick=x"


@pytest.fixture
def project(db):
    return make_project(protocol="lovr")


@pytest.fixture
def clip(project):
    return make_clip(project)


def page(person, held):
    return client_of(person).get(reverse("annotate:work", args=[held.pk]))


def submit(person, held, **content):
    data = {"key": uuid4(), "base_version": held.draft_version, **content}
    return client_of(person).post(reverse("annotate:submit", args=[held.pk]), data)


def test_it_shows_every_attempt_with_its_score_against_the_threshold(clip, anna):
    tried = machine_caption(clip, "A pool. A diver jumps.\n\nShe turns.")
    item = open_hand(
        clip,
        attempt(tried, 0.1),
        attempt(tried, 0.6, model="Qwen2-VL-7B"),
        attempt(tried, -0.2),
        attempt(None, None, reason="The reply was empty."),
    )
    response = page(anna, hold(anna, item))
    attempts = response.context["attempts"]
    assert [(row.score, row.bar) for row in attempts] == [
        (0.1, 16.7), (0.6, 100.0), (-0.2, 0.0), (None, 0.0),
    ]  # fmt: skip
    assert response.context["threshold_place"] == 33.3
    assert "".join(passage.text for passage in attempts[0].passages) == tried.text
    at_the_left_end = '<rect class="bar" width="1.5" height="1"/>'
    assert response.text.count(at_the_left_end) == 1
    assert "−0.200" in response.text
    assert [passage.text for passage in attempts[0].passages if passage.is_sentence] == [
        "A pool.", "A diver jumps.", "She turns.",
    ]  # fmt: skip
    assert "2. Qwen2-VL-7B" in response.text
    assert "0.600" in response.text
    assert "No caption: The reply was empty." in response.text
    assert "EVQAScore v3, CLIP" in response.text


def test_hostile_attempts_are_shown_as_text(clip, anna):
    item = open_hand(
        clip,
        attempt(machine_caption(clip, HOSTILE), model="<img src=x>"),
        attempt(None, None, reason="</p><script>alert(2)</script>"),
    )
    text = page(anna, hold(anna, item)).text
    for tag in ("<script>alert", "<img src=x"):
        assert tag not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; A pool." in text
    assert "{{ clip }}" in text


def test_an_item_without_attempts_says_so(project, clip, anna):
    item = WorkItem.objects.create(project=project, clip=clip, kind="hand")
    assert "No attempts are kept for this clip." in page(anna, hold(anna, item)).text


def test_a_plain_form_stores_the_caption(clip, anna):
    held = hold(anna, open_hand(clip))
    assert submit(anna, held, text="A diver jumps.").status_code == 302
    assert Caption.objects.get().text == "A diver jumps."


def test_a_plain_form_without_words_comes_back_with_what_to_do(clip, anna):
    response = submit(anna, hold(anna, open_hand(clip)), text="…")
    assert response.status_code == 422
    assert response.text.count("The caption has no words; write what the clip shows.") == 2
    assert not Caption.objects.exists()


def test_the_word_limits_are_advice_where_the_protocol_has_any(project, clip, anna):
    held = hold(anna, open_hand(clip))
    assert "The project recommends" not in page(anna, held).text
    Project.objects.update(protocol="carebench")
    assert "The project recommends 150 to 300 words." in page(anna, held).text
    assert submit(anna, held, text="Fog.").status_code == 302


@pytest.mark.parametrize(("person", "status"), [("anna", 302), ("emil", 302), ("rita", 403)])
def test_annotators_and_experts_may_take_it(request, project, clip, person, status):
    open_hand(clip)
    url = reverse("annotate:claim", args=[project.slug, "hand"])
    assert client_of(request.getfixturevalue(person)).post(url).status_code == status


def test_the_finished_text_stays_to_be_read(clip, anna):
    held = write_by_hand(hold(anna, open_hand(clip, attempt(machine_caption(clip, "A.")))), "Fog.")
    text = page(anna, held).text
    assert "Fog.</textarea>" in text
    assert "data-start-from" not in text


def test_it_asks_the_database_equally_often_with_one_attempt_and_three(clip, anna):
    tried = machine_caption(clip, "A pool. A diver jumps.")
    held = hold(anna, open_hand(clip, attempt(tried)))
    fill_draft(held, text="So far.")
    client, url = client_of(anna), reverse("annotate:work", args=[held.pk])
    with count_queries() as queries_for_one:
        client.get(url)
    open_hand(clip, *[attempt(tried)] * 3)
    with count_queries() as queries_for_three:
        client.get(url)
    assert int(queries_for_one) == int(queries_for_three)

"""Keeping the training set."""

import pytest
from django.urls import reverse

from annotate.models import Project
from review.models import RatingExample
from tests.cast import client_of, count_queries, make_clip, make_project
from tests.hand_work import machine_caption
from tests.review.rating import describe, make_example, make_examples, whole_caption

pytestmark = pytest.mark.django_db


@pytest.fixture
def caption(project):
    return machine_caption(make_clip(project, original_name="harbour.mp4"), "Boats <b>lie</b>.")


def examples_page(person, project, **query):
    return client_of(person).get(reverse("review:rating_examples", args=[project.slug]), query)


def add(person, caption, **data):
    url = reverse("review:add_rating_example", args=[caption.project.slug, caption.pk])
    return client_of(person).post(url, data)


def post(person, name, example, **data):
    url = reverse(f"review:{name}_rating_example", args=[example.project.slug, example.pk])
    return client_of(person).post(url, data)


def test_it_says_what_to_do_where_there_is_none(project, ada):
    page = examples_page(ada, project)
    assert "No examples yet" in page.text
    assert "No captions yet" in page.text


def test_a_caption_is_found_by_the_name_of_its_clip(project, caption, ada):
    describe(project, 2)
    whole_caption(make_clip(project, original_name="harbour day.mp4"), "Boats.")
    machine_caption(make_clip(make_project("Other"), original_name="harbour.mp4"), "Elsewhere.")
    page = examples_page(ada, project, q="HARBOUR")
    assert [found.clip.name for found in page.context["page"]] == ["harbour day", "harbour"]
    assert "Boats &lt;b&gt;lie&lt;/b&gt;." in page.text
    assert "No caption fits" in examples_page(ada, project, q="tower").text


def test_a_caption_becomes_an_example(project, caption, rita):
    page = client_of(rita).get(
        reverse("review:new_rating_example", args=[project.slug, caption.pk])
    )
    assert "Boats &lt;b&gt;lie&lt;/b&gt;." in page.text
    response = add(rita, caption, value="3", explanation="They sail.")
    assert response.headers["Location"] == reverse("review:rating_examples", args=[project.slug])
    example = RatingExample.objects.get()
    assert (example.caption, example.value, example.explanation) == (caption, 3, "They sail.")
    assert "In use" in examples_page(rita, project).text


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"value": "3", "explanation": " "}, "Explain the rating"),
        ({"value": "", "explanation": "Why."}, "Choose one of the six, from 0 to 5."),
        ({"value": "5.0001", "explanation": "Why."}, "Choose one of the six, from 0 to 5."),
        ({"value": "٥", "explanation": "Why."}, "Choose one of the six, from 0 to 5."),
    ],
)
def test_what_is_not_complete_is_shown_again(caption, rita, data, sentence):
    response = add(rita, caption, **data)
    assert response.status_code == 422
    assert sentence in response.text
    assert not RatingExample.objects.exists()


def test_a_refused_caption_is_shown_with_the_reason(project, caption, rita):
    make_example(project, caption=caption)
    response = add(rita, caption, value="3", explanation="Why.")
    assert response.status_code == 422
    assert "This caption is an example already." in response.text


def test_examples_are_moved_and_taken_out(project, ada):
    first, second, third = make_examples(project)
    post(ada, "move", third, direction="up")
    post(ada, "retire", first)
    page = examples_page(ada, project)
    assert page.context["used"] == [third, second]
    assert page.context["retired"] == [first]
    assert "A study needs at least 3 examples." in page.text
    response = post(ada, "move", first, direction="up")
    assert response.status_code == 302


def test_the_queries_do_not_grow_with_the_rows(project, ada):
    counts = []
    for number in (1, 3):
        while RatingExample.objects.count() < number:
            make_example(project, place=RatingExample.objects.count())
        client = client_of(ada)
        with count_queries() as count:
            client.get(reverse("review:rating_examples", args=[project.slug]))
        counts.append(int(count))
    assert counts[0] == counts[1]


def test_the_page_of_a_clip_leads_here(project, caption, rita, anna):
    Project.objects.update(protocol=Project.Protocol.LOVR)
    url = reverse("annotate:clip", args=[project.slug, caption.clip_id])
    link = reverse("review:new_rating_example", args=[project.slug, caption.pk])
    assert link in client_of(rita).get(url).text
    assert link not in client_of(anna).get(url).text

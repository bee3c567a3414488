"""POST assignments/<id>/rating/: what a script sends to rate."""

import json
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from annotate.models import Assignment
from review.ratings.models import Rating
from tests.cast import client_of, count_queries, make_clip
from tests.review.ratings.rating import describe, hold_rating, make_examples, open_study
from tests.work import expire, hold, make_work

pytestmark = pytest.mark.django_db


@pytest.fixture
def held(project, anna, rita):
    make_examples(project)
    [caption] = describe(project, 1)
    open_study(project, 1, people=2)
    return hold_rating(anna, caption)


def post(person, held, body):
    """`body` is sent as it is where it is a text."""
    return client_of(person).post(
        reverse("review:rate", args=[held.pk]),
        body if isinstance(body, str) else json.dumps(body),
        content_type="application/json",
    )


def rating(value, **fields):
    return {"value": value, "remark": "", "key": str(uuid4()), **fields}


def test_it_stores_a_rating(anna, held):
    response = post(anna, held, rating(5, remark="All of it fits."))
    assert response.status_code == 200
    assert response.json() == {"assignment": held.pk, "value": 5}
    assert (Rating.objects.get().value, Rating.objects.get().remark) == (5, "All of it fits.")


def test_the_remark_may_be_left_out(anna, held):
    assert post(anna, held, {"value": 0, "key": str(uuid4())}).json()["value"] == 0


@pytest.mark.parametrize(
    "value",
    [
        "6",
        "-1",
        "5.0001",
        "5.0",
        '"5"',
        "true",
        "null",
        "NaN",
        "Infinity",
        "[5]",
        "{}",
        "1e0",
        '""',
    ],
)
def test_what_is_no_whole_number_from_0_to_5_is_refused(anna, held, value):
    response = post(anna, held, f'{{"value": {value}, "remark": "", "key": "{uuid4()}"}}')
    assert response.status_code == 422
    assert response.json() == {
        "code": "invalid",
        "message": "Choose one of the six, from 0 to 5.",
        "problems": [{"field": "value", "message": "Choose one of the six, from 0 to 5."}],
    }
    assert not Rating.objects.exists()
    held.refresh_from_db()
    assert held.state == Assignment.State.HELD


def test_a_missing_value_is_refused(anna, held):
    response = post(anna, held, {"remark": "", "key": str(uuid4())})
    assert (response.status_code, response.json()["code"]) == (422, "invalid")
    assert not Rating.objects.exists()


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("", "unreadable"),
        ("[5]", "unreadable"),
        ("{", "unreadable"),
        ('{"value": ' + "9" * 5000 + "}", "unreadable"),
        ({"value": 5}, "Send a unique UUID"),
        ({"value": 5, "key": "again"}, "Send a unique UUID"),
        ({"value": 5, "key": str(uuid4()), "remark": 5}, "The remark must be a text"),
        ({"value": 5, "key": str(uuid4()), "remark": None}, "The remark must be a text"),
    ],
)
def test_what_is_not_well_formed_is_refused(anna, held, body, sentence):
    response = post(anna, held, body)
    assert response.status_code == 400
    assert sentence in response.json()["message"]
    assert not Rating.objects.exists()


def test_a_remark_too_long_is_refused(anna, held):
    response = post(anna, held, rating(5, remark="x" * 501))
    assert response.status_code == 422
    assert [problem["field"] for problem in response.json()["problems"]] == ["remark"]


def test_the_same_key_twice_is_one_rating(anna, held):
    body = rating(4)
    replies = [post(anna, held, body).json(), post(anna, held, body | {"value": 1}).json()]
    assert replies == [{"assignment": held.pk, "value": 4}] * 2
    assert post(anna, held, rating(5)).status_code == 410
    assert Rating.objects.get().value == 4


def test_a_lost_hold_is_refused(anna, held):
    expire(held)
    assert post(anna, held, rating(5)).status_code == 410
    assert not Rating.objects.exists()


def test_it_is_for_ratings_only(project, anna):
    writing = hold(anna, make_work(make_clip(project)))
    assert post(anna, writing, rating(5)).status_code == 404


def test_another_persons_rating_is_not_there(rita, held):
    assert post(rita, held, rating(5)).status_code == 404


def test_it_needs_the_sign_of_a_page_of_this_site(anna, held):
    """Cross-site request forgery."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(anna)
    url = reverse("review:rate", args=[held.pk])
    response = client.post(url, json.dumps(rating(5)), content_type="application/json")
    assert response.status_code == 403
    assert not Rating.objects.exists()


def test_the_queries_are_few(anna, held):
    client = client_of(anna)
    url = reverse("review:rate", args=[held.pk])
    with count_queries() as count:
        client.post(url, json.dumps(rating(5)), content_type="application/json")
    assert count <= 14

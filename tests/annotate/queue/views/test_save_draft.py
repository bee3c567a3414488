"""POST assignments/<id>/draft/: keep what is typed."""

import pytest

from annotate.models import Assignment
from tests.cast import client_of, count_queries, make_clip
from tests.work import expire, fill_draft, hold, make_work, post_json

pytestmark = pytest.mark.django_db


@pytest.fixture
def held(project, anna):
    return hold(anna, make_work(make_clip(project)))


def save(person, assignment, content, base_version=0):
    body = {"base_version": base_version, "content": content}
    return post_json(client_of(person), "save_draft", assignment, body)


def test_it_stores_the_text_and_says_the_version(anna, held):
    response = save(anna, held, {"overview": "A diver.\r\nShe jumps."})
    held.refresh_from_db()
    assert response.json()["version"] == held.draft_version == 1
    assert response.json()["holds_lease"] is True
    assert held.draft == {"overview": "A diver.\nShe jumps."}


def test_a_stale_save_gets_the_other_text_and_changes_nothing(anna, held):
    fill_draft(held, overview="Theirs.")
    response = save(anna, held, {"overview": "Mine."})
    assert response.status_code == 409
    assert response.json()["code"] == "conflict"
    assert response.json()["content"] == {"overview": "Theirs."}
    assert response.json()["version"] == 1
    held.refresh_from_db()
    assert held.draft == {"overview": "Theirs."}


def test_a_draft_is_stored_after_the_hold_has_ended(anna, held):
    expire(held)
    response = save(anna, held, {"overview": "Late."})
    assert response.status_code == 200
    assert response.json()["holds_lease"] is False
    held.refresh_from_db()
    assert held.draft == {"overview": "Late."}


def test_submitted_work_is_not_changed(anna, held):
    Assignment.objects.filter(pk=held.pk).update(state="submitted", draft={"overview": "Sent."})
    response = save(anna, held, {"overview": "Later."})
    assert (response.status_code, response.json()["code"]) == (410, "lease_lost")
    held.refresh_from_db()
    assert held.draft == {"overview": "Sent."}


@pytest.mark.parametrize(
    "body",
    [
        "",
        "[",
        "[1]",
        "[" * 100_000,
        "{}",
        '{"base_version": 0}',
        '{"base_version": 0, "content": null}',
        '{"base_version": 0, "content": []}',
        '{"base_version": 0, "content": "text"}',
        '{"base_version": 0, "content": {"overview": 1}}',
        '{"base_version": 0, "content": {"Over view": "a"}}',
        '{"base_version": -1, "content": {"overview": "a"}}',
        '{"base_version": null, "content": {"overview": "a"}}',
        '{"base_version": "' + "9" * 5000 + '", "content": {"overview": "a"}}',
        '{"base_version": 1' + "0" * 5000 + ', "content": {"overview": "a"}}',
    ],
)
def test_nonsense_is_refused_in_words_and_keeps_the_draft(anna, held, body):
    fill_draft(held, overview="Mine.")
    response = post_json(client_of(anna), "save_draft", held, body)
    assert response.status_code == 400
    assert response.json()["message"].endswith(".")
    held.refresh_from_db()
    assert held.draft == {"overview": "Mine."}


def test_a_text_too_long_is_refused_with_the_limit(anna, held):
    response = save(anna, held, {"overview": "a" * 20_001})
    assert response.status_code == 400
    assert "keep it under 20,000" in response.json()["message"]


def test_what_no_database_stores_is_replaced(anna, held):
    body = '{"base_version": 0, "content": {"overview": "a\\u0000b\\ud800c"}}'
    assert post_json(client_of(anna), "save_draft", held, body).status_code == 200
    held.refresh_from_db()
    assert held.draft == {"overview": "a\ufffdb\ufffdc"}


def test_somebody_signed_out_is_told_so_in_json(held):
    response = save(None, held, {"overview": "a"})
    assert (response.status_code, response.json()["code"]) == (401, "signed_out")


def test_who_may(anna, ben, ada, olaf, held):
    statuses = [save(person, held, {}).status_code for person in (ben, ada, olaf, anna)]
    assert statuses == [404, 404, 404, 200]


def test_it_costs_few_queries(anna, held):
    client = client_of(anna)
    with count_queries() as count:
        post_json(client, "save_draft", held, {"base_version": 0, "content": {"misc": "a"}})
    assert count <= 4 + 1  # and the session, which a cache usually answers

"""POST assignments/<id>/checks/: the warnings about what is typed now."""

import pytest
from django.urls import reverse

from annotate.models import Assignment
from tests.cast import client_of, count_queries, make_clip
from tests.split_work import MERGED, hold_split, submit_split
from tests.work import hold, make_work, post_json

pytestmark = pytest.mark.django_db


@pytest.fixture
def held(project, anna):
    return hold_split(make_clip(project), anna)


def check(person, assignment, **content):
    return post_json(client_of(person), "split_checks", assignment, {"content": content})


def test_it_answers_with_the_warnings_of_each_text(held, anna):
    reply = check(anna, held, spatial=f"{MERGED['overview']} He <b>runs</b>.", temporal="It is red")
    html = reply.json()["html"]
    assert list(html) == ["spatial", "temporal"]
    assert html["spatial"].lstrip().startswith('<div class="split-warnings" id="spatial-warnings"')
    assert "Movement in the spatial text" in html["spatial"]
    assert "<b>" not in html["spatial"]
    assert "Does not begin with a summary" in html["temporal"]
    assert "Static detail in the temporal text" in html["temporal"]


def test_it_saves_nothing(held, anna):
    check(anna, held, spatial="He runs.", temporal="")
    held.refresh_from_db()
    assert (held.draft, held.draft_version) == ({}, 0)


def test_a_good_split_has_no_warning(held, anna):
    good = f"{MERGED['overview']} He turns the melon twice."
    reply = check(anna, held, spatial=MERGED["overview"], temporal=good)
    assert 'data-count="0"' in reply.json()["html"]["spatial"]
    assert 'data-count="0"' in reply.json()["html"]["temporal"]


def test_missing_texts_are_empty_texts(held, anna):
    assert check(anna, held).status_code == 200


def test_it_checks_also_what_is_not_held_any_more(held, anna):
    Assignment.objects.filter(pk=held.pk).update(state="expired")
    assert check(anna, held, spatial="He runs.").status_code == 200


@pytest.mark.parametrize(
    "body", ["", "[]", "nonsense", '{"content": 3}', '{"content": {"spatial": []}}', "{}"]
)
def test_what_it_cannot_read_is_refused(held, anna, body):
    reply = post_json(client_of(anna), "split_checks", held, body)
    assert reply.status_code == 400
    assert reply.json()["code"] == "refused"


def test_a_text_that_is_too_long_is_refused(held, anna):
    reply = check(anna, held, spatial="x" * 20_001)
    assert reply.status_code == 400
    assert "too long" in reply.json()["message"]


def test_only_its_author_gets_an_answer(held, anna, ben, emil, ada, olaf):
    people = (anna, ben, emil, ada, olaf)
    assert [check(p, held).status_code for p in people] == [200, 404, 404, 404, 404]
    assert post_json(client_of(None), "split_checks", held, {"content": {}}).status_code != 200


def test_other_work_has_no_such_checks(project, anna):
    writing = hold(anna, make_work(make_clip(project)))
    assert check(anna, writing).status_code == 404


def test_without_a_merged_text_there_is_nothing_to_check(project, anna):
    bare = hold(anna, make_work(make_clip(project), "split", needed=1))
    assert check(anna, bare, spatial="He runs.").status_code == 400


def test_it_only_answers_to_post(held, anna):
    url = reverse("annotate:split_checks", args=[held.pk])
    assert client_of(anna).get(url).status_code == 405


def test_it_asks_the_database_equally_often_at_any_size(project, anna, ben, held):
    client = client_of(anna)

    def queries(words):
        content = {"spatial": words, "temporal": words}
        with count_queries() as count:
            post_json(client, "split_checks", held, {"content": content})
        return int(count)

    few = queries("He runs.")
    for _ in range(3):
        other = hold_split(make_clip(project), ben)
        submit_split(other, spatial="He runs there.", temporal="He runs there.")
    assert queries("He runs there. " * 50) == few
    assert few <= 6

"""POST assignments/<id>/problems/: what still keeps the text from being submitted."""

import pytest

from tests.cast import client_of, make_clip
from tests.work import WRITE_UP, hold, make_work, post_json

pytestmark = pytest.mark.django_db


@pytest.fixture
def held(project, anna):
    return hold(anna, make_work(make_clip(project)))


def problems(person, assignment, content):
    return post_json(client_of(person), "write_problems", assignment, {"content": content})


def test_it_answers_with_the_problems_of_a_submit_and_saves_nothing(held, anna):
    assert problems(anna, held, WRITE_UP).json() == {"problems": []}
    answer = problems(anna, held, {**WRITE_UP, "misc": "One sentence only."})
    assert answer.json() == {
        "problems": [{"field": "misc", "message": "Misc has 1 sentence; write 2 to 4."}]
    }
    held.refresh_from_db()
    assert (held.draft, held.state) == ({}, "held")


def test_times_that_belong_to_no_sentence_are_a_problem_too(held, anna):
    answer = problems(anna, held, {**WRITE_UP, "spans-overview": "[{}]"})
    assert [problem["field"] for problem in answer.json()["problems"]] == ["overview"]


def test_what_is_no_text_is_refused(held, anna):
    assert problems(anna, held, {"overview": 1}).status_code == 400

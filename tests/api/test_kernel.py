"""What holds for every resource: problems, pages, filters, ETags and limits."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.test import Client

from tests.api.asking import Program, problem, program_of
from tests.cast import client_of, make_clip

pytestmark = [pytest.mark.django_db]


@pytest.fixture
def program(ada, project):
    return program_of(ada, project)


@pytest.mark.parametrize(
    ("method", "address", "expected"),
    [
        ("get", "nothing/", (404, "not-found")),
        ("get", "/api/v1/nothing/", (404, "not-found")),
        ("get", "/api/v1/projects/other/", (404, "not-found")),
        ("get", "clips/999999999999999999999/", (404, "not-found")),
        ("get", f"work/{2**63}/", (404, "not-found")),  # by a statement of our own
        ("get", f"captions/?clip={2**63}", (422, "invalid")),
        ("get", "clips/?q=%00", (400, "unreadable")),
        ("get", "clips/?limit=0", (422, "invalid")),
        ("get", "clips/?limit=201", (422, "invalid")),
        ("get", "clips/?cursor=mine", (422, "invalid")),
        ("get", "clips/?order=sha256", (422, "invalid")),
        ("get", "clips/?owner=me", (422, "invalid")),
        ("delete", "", (405, "method-not-allowed")),
        ("options", "", (405, "method-not-allowed")),
    ],
)
def test_an_error_is_a_problem(program, method, address, expected):
    assert problem(program.ask(method, address)) == expected


def test_json_that_is_nested_deep_is_unreadable(program):
    for body in ("[" * 50_000, '{"text": ' + "[" * 50_000 + "]" * 50_000 + "}"):
        address = f"{program.root}splits/"
        sent = {"content_type": "application/json", "headers": program.headers}
        assert problem(program.client.post(address, body, **sent)) == (400, "unreadable")


def test_an_invalid_request_names_each_field_and_what_is_wrong(program):
    assert program.get("clips/?limit=many&length=huge").json()["errors"] == [
        {"field": "limit", "detail": "A valid integer is required."},
        {"field": "length", "detail": '"huge" is not a valid choice.'},
    ]
    [error] = program.get("clips/?owner=me").json()["errors"]
    assert error["field"] == "owner"
    assert "Choose from: limit, cursor, order, q, category" in error["detail"]


def test_a_failure_of_the_program_is_a_problem_without_its_inside(program, monkeypatch):
    def fail(*_):
        raise RuntimeError("inside")

    monkeypatch.setattr("annotate.corpus.api.clips.filter_clips", fail)
    program.client.raise_request_exception = False
    failed = program.get("clips/")
    assert problem(failed) == (500, "server-error")
    assert "inside" not in failed.text


def test_only_json_is_offered(program):
    assert problem(program.get("", accept="text/html")) == (406, "not-acceptable")


def test_a_session_is_no_token(ada, project):
    """So that no other site can use the browser of somebody who is signed in."""
    assert problem(client_of(ada).get("/api/v1/projects/dives/")) == (401, "no-token")
    assert Client().get("/api/v1/projects/dives/").headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize("order", ["id", "-id", "name", "-name", "length", "-length"])
def test_pages_have_each_row_once_while_rows_are_added(program, project, order):
    clips = [make_clip(project, frames=100 + number % 2) for number in range(5)]
    keys = {
        "id": lambda clip: clip.pk,
        "name": lambda clip: clip.name,
        "length": lambda clip: (clip.duration_ms, clip.pk),
    }
    address, read = f"clips/?order={order}&limit=2", []
    while address:
        answer = program.get(address).json()
        read += [row["id"] for row in answer["results"]]
        address = (answer["next"] or "").removeprefix("http://testserver")
        if len(read) == 2 and order == "id":
            clips.append(make_clip(project))
    down = order.startswith("-")
    expected = sorted(clips, key=keys[order.removeprefix("-")], reverse=down)
    assert read == [clip.pk for clip in expected]


def test_a_cursor_is_of_one_list_and_order(program, project):
    for _ in range(2):
        make_clip(project)
    following = program.get("clips/?limit=1").json()["next"].partition("?")[2]
    assert program.get(f"clips/?{following}").status_code == 200
    assert problem(program.get(f"clips/?{following}&order=name")) == (422, "invalid")
    assert problem(program.get(f"videos/?{following}")) == (422, "invalid")


def test_the_same_content_is_sent_once(program, project):
    first = program.get("clips/")
    again = program.ask("get", "clips/", if_none_match=first.headers["ETag"])
    assert (again.status_code, again.content) == (304, b"")
    assert first.headers["Cache-Control"] == "private, no-cache"
    assert "Authorization" in first.headers["Vary"]
    make_clip(project)
    assert program.ask("get", "clips/", if_none_match=first.headers["ETag"]).status_code == 200


def test_a_token_and_an_address_without_one_have_limits(program, project, settings):
    cache.clear()
    settings.VERICAP_API_REQUESTS_PER_MINUTE = 2
    assert [program.get("").status_code for _ in range(2)] == [200, 200]
    refused = program.get("")
    assert problem(refused) == (429, "too-many-requests")
    assert 0 < int(refused.headers["Retry-After"]) <= 60
    stranger = Program("vericap_guess", project)
    codes = [stranger.get("").status_code for _ in range(61)]
    assert (codes[:60], codes[60]) == ([401] * 60, 429)
    cache.clear()


def test_the_reference_lists_every_operation(olaf):
    page = client_of(olaf).get("/api/").text
    for address in ("/api/v1/projects/{slug}/clips/", "/api/v1/token/"):
        assert address in page
    described = Client().get("/api/openapi.json").json()
    assert described["openapi"] == "3.1.0"
    assert {path for path in described["paths"] if not path.startswith("/api/v1/")} == set()
    assert described["components"]["securitySchemes"] == {
        "token": {"type": "http", "scheme": "bearer"}
    }

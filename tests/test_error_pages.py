"""The pages of refusals, for a visitor, an outsider, and a member without the role; and what people
and programs get when the database fails."""

import errno
from functools import partial

import pytest
from django.db import DataError, InterfaceError, OperationalError, connection
from django.urls import reverse

from annotate.models import Assignment
from tests.cast import client_of, make_clip
from tests.markup import shows
from tests.work import WRITE_UP, hold, make_work, post_json

pytestmark = pytest.mark.django_db


def test_a_refusal_says_why_and_leads_back(project, anna, olaf):
    address = reverse("annotate:members", args=[project.slug])
    for person, code, title in (
        (olaf, 404, "Page not found"),
        (anna, 403, "You don’t have permission"),
    ):
        page = client_of(person).get(address)
        assert page.status_code == code
        assert shows(page.text, f"<title>{title}</title>")
        assert shows(page.text, f"<h1>{title}</h1>")
        assert shows(page.text, '<a class="button primary" href="/">Go to your projects</a>')
        assert project.name not in page.text


def test_an_address_that_leads_nowhere_is_not_found(anna):
    for person in (None, anna):
        page = client_of(person).get("/nowhere/")
        assert page.status_code == 404
        assert shows(page.text, "<h1>Page not found</h1>")


class Failure(Exception):
    """An error of a driver, with PostgreSQL's code or SQLite's name."""

    def __init__(self, sqlstate: str = "", sqlite_errorname: str = "") -> None:
        super().__init__("inside")
        if sqlite_errorname:
            self.sqlite_errorname = sqlite_errorname
        else:
            self.sqlstate = sqlstate or None


@pytest.mark.parametrize(
    ("error", "cause", "status", "name"),
    [
        (OperationalError, Failure("53100"), 503, "disk-full"),
        (OperationalError, Failure(sqlite_errorname="SQLITE_FULL"), 503, "disk-full"),
        (partial(OSError, errno.ENOSPC), None, 503, "disk-full"),
        (OperationalError, Failure("57P01"), 503, "database-unavailable"),
        (OperationalError, Failure(), 503, "database-unavailable"),  # no connection
        (OperationalError, Failure(sqlite_errorname="SQLITE_BUSY"), 503, "database-unavailable"),
        (InterfaceError, Failure(), 503, "database-unavailable"),
        (OperationalError, Failure(sqlite_errorname="SQLITE_ERROR"), 500, "server-error"),
        (DataError, Failure("22003"), 400, "unreadable"),
        (DataError, Failure("22P02"), 500, "server-error"),
        (RuntimeError, None, 500, "server-error"),
    ],
)
def test_a_failure_of_the_database_says_what_is_wrong_and_not_how(
    anna, monkeypatch, error, cause, status, name
):
    def fail(*_: object, **__: object) -> None:
        raise error("inside") from cause

    monkeypatch.setattr("annotate.api.authentication.find_token", fail)
    monkeypatch.setattr("annotate.projects.views.projects.project_rows", fail)
    client = client_of(anna)
    client.raise_request_exception = False
    page = client.get("/")
    program = client.get("/api/v1/token/", headers={"authorization": "Bearer a"})
    script = client.get("/", headers={"accept": "application/json"})
    assert [answer.status_code for answer in (page, program, script)] == [status] * 3
    assert program.json()["type"] == f"urn:vericap:problem:{name}"
    if status != 500:
        assert shows(page.text, f"<h1>{program.json()['title']}</h1>")
        assert program.json()["detail"] in " ".join(page.text.split())
    assert script.json() == {"code": name, "message": program.json()["detail"]}
    assert ("Retry-After" in page.headers) == (status == 503)
    assert not any("inside" in answer.text for answer in (page, program, script))


@pytest.mark.django_db(transaction=True)
def test_a_draft_is_refused_while_the_disk_is_full_and_saved_after(project, anna):
    held = hold(anna, make_work(make_clip(project)))
    client = client_of(anna)
    client.raise_request_exception = False
    draft = {"base_version": 0, "content": WRITE_UP | {"appearance": "A dive. " * 2000}}
    with connection.cursor() as cursor:
        # Pages that other tests have freed would take the draft.
        (free,) = cursor.execute("PRAGMA freelist_count").fetchone()
        (size,) = cursor.execute("PRAGMA page_size").fetchone()
        cursor.execute(f"CREATE TABLE filler AS SELECT zeroblob({free * size}) AS content")
        (pages,) = cursor.execute("PRAGMA page_count").fetchone()
        (most,) = cursor.execute("PRAGMA max_page_count").fetchone()
        cursor.execute(f"PRAGMA max_page_count = {pages}")
        try:
            refused = post_json(client, "save_draft", held, draft)
        finally:
            cursor.execute(f"PRAGMA max_page_count = {most}")
            cursor.execute("DROP TABLE filler")
    assert (refused.status_code, refused.json()["code"]) == (503, "disk-full")
    assert Assignment.objects.get().draft_version == 0
    assert post_json(client, "save_draft", held, draft).status_code == 200

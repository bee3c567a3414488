"""The audit log: what it lists, what its filters keep, and who may read its values."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime

import pytest
from django.urls import reverse

from annotate.audit import record_event
from annotate.models import AuditEvent
from tests.cast import client_of, count_queries, make_clip, make_project


@pytest.fixture
def page(project):
    return reverse("review:audit_log", args=[project.slug])


@pytest.fixture
def events(project, ada, anna):
    """Ada renames a clip, Anna skips it, and something happens in another project."""
    clip = make_clip(project)
    renamed = record_event(
        actor=ada,
        verb="rename",
        subject=clip,
        project=project,
        before={"name": "old", "same": 1},
        after={"name": "<b>new</b>", "same": 1},
    )
    skipped = record_event(actor=anna, verb="skip", subject=clip, project=project)
    record_event(actor=ada, verb="elsewhere", subject=clip, project=make_project("Other"))
    return renamed, skipped


def listed(client, page, **query):
    return [entry.event for entry in client.get(page, query).context["entries"]]


def downloaded(person, project, **query):
    address = reverse("review:download_audit_log", args=[project.slug])
    return client_of(person).get(address, query).getvalue().decode()


def test_it_lists_the_changes_of_the_project_newest_first(page, ada, events):
    renamed, skipped = events
    response = client_of(ada).get(page)
    assert [entry.event for entry in response.context["entries"]] == [skipped, renamed]
    [change] = response.context["entries"][1].changes
    assert (change.field, change.before, change.after) == ("name", "old", "<b>new</b>")
    assert "&lt;b&gt;new" in response.content.decode()


def test_objects_with_a_page_of_their_own_link_to_it(page, project, ada):
    for kind in ("clip", "video", "job", "actionlabel"):
        AuditEvent.objects.create(project=project, verb="move", object_type=kind, object_id=7)
    entries = client_of(ada).get(page).context["entries"]
    assert [(entry.event.object_type, entry.url) for entry in reversed(entries)] == [
        ("clip", reverse("annotate:clip", args=[project.slug, 7])),
        ("video", ""),
        ("job", reverse("annotate:job", args=[project.slug, 7])),
        ("actionlabel", reverse("annotate:label", args=[project.slug, 7])),
    ]


def test_each_filter_keeps_what_matches(page, ada, anna, events):
    renamed, skipped = events
    client = client_of(ada)
    assert listed(client, page, person=anna.pk) == [skipped]
    assert listed(client, page, action="REN") == [renamed]
    assert listed(client, page, kind="clip", key=renamed.object_id) == [skipped, renamed]
    assert listed(client, page, key=renamed.object_id + 1) == []
    assert listed(client, page, until="2001-01-01") == []
    today = datetime.now(UTC).date()
    assert listed(client, page, since=today, until=today) == [skipped, renamed]
    # What isn't valid is left out, so that an old link still opens.
    assert listed(client, page, person="x", since="yesterday", key=10**30) == [skipped, renamed]


def test_older_changes_are_one_link_away(page, ada, project, events):
    first, _ = events
    for _ in range(100):
        record_event(actor=ada, verb="move", subject=project, project=project)
    client = client_of(ada)
    response = client.get(page)
    assert len(response.context["entries"]) == 100
    older = client.get(f"{page}?{response.context['older']}")
    assert [entry.event for entry in older.context["entries"]][-1] == first
    assert older.context["older"] == ""


def test_somebody_who_could_do_the_work_sees_no_values(page, ada, project, events):
    ada.memberships.update(is_reviewer=True)
    response = client_of(ada).get(page)
    assert "Values are hidden" in response.content.decode()
    assert "&lt;b&gt;new" not in response.content.decode()
    assert "new" not in downloaded(ada, project)


def test_the_file_has_what_matches(ada, project, events):
    renamed, _ = events
    rows = list(csv.DictReader(io.StringIO(downloaded(ada, project, action="ren"))))
    assert [(row["event"], row["action"]) for row in rows] == [(str(renamed.pk), "rename")]
    assert rows[0]["after"] == '{"name": "<b>new</b>", "same": 1}'


def test_an_empty_log_says_so(page, ada, project):
    assert "No changes yet" in client_of(ada).get(page).content.decode()


def test_the_page_takes_the_same_queries_with_more_changes(page, ada, anna, project, events):
    client = client_of(ada)

    def queries() -> int:
        with count_queries() as count:
            client.get(page)
        return int(count)

    client.get(page)
    before = queries()
    for person in (ada, anna):
        record_event(actor=person, verb="move", subject=project, project=project)
    assert queries() == before

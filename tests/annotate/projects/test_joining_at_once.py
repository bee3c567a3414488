"""Clicks on an invitation that arrive together."""

import pytest

from annotate.models import AuditEvent, User
from tests.annotate.projects.views.test_members import invite
from tests.annotate.queue.test_concurrency import in_threads
from tests.cast import PASSWORD, Client, make_person, make_project


@pytest.mark.django_db(transaction=True)
def test_two_clicks_on_join_at_once_make_one_account():
    project = make_project()
    link = invite(make_person("Ada", project, "admin"))
    cara = {"name": "Cara", "email": "cara@example.org", "password": PASSWORD}
    answers = in_threads(lambda client: client.post(link, cara), [Client() for _ in range(4)])
    assert [answer.headers.get("Location") for answer in answers] == ["/p/dives/"] * 4
    assert User.objects.filter(email="cara@example.org").count() == 1
    assert AuditEvent.objects.filter(verb="join").count() == 1

"""Clicks on an invitation that arrive together."""

import pytest

from annotate.models import AuditEvent, User
from annotate.projects.views import invitations
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


@pytest.mark.django_db
def test_a_click_that_reads_the_invitation_after_the_other_has_joined_is_welcome(monkeypatch):
    project = make_project()
    link = invite(make_person("Ada", project, "admin"))
    cara = {"name": "Cara", "email": "cara@example.org", "password": PASSWORD}
    find_invitation, other = invitations.find_invitation, [Client()]

    def join_first(token):
        if other:
            other.pop().post(link, cara)
        return find_invitation(token)

    monkeypatch.setattr(invitations, "find_invitation", join_first)
    assert Client().post(link, cara).headers.get("Location") == "/p/dives/"
    assert User.objects.filter(email="cara@example.org").count() == 1

"""Links to join: several at once, new ones for lost ones, and who joined by which."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from annotate.models import Invitation
from annotate.projects.invited import MAX_PEOPLE
from tests.api.asking import problem, program_of
from tests.cast import client_of
from tests.markup import shows

pytestmark = pytest.mark.django_db
MEMBERS = "/p/dives/members/"
PEOPLE = "email,roles\nCara@example.org,annotator\ndan@example.org,expert; reviewer\n"


def links(answer):
    return re.findall(r'value="http://testserver(/join/[\w-]+/)"', answer.text)


def invite_many(ada, people):
    return client_of(ada).post(f"{MEMBERS}invite-many/", {"people": people})


def test_several_people_get_a_link_each(project, ada, olaf):
    answer = invite_many(ada, PEOPLE)
    assert answer.status_code == 200
    assert len(links(answer)) == 2
    invited = Invitation.objects.order_by("pk")
    assert [(each.email, each.roles) for each in invited] == [
        ("cara@example.org", ["annotator"]),
        ("dan@example.org", ["expert", "reviewer"]),
    ]
    assert "cara@example.org,http://testserver/join/" in answer.text
    assert client_of(olaf).post(links(answer)[0]).status_code == 409  # it is Cara's


@pytest.mark.parametrize(
    ("people", "error"),
    [
        ("cara@example.org,annotator", "Begin with the line “email,roles”"),
        ("email,roles", f"Give 1 to {MAX_PEOPLE} people"),
        ("email,roles\ncara,annotator", "Row 2, email: give an address"),
        ("email,roles\ncara@x.org,boss", "Row 2, roles: “boss” is not a role."),
        ("email,roles\ncara@x.org", "Row 2, roles: Give one or more of"),
        ("email,roles\nc@x.org,expert\nC@x.org,expert", "Row 3, email: c@x.org is in the rows"),
        ("email,roles\nADA,admin", "Row 2, email: ada@"),
        ('email,roles\n"c@x.org,expert', "quotation marks don’t match"),
    ],
)
def test_a_wrong_row_is_named_and_nobody_is_invited(project, ada, people, error):
    answer = invite_many(ada, people.replace("ADA", ada.email))
    assert answer.status_code == 422
    assert error in answer.text
    assert people.splitlines()[-1].split(",")[-1] in answer.text  # what was typed is kept
    assert not Invitation.objects.exists()


def test_a_new_link_replaces_the_lost_one_and_has_its_days_again(project, ada, olaf):
    client = client_of(ada)
    [lost] = links(client.post(f"{MEMBERS}invite/", {"roles": ["annotator"]}))
    invitation = Invitation.objects.get()
    Invitation.objects.update(expires_at=timezone.now() - timedelta(days=1))
    page = client.get(MEMBERS).text
    assert "Expired" in page
    assert shows(page, '<td data-label="Roles"><span class="badge plain">Annotator</span></td>')
    [link] = links(client.post(f"{MEMBERS}invitations/{invitation.pk}/renew/"))
    assert client_of(olaf).get(lost).status_code == 410
    assert client_of(olaf).post(link).headers["Location"] == "/p/dives/"
    page = client.get(MEMBERS).text
    assert "Who joined by which invitation (1)" in page
    again = client.post(f"{MEMBERS}invitations/{invitation.pk}/renew/")
    assert again.headers["Location"] == MEMBERS
    assert Invitation.objects.get().accepted_by == olaf


def test_a_program_renews_links_and_reads_who_used_them(project, ada, olaf):
    program = program_of(ada, project)
    made = program.ask("post", "invitations/", {"roles": ["expert"]}).json()
    renewed = program.ask("post", f"invitations/{made['id']}/renew/").json()
    assert renewed["link"] != made["link"]
    client_of(olaf).post(renewed["link"].removeprefix("http://testserver"))
    [row] = program.rows("invitations/?state=used")
    assert (row["joined"], row["roles"]) == ("Olaf", ["expert"])
    assert program.rows("invitations/") == []
    refused = program.ask("post", f"invitations/{made['id']}/renew/")
    assert problem(refused) == (409, "refused")

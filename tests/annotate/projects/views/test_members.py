import re
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone

from annotate.models import AuditEvent, Invitation, Membership, Project, User
from tests.cast import PASSWORD, Client, client_of, count_queries, make_person
from tests.markup import shows
from tests.swapped_parts import in_place

MEMBERS = "/p/dives/members/"


def link_from(response) -> str:
    return re.search(r"/join/[\w-]+/", response.text).group()


def invite(ada, **fields) -> str:
    return link_from(client_of(ada).post(f"{MEMBERS}invite/", {"roles": ["annotator"]} | fields))


def test_an_invitation_link_lets_a_new_person_in_once(project, ada):
    roles = ["annotator", "expert", "reviewer"]
    link = invite(ada, roles=roles)
    visitor = Client()
    assert shows(visitor.get(link).text, "Ada invites you as annotator, expert and reviewer.")
    joined = visitor.post(link, {"name": "Cara", "email": "Cara@Example.org", "password": PASSWORD})
    membership = Membership.objects.get(user__email="cara@example.org")
    assert joined.headers["Location"] == "/p/dives/"
    assert membership.roles == roles
    assert visitor.get("/p/dives/").status_code == 200
    again = Client().post(link, {"name": "D", "email": "d@example.org", "password": PASSWORD})
    assert again.status_code == 410
    assert not User.objects.filter(email="d@example.org").exists()


def test_a_second_click_on_join_finds_the_person_joined(project, ada):
    link = invite(ada)
    cara = {"name": "Cara", "email": "cara@example.org", "password": PASSWORD}
    for client in (Client(), Client()):
        assert client.post(link, cara).headers["Location"] == "/p/dives/"
        assert client.get("/p/dives/").status_code == 200
    assert Client().post(link, cara | {"password": "not hers at all"}).status_code == 410
    assert Membership.objects.filter(user__email="cara@example.org").count() == 1


def test_a_used_link_is_no_way_to_guess_the_password_of_who_used_it(project, ada):
    cache.clear()
    link = invite(ada)
    cara = {"name": "Cara", "email": "cara@example.org", "password": PASSWORD}
    Client().post(link, cara)
    for number in range(6):
        assert Client().post(link, cara | {"password": f"guess {number}"}).status_code == 410
    assert Client().post(link, cara).status_code == 410  # even the right one, for a while
    cache.clear()


def test_a_second_click_of_somebody_with_an_account_changes_nothing(project, ada, olaf):
    link, client = invite(ada), client_of(olaf)
    assert [client.post(link).headers["Location"] for _ in range(2)] == ["/p/dives/"] * 2
    assert AuditEvent.objects.filter(verb="join").count() == 1


def test_somebody_who_was_removed_does_not_come_back_by_the_same_link(project, ada, olaf):
    link = invite(ada)
    client_of(olaf).post(link)
    Membership.objects.filter(user=olaf).delete()
    assert client_of(olaf).post(link).status_code == 410


def test_only_the_hash_of_a_link_is_stored(project, ada):
    token = invite(ada).split("/")[2]
    stored = Invitation.objects.get()
    assert token not in (stored.token_hash, str(stored.__dict__))


def test_somebody_with_an_account_joins_with_one_click(project, ada, olaf):
    client = client_of(olaf)
    client.post(invite(ada))
    assert Membership.objects.get(user=olaf).roles == ["annotator"]
    assert client.get("/p/dives/").status_code == 200


def test_a_link_for_one_address_works_for_nobody_else(project, ada, olaf):
    link = invite(ada, email="cara@example.org")
    response = client_of(olaf).post(link)
    assert response.status_code == 409
    assert "This invitation is for cara@example.org" in response.text
    assert not Membership.objects.filter(user=olaf).exists()


@pytest.mark.parametrize("ended", ["expires_at", "withdrawn_at"])
def test_an_ended_invitation_says_so(project, ada, ended):
    link = invite(ada)
    Invitation.objects.update(**{ended: timezone.now() - timedelta(days=1)})
    response = Client().get(link)
    assert response.status_code == 410
    assert "Ask for a new link" in response.text


def test_a_link_of_nothing_says_the_same(db):
    assert Client().get("/join/guess/").status_code == 410


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("password", "short", "too short"),
        ("password", "1234567890", "too common"),
        ("email", "anna@vericap.example", "An account with this address exists"),
        ("name", "", "required"),
        ("name", "Anna\u202eadA", "is invisible"),
        ("name", "An\u200bna", "is invisible"),
    ],
)
def test_a_wrong_field_when_joining_is_named(project, ada, anna, field, value, message):
    person = {"name": "Cara", "email": "cara@example.org", "password": PASSWORD}
    response = Client().post(invite(ada), person | {field: value})
    assert response.status_code == 422
    assert message in response.text
    assert not User.objects.filter(name="Cara").exists()


def test_an_invitation_needs_a_role(project, ada):
    response = client_of(ada).post(f"{MEMBERS}invite/", {"email": "x@example.org"})
    assert response.status_code == 422
    assert "Choose at least one role" in response.text


def test_a_member_needs_a_role(project, ada, anna):
    membership = Membership.objects.get(user=anna)
    response = client_of(ada).post(f"{MEMBERS}{membership.pk}/roles/")
    assert response.status_code == 422
    assert response.text.count("Choose at least one role") == 1
    membership.refresh_from_db()
    assert membership.is_annotator


def test_withdrawing_ends_the_link(project, ada):
    link = invite(ada)
    invitation = Invitation.objects.get()
    client_of(ada).post(f"{MEMBERS}invitations/{invitation.pk}/withdraw/")
    assert Client().get(link).status_code == 410


def test_roles_are_changed_and_audited(project, ada, anna):
    membership = Membership.objects.get(user=anna)
    client_of(ada).post(f"{MEMBERS}{membership.pk}/roles/", {"roles": ["expert", "reviewer"]})
    membership.refresh_from_db()
    event = AuditEvent.objects.get(verb="change roles")
    assert membership.roles == ["expert", "reviewer"]
    assert (event.before["roles"], event.after["roles"]) == (
        ["annotator"],
        ["expert", "reviewer"],
    )


@pytest.mark.parametrize(
    ("headers", "header"), [({}, "Location"), (in_place(MEMBERS), "HX-Redirect")]
)
def test_an_admin_who_gives_the_role_up_is_led_to_a_page_that_they_may_open(
    project, ada, rita, headers, header
):
    Membership.objects.filter(user=rita).update(is_admin=True)
    own = Membership.objects.get(user=ada)
    client = client_of(ada)
    response = client.post(f"{MEMBERS}{own.pk}/roles/", {"roles": ["reviewer"]}, headers=headers)
    assert response[header] == "/p/dives/"
    assert "Roles of Ada saved." in client.get(response[header]).text


@pytest.mark.parametrize("url", ["roles", "remove"])
def test_the_last_admin_stays(project, ada, url):
    membership = Membership.objects.get(user=ada)
    response = client_of(ada).post(
        f"{MEMBERS}{membership.pk}/{url}/", {"roles": ["annotator"]}, follow=True
    )
    membership.refresh_from_db()
    assert "A project needs an admin" in response.text
    assert membership.is_admin


def test_a_removed_member_is_an_outsider(project, ada, anna):
    membership = Membership.objects.get(user=anna)
    client_of(ada).post(f"{MEMBERS}{membership.pk}/remove/")
    assert client_of(anna).get("/p/dives/").status_code == 404


@pytest.mark.parametrize("people", [1, 3])
def test_the_page_costs_the_same_at_any_number(project, ada, people):
    for number in range(people):
        make_person(f"Writer{number}", project, "annotator")
    client = client_of(ada)
    client.get(MEMBERS)
    with count_queries() as count:
        client.get(MEMBERS)
    assert count <= 6


@pytest.mark.parametrize(
    ("protocol", "annotator"),
    [
        ("carebench", "Annotator: writes and splits captions"),
        ("lovr", "Annotator: checks videos, writes by hand, verifies and rates captions"),
        ("tfcovr", "Annotator: verifies triplets"),
    ],
)
def test_roles_are_described_in_the_words_of_the_protocol(project, ada, protocol, annotator):
    Project.objects.update(protocol=protocol)
    page = client_of(ada).get("/p/dives/members/").text
    assert annotator in page
    others = {"writes and splits captions", "verifies triplets", "writes by hand, verifies"}
    assert sum(words in page for words in others) == 1

"""Each refused invitation and change of roles names the row and the fix; nothing changes."""

import pytest
from django.test import Client
from django.urls import reverse

from annotate.errors import AnnotateError
from annotate.models import Invitation, User
from annotate.projects.invited import PeopleInvalid, read_people
from annotate.projects.services.members import change_roles, invite
from tests.cast import client_of

pytestmark = pytest.mark.django_db
LONG = f"{'a' * 250}@x.org"


@pytest.mark.parametrize(
    ("row", "error"),
    [
        ("anna,reviewer", "Row 2, email: give an address such as anna@example.org."),
        (f"{LONG},reviewer", "Row 2, email: at most 254 characters."),
        ("anna@x.org,reviewer", "Row 2, email: anna@x.org is a member already. Leave the row out."),
        ("ben@x.org,reviewer",
         "Row 2, email: ben@x.org has an open invitation. Make a new link for it instead."),
    ],
)  # fmt: skip
def test_each_row_that_invites_nobody(row, error):
    with pytest.raises(PeopleInvalid) as refused:
        read_people(f"email,roles\n{row}\n", members={"anna@x.org"}, invited={"ben@x.org"})
    assert refused.value.by_field() == [("people", error)]


def test_an_invitation_and_a_member_have_a_role(project, ada, anna):
    membership = project.memberships.get(user=anna)
    for act, message in (
        (lambda: invite(project=project, admin=ada, roles=[]),
         "Choose at least one role for the person you invite."),
        (lambda: change_roles(membership=membership, admin=ada, roles=[]),
         "Choose at least one role, or remove the person from the project."),
    ):  # fmt: skip
        with pytest.raises(AnnotateError) as refused:
            act()
        assert str(refused.value) == message
    assert not Invitation.objects.exists()
    assert project.memberships.get(user=anna).roles == membership.roles


def test_the_address_of_an_invitation_is_that_of_the_new_account(project, ada, anna):
    _, token = invite(project=project, admin=ada, roles=["reviewer"], email="rita@x.org")
    address = reverse("annotate:join", args=[token])
    assert client_of(anna).get(address).status_code == 200
    values = {"name": "Rita", "email": "olaf@x.org", "password": "a long and odd password"}
    assert Client().post(address, values).status_code == 302
    assert User.objects.filter(email="rita@x.org").exists()
    assert not User.objects.filter(email="olaf@x.org").exists()

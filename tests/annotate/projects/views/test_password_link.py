"""A link with which a member sets a new password, made by a superuser."""

import re

import pytest
from django.test import Client

from annotate.models import AuditEvent, Membership
from tests.cast import client_of

pytestmark = pytest.mark.django_db
NEW = "a new long password 71"


@pytest.fixture
def root(ada):
    ada.is_superuser = True
    ada.save()
    return ada


def make_link(admin, member):
    key = Membership.objects.get(user=member).pk
    return client_of(admin).post(f"/p/dives/members/{key}/password/", follow=True)


def link_from(response) -> str:
    return re.search(r"/accounts/password/reset/key/[^\"]+", response.text).group()


def set_password(link: str) -> int:
    visitor = Client()
    form = visitor.get(link, follow=True)
    address = form.redirect_chain[-1][0] if form.redirect_chain else link
    visitor.post(address, {"password1": NEW, "password2": NEW})
    return form.status_code


def test_a_member_sets_a_new_password_by_the_link_once(project, root, anna):
    signed_in = client_of(anna)
    link = link_from(make_link(root, anna))
    set_password(link)
    anna.refresh_from_db()
    assert anna.check_password(NEW)
    assert signed_in.get("/p/dives/").status_code == 302
    anna.set_password("another one of hers")
    anna.save()
    set_password(link)
    anna.refresh_from_db()
    assert anna.check_password("another one of hers")


def test_the_audit_log_names_who_made_it_but_no_link(project, root, anna):
    link = link_from(make_link(root, anna))
    event = AuditEvent.objects.get(verb="make password link")
    assert (event.actor, event.project, event.object_id) == (root, project, anna.pk)
    assert (event.before, event.after) == ({}, {})
    assert link not in client_of(root).get("/p/dives/members/").text


def test_it_expires(project, root, anna, settings):
    link = link_from(make_link(root, anna))
    settings.PASSWORD_RESET_TIMEOUT = -1
    set_password(link)
    anna.refresh_from_db()
    assert not anna.check_password(NEW)


def test_admins_of_a_project_cannot_make_one(project, ada, anna):
    assert "Forgotten password" not in client_of(ada).get("/p/dives/members/").text
    refused = make_link(ada, anna)
    assert "Only an admin of the site can make a link" in refused.text
    assert "/reset/key/" not in refused.text
    assert not AuditEvent.objects.filter(verb="make password link").exists()


def test_a_deactivated_account_gets_none(project, root, anna):
    anna.is_active = False
    anna.save()
    assert "Reactivate it first" in make_link(root, anna).text

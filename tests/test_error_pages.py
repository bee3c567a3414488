"""The pages of refusals, for a visitor, an outsider, and a member without the role."""

import pytest
from django.urls import reverse

from tests.cast import client_of
from tests.markup import shows

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


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

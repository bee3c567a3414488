"""What holds for every request: refused hosts and NUL characters, and what caches may keep."""

import pytest

from annotate.models import Membership
from tests.cast import Client, client_of, make_clip
from tests.swapped_parts import in_place

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("host", ["evil.example", "a b", "x:y:z"])
@pytest.mark.parametrize("path", ["/accounts/sign-in/", "/p/dives/", "/static/x.css"])
def test_an_unknown_host_gets_a_page_that_says_so(host, path):
    response = Client(raise_request_exception=False).get(path, headers={"host": host})
    assert response.status_code == 400
    assert "This request can’t be read" in response.text
    assert "Traceback" not in response.text
    assert "default-src 'self'" in response.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    "address",
    [
        "/p/dives/corpus/?category=%00",
        "/p/dives/corpus/?%00=a",
        "/p/dives/releases/%00/",
        "/accounts/sign-in/?next=%00",
    ],
)
def test_an_address_with_a_nul_character_is_refused(anna, address):
    for client in (client_of(anna), Client()):
        response = client.get(address)
        assert response.status_code == 400
        assert "This request can’t be read" in response.text


def test_a_key_that_no_row_can_have_is_not_there(project, anna, ada):
    for address in (f"/assignments/{2**63}/", f"/p/dives/runs/{2**63}/"):
        for person in (anna, ada):
            assert client_of(person).get(address).status_code == 404


def test_a_number_in_a_form_that_no_column_stores_is_refused(project, ada):
    client = client_of(ada)
    client.raise_request_exception = False
    many = {"candidate": str(2**63), "action": "select"}
    refused = client.post("/p/dives/candidates/decide/", many)
    assert refused.status_code in {400, 422}  # unreadable on SQLite; no row has it on PostgreSQL


def test_an_address_that_only_looks_like_one_with_a_nul_is_not(project, anna):
    assert client_of(anna).get("/p/dives/corpus/?q=%2500").status_code == 200


def test_a_cookie_with_a_nul_character_is_refused(db):
    client = Client()
    client.cookies["sessionid"] = "aaaaaaaaaaaa\0"
    assert client.get("/").status_code == 400


def test_no_cache_keeps_a_page_of_somebody_signed_in(project, anna):
    clip = make_clip(project)
    client = client_of(anna)
    addresses = ["/", "/p/dives/", f"/p/dives/clips/{clip.pk}/", "/p/dives/members/", "/p/none/"]
    for address in addresses:
        kept = client.get(address).headers["Cache-Control"].split(", ")
        assert {"private", "no-store"} <= set(kept)


def test_a_visitor_s_page_has_no_such_rule(db):
    assert "private, no-store" not in Client().get("/x/").headers.get("Cache-Control", "")


@pytest.mark.parametrize(
    ("form", "page"),
    [
        ("/p/dives/members/invite/", "/p/dives/members/"),
        ("/p/dives/threshold/study/", "/p/dives/threshold/"),
        ("/p/dives/dynamics/7/decide/", "/p/dives/dynamics/"),
    ],
)
def test_the_address_of_a_form_leads_back_to_its_page(ada, form, page):
    """It is in the browser after a refusal, and reloading it asks for it."""
    client = client_of(ada)
    assert client.get(form).status_code == 405
    response = client.get(form, headers={"accept": "text/html,*/*;q=0.8"})
    assert (response.status_code, response.url) == (302, page)


@pytest.mark.parametrize(
    ("headers", "header"), [({}, "Location"), (in_place("/projects/new/"), "HX-Redirect")]
)
def test_a_form_that_makes_something_opens_it_with_and_without_htmx(ada, project, headers, header):
    fields = {"name": "Sea", "slug": "sea"}
    client = client_of(ada)
    made = client.post("/p/dives/settings/duplicate/", fields, headers=headers)
    assert made.headers[header] == "/p/sea/settings/"


def test_htmx_swaps_a_part_if_a_form_leads_back_to_its_page(ada, project):
    address, own = "/p/dives/members/", Membership.objects.get(user=ada)
    page = f"http://testserver{address}?page=1"
    removed = client_of(ada).post(f"{address}{own.pk}/remove/", headers=in_place(page))
    assert removed.headers["Location"] == address

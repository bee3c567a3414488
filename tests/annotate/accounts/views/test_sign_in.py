import re

import pytest
from django.core import mail
from django.core.cache import cache

from tests.cast import PASSWORD, Client, client_of

SIGN_IN = "/accounts/sign-in/"


@pytest.fixture(autouse=True)
def no_limits_left_over():
    cache.clear()


def sign_in(client, password=PASSWORD):
    return client.post(SIGN_IN, {"login": "anna@vericap.example", "password": password})


def test_everything_sends_a_visitor_to_sign_in_and_back(anna):
    client = Client()
    response = client.get("/p/dives/")
    assert response.headers["Location"] == f"{SIGN_IN}?next=/p/dives/"
    assert sign_in(client).headers["Location"] == "/"
    assert client.get("/p/dives/").status_code == 200


def test_a_script_is_told_that_it_is_signed_out(db):
    response = Client().post("/assignments/1/draft/", headers={"accept": "application/json"})
    assert (response.status_code, response.json()["code"]) == (401, "signed_out")


def test_a_form_sent_in_place_is_refused_so_that_its_page_can_ask_to_sign_in(db):
    answer = Client().post("/p/dives/members/invite/", headers={"HX-Request": "true"})
    assert (answer.status_code, answer.text) == (401, "You are signed out.")


def test_guessing_passwords_is_stopped(anna):
    client = Client()
    answers = [sign_in(client, "wrong").text for _ in range(6)]
    assert "Too many wrong passwords. Try again in five minutes." in answers[-1]
    assert sign_in(client).status_code == 200  # even the right one, for a while


def test_a_stranger_locks_nobody_out(anna):
    stranger = Client(REMOTE_ADDR="203.0.113.7")
    answers = [sign_in(stranger, "wrong").text for _ in range(6)]
    assert "Too many wrong passwords. Try again in five minutes." in answers[-1]
    assert sign_in(Client(REMOTE_ADDR="198.51.100.9")).status_code == 302


def test_another_address_of_the_same_network_is_counted_as_the_same(anna):
    for number in range(6):
        answer = sign_in(Client(REMOTE_ADDR=f"2001:db8::{number + 1}"), "wrong").text
    assert "Too many wrong passwords. Try again in five minutes." in answer


def test_nobody_signs_up_without_an_invitation(db):
    client = Client()
    page = client.get("/accounts/sign-up/")
    client.post(
        "/accounts/sign-up/", {"email": "x@example.org", "password1": PASSWORD}, follow=True
    )
    assert "By invitation only" in page.text
    assert client.get("/").status_code == 302


def test_a_forgotten_password_is_set_by_mail(anna):
    client = Client()
    client.post("/accounts/password/reset/", {"email": anna.email})
    link = re.search(r"/accounts/password/reset/key/\S+", mail.outbox[0].body).group()
    page = client.get(link, follow=True)
    form = page.request["PATH_INFO"]
    new = "nine calm badgers"
    client.post(form, {"password1": new, "password2": new})
    assert sign_in(client, new).status_code == 302


def test_an_unknown_address_is_not_given_away(db):
    response = Client().post("/accounts/password/reset/", {"email": "nobody@example.org"})
    assert response.status_code == 302
    assert response.headers["Location"].endswith("/sent/")


def test_signing_out_ends_the_session(anna):
    client = client_of(anna)
    client.post("/accounts/sign-out/")
    assert client.get("/").status_code == 302


def test_somebody_whose_account_is_closed_is_signed_out_at_once(anna):
    client = client_of(anna)
    assert client.get("/p/dives/").status_code == 200
    anna.is_active = False
    anna.save(update_fields=["is_active"])
    assert client.get("/p/dives/").headers["Location"] == f"{SIGN_IN}?next=/p/dives/"


def test_a_new_password_ends_the_other_sessions(anna):
    client = client_of(anna)
    anna.set_password("another long password")
    anna.save(update_fields=["password"])
    assert client.get("/p/dives/").headers["Location"] == f"{SIGN_IN}?next=/p/dives/"


def test_every_answer_carries_the_policy_for_its_content(anna):
    for response in (Client().get(SIGN_IN), client_of(anna).get("/p/dives/"), Client().get("/x/")):
        policy = response.headers["Content-Security-Policy"]
        assert {"default-src 'self'", "object-src 'none'"} <= set(policy.split("; "))

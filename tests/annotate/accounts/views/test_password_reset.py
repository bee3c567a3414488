"""A forgotten password: the mail, and what the page says where mail can't be sent."""

import socket
from smtplib import SMTPAuthenticationError

import pytest
from django.conf import settings
from django.core import mail
from django.test import Client

RESET = "/accounts/password/reset/"
NOT_SENT = "The mail could not be sent."


@pytest.fixture
def closed_port() -> int:
    """A port on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def silent_server(settings, closed_port):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", closed_port


def test_a_person_with_an_account_gets_a_link(anna):
    Client().post(RESET, {"email": anna.email})
    (message,) = mail.outbox
    assert message.subject == "Set a new password for testserver"
    opening, request, link, expiry, ignore = message.body.split("\n\n")
    assert opening == (
        "Somebody, probably you, asked for a new password for this address at testserver."
    )
    assert request == "To set a new password, open this link:"
    assert link.startswith("http://testserver/accounts/password/reset/key/")
    assert "three days" in expiry
    assert settings.PASSWORD_RESET_TIMEOUT == 3 * 24 * 60 * 60
    assert ignore.startswith("If you didn't ask for a new password, ignore this email")


def test_a_person_without_an_account_learns_how_to_get_one(db):
    Client().post(RESET, {"email": "o'neil@example.org"})
    (message,) = mail.outbox
    assert message.subject == "No account for this address at testserver"
    assert "no account has the address o'neil@example.org." in message.body
    assert "ask the admin of your project for an invitation link" in message.body
    assert "http" not in message.body


@pytest.mark.usefixtures("silent_server")
def test_an_unreachable_mail_server_is_reported_and_logged(anna, caplog):
    response = Client().post(RESET, {"email": anna.email})
    assert response.status_code == 200
    assert NOT_SENT in response.text
    assert f'value="{anna.email}"' in response.text
    assert "ConnectionRefusedError" in caplog.text


@pytest.mark.usefixtures("silent_server")
def test_an_unknown_address_gets_the_same_answer(db):
    response = Client().post(RESET, {"email": "nobody@example.org"})
    assert response.status_code == 200
    assert NOT_SENT in response.text


def test_a_login_that_the_mail_server_refuses_is_reported(anna, monkeypatch):
    def refuse(message) -> None:
        raise SMTPAuthenticationError(535, b"Bad login")

    monkeypatch.setattr("django.core.mail.EmailMessage.send", refuse)
    response = Client().post(RESET, {"email": anna.email})
    assert (response.status_code, NOT_SENT in response.text) == (200, True)


def test_a_site_without_mail_says_whom_to_ask(anna, settings):
    settings.VERICAP_SENDS_MAIL = False
    for response in (Client().get(RESET), Client().post(RESET, {"email": anna.email})):
        assert response.status_code == 200
        assert "This site sends no mail." in response.text
        assert "manage.py changepassword" in response.text
        assert 'name="email"' not in response.text
    assert mail.outbox == []

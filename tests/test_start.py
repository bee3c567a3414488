"""What stops a start, each with a sentence that says how to fix it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import get_commands, load_command_class

from annotate.checks import OWN_APPS
from config.folders import require_media_folder, require_static_files
from config.mail import Mail, mail_settings

ROOT = Path(__file__).parent.parent
VARIABLES = ("HOST", "PORT", "HOST_USER", "HOST_PASSWORD", "USE_TLS", "USE_SSL")


@pytest.fixture
def set_mail(monkeypatch):
    """A function that sets EMAIL_... and leaves out the rest."""

    def set_variables(**values: str) -> None:
        for name in VARIABLES:
            monkeypatch.delenv(f"EMAIL_{name}", raising=False)
        for name, value in values.items():
            monkeypatch.setenv(f"EMAIL_{name}", value)

    return set_variables


def refusal(function) -> str:
    with pytest.raises(ImproperlyConfigured) as caught:
        function()
    return str(caught.value)


def test_without_a_mail_server_no_mail_is_sent(set_mail):
    set_mail()
    assert mail_settings()["host"] == ""


@pytest.mark.parametrize(
    ("values", "port"),
    [({"USE_TLS": "1"}, 587), ({"USE_SSL": "1"}, 465), ({}, 25), ({"PORT": "2525"}, 2525)],
)
def test_the_port_follows_from_the_encryption_unless_it_is_set(set_mail, values, port):
    set_mail(HOST="mail.example.org", **values)
    assert mail_settings()["port"] == port


def test_login_and_encryption_are_read_as_they_are(set_mail):
    set_mail(HOST="mail.example.org", HOST_USER="u", HOST_PASSWORD="$ecret", USE_TLS="1")
    assert mail_settings() == Mail(
        host="mail.example.org", port=587, user="u", password="$ecret", use_tls=True, use_ssl=False
    )


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"USE_TLS": "1", "USE_SSL": "1"}, "EMAIL_USE_TLS and EMAIL_USE_SSL are both on."),
        ({"HOST_USER": "u"}, "EMAIL_HOST_USER and EMAIL_HOST_PASSWORD belong together."),
        ({"HOST_USER": "u", "HOST_PASSWORD": "p"}, "would be sent unencrypted."),
        ({"PORT": "smtp"}, "EMAIL_PORT is 'smtp'. Set it to a whole number"),
        ({"USE_TLS": "starttls"}, "EMAIL_USE_TLS is 'starttls'. Set it to 1 or 0."),
    ],
)
def test_mail_settings_that_can_not_work_are_refused(set_mail, values, words):
    set_mail(HOST="mail.example.org", **values)
    assert words in refusal(mail_settings)


def test_a_media_folder_that_can_not_be_written_stops_the_start(settings, tmp_path):
    # A file in the way refuses root as well, whom permissions don't bind.
    (tmp_path / "var").touch()
    settings.MEDIA_ROOT = tmp_path / "var" / "media"
    words = refusal(require_media_folder)
    assert words.startswith(f"MEDIA_ROOT is {settings.MEDIA_ROOT}, where the user ")
    assert " can't write (Not a directory). " in words
    assert words.endswith(f" -g www-data -m 750 {settings.MEDIA_ROOT}")


def test_a_media_folder_that_can_be_written_is_left_as_it_was(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    require_media_folder()
    assert list(settings.MEDIA_ROOT.iterdir()) == []


def test_missing_static_files_stop_the_start(settings, tmp_path):
    settings.STATIC_ROOT = tmp_path
    assert "Run: manage.py collectstatic --noinput" in refusal(require_static_files)
    (tmp_path / "staticfiles.json").write_text("{}")
    require_static_files()


WORKER = ("-m", "celery", "-A", "config", "worker", "--queues=media,cpu,gpu")


@pytest.mark.parametrize("command", [("-c", "import config.wsgi"), WORKER], ids=["web", "worker"])
def test_no_process_starts_without_a_media_folder(tmp_path, command):
    (tmp_path / "media").touch()
    environment = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    environment |= {
        "DJANGO_SETTINGS_MODULE": "config.settings.embedded",
        "VERICAP_DATA_DIR": str(tmp_path),
    }
    start = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert start.returncode == 1
    assert f"MEDIA_ROOT is {tmp_path / 'media'}, where the user " in start.stderr


def test_no_command_of_ours_loads_all_pages_to_check_them():
    own = {name: app for name, app in get_commands().items() if app.split(".")[0] in OWN_APPS}
    commands = {name: load_command_class(app, name) for name, app in own.items()}
    assert "requeue_jobs" in commands
    assert {name for name, command in commands.items() if command.requires_system_checks} == set()

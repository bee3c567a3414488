"""Each value of the environment is read, or refused with its name and what to write."""

from __future__ import annotations

import getpass
import os
from contextlib import closing
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError, connection

from config import environment, folders
from config.databases import POSTGRESQL_OPTIONS, SQLITE_OPTIONS, limit_statements, with_options
from config.errors import NO_DATABASE, problem_of
from config.private_folder import make_private
from config.service_file import service_file

POSTGRESQL = "postgres://anna:secret@db:5432/vericap"


@pytest.mark.parametrize(
    ("read", "value", "message"),
    [
        (environment.text, "", "A is missing. Set it in the environment."),
        (lambda name: environment.site(name, ""), "vericap.org",
         "A is 'vericap.org'. Write the address of the site: https://vericap.example.org"),
        (environment.database, "mysql://a/b",
         "A must be sqlite:///FILE or postgres://USER:PASSWORD@HOST:PORT/NAME."),
        (environment.database, "postgres://anna:secret@db:port/vericap",
         "A can't be read (Port could not be cast to integer value as 'port'). Write "
         "postgres://USER:PASSWORD@HOST:PORT/NAME with %-escapes for special characters in the "
         "password."),
    ],
)  # fmt: skip
def test_each_value_that_is_refused(monkeypatch, read, value, message):
    monkeypatch.setenv("A", value)
    with pytest.raises(ImproperlyConfigured) as refused:
        read("A")
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("value", "folder"),
    [("", environment.ROOT / "var"), ("media", environment.ROOT / "media"), ("/m", Path("/m"))],
)
def test_a_folder_is_in_that_of_the_program_unless_its_path_is_whole(monkeypatch, value, folder):
    monkeypatch.delenv("A", raising=False)
    if value:
        monkeypatch.setenv("A", value)
    assert environment.folder("A", environment.ROOT / "var") == folder


def test_postgresql_keeps_its_connections_and_the_options_of_its_address(monkeypatch):
    monkeypatch.setenv("A", f"{POSTGRESQL}?sslmode=require")
    database = with_options(environment.database("A"))
    assert (database["NAME"], database["CONN_MAX_AGE"]) == ("vericap", 600)
    assert database["OPTIONS"] == POSTGRESQL_OPTIONS | {"sslmode": "require"}


def test_the_programs_of_postgresql_get_its_address_as_a_file(monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgres://anna:a%2Fb%20%23$@db/vericap?sslmode=require")
    assert service_file("vericap").splitlines() == [
        "[vericap]", "host=db", "dbname=vericap", "user=anna", "password=a/b #$", "sslmode=require",
    ]  # fmt: skip


def test_a_page_has_less_time_for_a_statement_than_a_worker(db, monkeypatch):
    if connection.vendor != "postgresql":
        lite = with_options(environment.database("A", "sqlite:///a.sqlite3"))
        limit_statements(lite, seconds=1)
        assert lite["OPTIONS"] == SQLITE_OPTIONS
        return
    page, worker = connection.copy("page"), connection.copy("worker")
    limit_statements(page.settings_dict, seconds=1)
    with closing(worker), worker.cursor() as cursor:
        cursor.execute("SELECT pg_sleep(1.1)")
    with closing(page), page.cursor() as cursor, pytest.raises(OperationalError) as error:
        cursor.execute("SELECT pg_sleep(60)")
    assert problem_of(error.value) == NO_DATABASE


def test_a_user_without_a_name_is_that_of_the_process(monkeypatch):
    def nobody():
        raise KeyError("uid not found")

    monkeypatch.setattr(getpass, "getuser", nobody)
    assert folders._user() == "of this process"


@pytest.mark.parametrize("error", [FileNotFoundError, PermissionError])
def test_a_file_of_somebody_else_is_named_and_one_that_is_gone_is_passed(
    monkeypatch, tmp_path, error
):
    def refuse(path, mode):
        raise error

    (tmp_path / "a.sqlite3").touch(mode=0o644)
    before = os.umask(0o022)
    monkeypatch.setattr(Path, "chmod", refuse)
    try:
        tmp_path.lstat()
        if error is FileNotFoundError:
            make_private(tmp_path)
        else:
            with pytest.raises(ImproperlyConfigured, match="belongs to somebody else"):
                make_private(tmp_path)
    finally:
        os.umask(before)

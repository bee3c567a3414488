"""Fixtures that every test may use."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from django.contrib.contenttypes.management import create_contenttypes
from django.db.models.signals import post_migrate
from hypothesis import settings
from hypothesis.internal.conjecture import providers

from tests.cast import make_person, make_project
from tests.media import make_playable, render_all
from tests.migrated_database import MigratedCopy
from tests.order import spread_modules
from tests.shared_world import kept_for_the_module, own_copies

# The same examples in every run: what fails here fails again when somebody looks for the cause.
# As they are the same, those beyond thirty would say once what they then say in every run.
settings.register_profile("steady", derandomize=True, deadline=None, max_examples=30)
settings.load_profile("steady")
# Hypothesis would read every module of ours in each process, and draw a constant now and then that
# depends on which of them are loaded: other examples in every run.
providers.is_local_module_file = lambda path: False

# Nobody here is asked for Django's permissions, which each process would write at its start.
post_migrate.disconnect(dispatch_uid="django.contrib.auth.management.create_permissions")
post_migrate.disconnect(create_contenttypes)

BROWSER_TESTS = Path(__file__).parent / "browser"
# Those that wait for a browser or a worker.
WAITING_TESTS = {BROWSER_TESTS, Path(__file__).parent / "services"}


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name a test by its argument's place where that is bytes: packed bytes hold the time, and
    processes that run the tests together must give each test the same name."""
    return argname if isinstance(val, bytes) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if BROWSER_TESTS in item.path.parents:
            item.add_marker("browser")
    items[:] = spread_modules(items, lambda item: bool(WAITING_TESTS & set(item.path.parents)))


@pytest.fixture(scope="session")
def _migrated_copy(request, django_db_modify_db_settings) -> Iterator[MigratedCopy]:
    with MigratedCopy(request.config) as copy:
        yield copy


@pytest.fixture(scope="session")
def django_db_keepdb(request, _migrated_copy) -> bool:
    return request.config.option.reuse_db or _migrated_copy.is_there


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, _migrated_copy) -> None:
    """The test database, which the first process of a run migrates for the others too."""
    _migrated_copy.keep()


@pytest.fixture(scope="session")
def _live_server_address(django_db_setup) -> None:
    # The server must start after the test database is there: before, the settings still name
    # SQLite's memory, and Django would let all of the server's threads share one connection.
    os.environ.setdefault("DJANGO_LIVE_TEST_SERVER_ADDRESS", "127.0.0.1")


@pytest.fixture(scope="session")
def live_server(_live_server_address, live_server):
    """One server for all tests of a process, at the address that browsers may ask."""
    return live_server


@pytest.fixture(scope="module")
def kept(django_db_setup, django_db_blocker):
    """Fixtures of a module that use this make rows that stay for all of its tests."""
    with kept_for_the_module(django_db_blocker):
        yield


@pytest.fixture(scope="module")
def made():
    """What all tests of a module share, by the names of fixtures. A module whose world takes long
    to make overrides this with the help of `kept`."""
    return {}


@pytest.fixture
def shared(made, db):
    """A test's own copy of what is made for all tests of its module."""
    return own_copies(made)


@pytest.fixture
def project(shared):
    return shared.get("project") or make_project()


@pytest.fixture
def anna(shared, project):
    """Annotates."""
    return shared.get("anna") or make_person("Anna", project, "annotator")


@pytest.fixture
def ben(shared, project):
    """Annotates too."""
    return shared.get("ben") or make_person("Ben", project, "annotator")


@pytest.fixture
def emil(shared, project):
    """Is the expert."""
    return shared.get("emil") or make_person("Emil", project, "expert")


@pytest.fixture
def rita(shared, project):
    """Reviews."""
    return shared.get("rita") or make_person("Rita", project, "reviewer")


@pytest.fixture
def ada(shared, project):
    """Administers."""
    return shared.get("ada") or make_person("Ada", project, "admin")


@pytest.fixture
def olaf(shared):
    """An outsider: he can sign in, and is a member of nothing."""
    return shared.get("olaf") or make_person("Olaf")


@pytest.fixture(scope="session")
def rendered_media(tmp_path_factory) -> Path:
    """A folder with a small real playback.mp4, poster.jpg and filmstrip.jpg."""
    return render_all(tmp_path_factory.mktemp("media"))


@pytest.fixture
def make_playable_clip(rendered_media):
    """A function like tests.cast.make_clip whose video has real files: 50 frames at 25 fps."""
    return partial(make_playable, rendered_media)

"""Real Celery workers in processes of their own, on the test's database, media and broker."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import pytest
import redis
from celery import Celery
from django.conf import settings
from django.db import connection

from config.broker import filesystem_options

ROOT = Path(__file__).parents[2]
PATIENCE = 90.0  # for a busy machine: nothing waits longer than what it waits for


@dataclass
class Worker:
    """A worker, started or not yet, and the means to send it work as any other process would."""

    app: Celery
    environment: dict[str, str]
    log: Path
    process: subprocess.Popen | None = None

    def start(self) -> None:
        """Starts the worker; after `stop` or `kill` another one, on the same broker."""
        command = [sys.executable, "-m", "celery", "-A", "config", "worker"]
        name = f"--hostname={uuid.uuid4().hex}@%h"
        with self.log.open("w") as output:
            self.process = subprocess.Popen(
                [*command, name, "--queues=media,cpu,gpu", "--concurrency=1", "--loglevel=INFO"],
                cwd=ROOT,
                env=self.environment,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        self.wait_for(lambda: " ready." in self.log.read_text(), "start of the worker")

    def send(self, task: str, *arguments: object, queue: str) -> None:
        self.app.send_task(task, args=arguments, queue=queue)

    def lose_messages(self, queue: str) -> int:
        """Empties the queue as a broker that lost its memory would; returns how many were lost."""
        with self.app.connection_for_write() as connection:
            return connection.default_channel.queue_purge(queue)

    def manage(self, *arguments: str) -> str:
        """Runs a management command beside the worker, which shares its broker and database."""
        return self.run("manage.py", *arguments)

    def run(self, *arguments: str) -> str:
        """Runs Python beside the worker and returns what it prints."""
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def wait_for(self, condition, what: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while not condition():
            assert self.process.poll() is None, f"The worker died:\n{self.log.read_text()}"
            assert time.monotonic() < deadline, f"No {what}:\n{self.log.read_text()}"
            time.sleep(0.05)

    def stop(self) -> int:
        """Asks the worker to finish, as a supervisor would; returns its exit status."""
        self.process.terminate()
        try:
            return self.process.wait(PATIENCE)
        finally:
            self.kill()

    def kill(self) -> None:
        """Ends the worker and its children at once, in the middle of whatever they do."""
        if self.process is None:
            return
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(PATIENCE)


@pytest.fixture
def environment(transactional_db) -> dict[str, str]:
    """What another process needs to see the database and the media of the test."""
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings.test",
        "VERICAP_TEST_DIR": str(settings.TEST_DIR),
        "TEST_DATABASE_URL": database_url(),
    }


@pytest.fixture
def idle_redis_worker(environment, tmp_path) -> Iterator[Worker]:
    url = os.environ.get("TEST_REDIS_URL") or "redis://127.0.0.1:6379/0"
    prefix = f"vericap-test-{uuid.uuid4().hex}-"
    server = redis.Redis.from_url(url)
    server.ping()  # a missing server is an error here: `make test` leaves these tests out itself
    environment |= {"BROKER_URL": url, "BROKER_KEY_PREFIX": prefix}
    with made_worker(tmp_path, environment, {"global_keyprefix": prefix}) as worker:
        yield worker
    for key in server.scan_iter(f"{prefix}*"):
        server.delete(key)


@pytest.fixture
def idle_filesystem_worker(environment, tmp_path) -> Iterator[Worker]:
    options = filesystem_options(settings.TEST_DIR / "broker")
    environment |= {"BROKER_URL": "filesystem://"}
    with made_worker(tmp_path, environment, options) as worker:
        yield worker
    shutil.rmtree(settings.TEST_DIR / "broker")


@pytest.fixture
def redis_worker(idle_redis_worker) -> Worker:
    idle_redis_worker.start()
    return idle_redis_worker


@pytest.fixture
def filesystem_worker(idle_filesystem_worker) -> Worker:
    idle_filesystem_worker.start()
    return idle_filesystem_worker


ON_POSTGRESQL = settings.DATABASES["default"]["ENGINE"].endswith("postgresql")


@pytest.fixture(
    params=[
        pytest.param("idle_redis_worker", id="redis", marks=pytest.mark.redis)
        if ON_POSTGRESQL
        else pytest.param("idle_filesystem_worker", id="filesystem")
    ]
)
def idle_worker(request, transactional_db) -> Worker:
    """A worker that is still to be started, on the broker that goes with the database: Redis with
    PostgreSQL as in production, files with SQLite as in the embedded default."""
    # `transactional_db` is named here too: pytest-django doesn't see what is asked for by name.
    return request.getfixturevalue(request.param)


@pytest.fixture
def worker(idle_worker) -> Worker:
    """The same, running."""
    idle_worker.start()
    return idle_worker


@contextmanager
def made_worker(folder: Path, environment: dict[str, str], options: dict) -> Iterator[Worker]:
    # An application of its own: changing the broker of the project's would outlive the test.
    app = Celery(broker=environment["BROKER_URL"], set_as_current=False)
    app.conf.broker_transport_options = options
    worker = Worker(app, environment, folder / "worker.log")
    try:
        yield worker
    finally:
        worker.kill()
        app.close()


def database_url() -> str:
    """The address of the database that this test has, with the names that pytest gave it."""
    database = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{database['NAME']}"
    user, password = quote(database["USER"], safe=""), quote(database["PASSWORD"] or "", safe="")
    host, port = database["HOST"], database["PORT"] or 5432
    return f"postgres://{user}:{password}@{host}:{port}/{database['NAME']}"

"""Real Celery workers in processes of their own, on the test's database, media and broker.

The broker is the one that goes with the database: Redis with PostgreSQL as in production, files
with SQLite as in the embedded default.
"""

from __future__ import annotations

import os
import shutil
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import pytest
import redis
from celery import Celery
from django.conf import settings
from django.db import connection

from config.broker import filesystem_options
from tests.services.processes import PATIENCE, WORKER, LoadedProduct, Process

ON_POSTGRESQL = settings.DATABASES["default"]["ENGINE"].endswith("postgresql")
REDIS_URL = os.environ.get("TEST_REDIS_URL") or "redis://127.0.0.1:6379/0"
# A worker that was killed in one test must not be taken for one of the next.
REDIS_PREFIX = f"vericap-test-{uuid.uuid4().hex}-"


@dataclass
class Worker:
    """A worker, started or not yet, and the means to send it work as any other process would."""

    app: Celery
    product: LoadedProduct
    log: Path
    process: Process | None = None

    def start(self, *before: str) -> None:
        """Starts the worker; after `kill` another one, on the same broker. `before` are arguments
        of Python that come first: code that ends as a worker."""
        name = f"--hostname={uuid.uuid4().hex}@%h"
        with self.log.open("w") as output:
            self.process = self.product.start(
                *before, *WORKER, name, "--loglevel=INFO", output=output
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
        process = self.product.start(*arguments)
        printed = process.finish()
        assert process.returncode == 0, process.errors
        return printed

    def wait_for(self, condition, what: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while not condition():
            assert self.process.poll() is None, f"The worker died:\n{self.log.read_text()}"
            assert time.monotonic() < deadline, f"No {what}:\n{self.log.read_text()}"
            time.sleep(0.05)

    def kill(self) -> None:
        self.process.kill()


@pytest.fixture(scope="session")
def redis_server() -> redis.Redis | None:
    """The server of the broker. Only where it is the broker of the database, and answers."""
    server = redis.Redis.from_url(REDIS_URL)
    try:
        return server if ON_POSTGRESQL and server.ping() else None
    except redis.ConnectionError:
        return None


@pytest.fixture
def environment(transactional_db, redis_server) -> Iterator[dict[str, str]]:
    """What another process needs to see the database, the media and the broker of the test."""
    shared = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings.test",
        "VERICAP_TEST_DIR": str(settings.TEST_DIR),
        "TEST_DATABASE_URL": database_url(),
    }
    if redis_server:
        yield shared | {"BROKER_URL": REDIS_URL, "BROKER_KEY_PREFIX": REDIS_PREFIX}
        for key in redis_server.scan_iter(f"{REDIS_PREFIX}*"):
            redis_server.delete(key)
    else:
        filesystem_options(settings.TEST_DIR / "broker")  # it makes the folders
        yield shared | {"BROKER_URL": "filesystem://"}
        shutil.rmtree(settings.TEST_DIR / "broker", ignore_errors=True)


@pytest.fixture(scope="session")
def products() -> Iterator[list[LoadedProduct]]:
    """The process that has loaded the product, once a test has needed it."""
    started: list[LoadedProduct] = []
    yield started
    for product in started:
        product.close()


@pytest.fixture
def product(environment, products) -> Iterator[LoadedProduct]:
    """Starts processes that see what `environment` tells; they end with the test."""
    if not products:  # the environment is the same for all tests of this process
        products.append(LoadedProduct(environment))
    yield products[0]
    products[0].end_processes()


@pytest.fixture(
    params=[
        pytest.param("redis", marks=pytest.mark.redis) if ON_POSTGRESQL else "filesystem",
    ]
)
def idle_worker(request, environment, product, tmp_path) -> Iterator[Worker]:
    """A worker that is still to be started."""
    assert environment["BROKER_URL"].startswith(f"{request.param}:"), f"No {request.param} answers."
    # An application of its own: changing the broker of the project's would outlive the test.
    app = Celery(broker=environment["BROKER_URL"], set_as_current=False)
    if request.param == "redis":
        app.conf.broker_transport_options = {"global_keyprefix": REDIS_PREFIX}
    else:
        app.conf.broker_transport_options = filesystem_options(settings.TEST_DIR / "broker")
    yield Worker(app, product, tmp_path / "worker.log")
    app.close()


@pytest.fixture
def worker(idle_worker) -> Worker:
    """The same, running."""
    idle_worker.start()
    return idle_worker


def database_url() -> str:
    """The address of the database that this test has, with the names that pytest gave it."""
    database = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{database['NAME']}"
    user, password = quote(database["USER"], safe=""), quote(database["PASSWORD"] or "", safe="")
    host, port = database["HOST"], database["PORT"] or 5432
    return f"postgres://{user}:{password}@{host}:{port}/{database['NAME']}"

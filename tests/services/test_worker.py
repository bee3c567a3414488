"""A worker and a command start as people start them, beside each other."""

import os
import signal
import subprocess
import sys
import uuid

import pytest

from annotate.models import Project
from tests.services.processes import PATIENCE, ROOT, WORKER

PRINT_NAME = "from annotate.models import Project; print(Project.objects.get().name)"
IS_COLLECTING = "import gc; print(gc.isenabled(), gc.get_freeze_count() > 0)"


@pytest.fixture
def started_worker(idle_worker, environment):
    """A worker whose start loads what it needs, unlike that of the other tests."""
    name = f"--hostname={uuid.uuid4().hex}@%h"
    with idle_worker.log.open("w") as output:
        idle_worker.process = subprocess.Popen(
            [sys.executable, *WORKER, name, "--loglevel=INFO"],
            cwd=ROOT,
            env=environment,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        idle_worker.wait_for(lambda: " ready." in idle_worker.log.read_text(), "start")
        yield idle_worker
    finally:
        if idle_worker.process.poll() is None:
            os.killpg(idle_worker.process.pid, signal.SIGKILL)
            idle_worker.process.wait(PATIENCE)


def test_it_does_what_it_is_sent_beside_a_command_and_stops(started_worker, environment, project):
    started_worker.send("celery.backend_cleanup", queue="cpu")
    if environment["BROKER_URL"].startswith("filesystem:"):  # both have SQLite's file open then
        command = [sys.executable, "manage.py", "shell", "-c", f"{PRINT_NAME}; {IS_COLLECTING}"]
        printed = subprocess.check_output(command, cwd=ROOT, env=environment, text=True)
        assert printed.splitlines()[-2:] == [Project.objects.get().name, "True True"]
    started_worker.wait_for(lambda: "succeeded" in started_worker.log.read_text(), "finished task")
    if environment["BROKER_URL"].startswith("redis:"):  # files can't ask a worker
        [answer] = started_worker.app.control.ping(timeout=5, limit=1)
        assert list(answer.values()) == [{"ok": "pong"}]
    started_worker.process.terminate()
    assert started_worker.process.wait(PATIENCE) == 0

"""A worker starts, does what it is sent, sees the test's database, and stops."""

import pytest

from annotate.models import Project


def test_it_does_what_it_is_sent_and_stops(worker):
    worker.send("celery.backend_cleanup", queue="cpu")
    worker.wait_for(lambda: "succeeded" in worker.log.read_text(), "finished task")
    assert worker.stop() == 0


@pytest.mark.redis
def test_it_answers_a_ping(redis_worker):
    answers = redis_worker.app.control.ping(timeout=5, limit=1)
    assert [list(answer.values()) for answer in answers] == [[{"ok": "pong"}]]


def test_a_command_beside_it_sees_the_database_of_the_test(filesystem_worker, project):
    out = filesystem_worker.manage(
        "shell", "-c", "from annotate.models import Project; print(Project.objects.get().name)"
    )
    assert out.splitlines()[-1] == Project.objects.get().name == "Dives"

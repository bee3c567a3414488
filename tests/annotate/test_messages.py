"""Messages name tasks, and a name that no worker knows would be lost."""

import re
from pathlib import Path

import annotate.tasks
import review.tasks
from annotate.messages import wake_worker
from config.celery import app
from tests.worker_messages import collect_messages

ROOT = Path(annotate.tasks.__file__).parents[1]
NAMES = re.compile(r'wake_worker\(\s*"([^"]+)"|TASK, QUEUE = "([^"]+)"')


def test_every_message_names_a_task():
    names = {
        first or second
        for package in (annotate, review)
        for path in Path(package.__file__).parent.rglob("*.py")
        for first, second in NAMES.findall(path.read_text())
    }
    assert names == {"annotate.work_on_job", "annotate.index_captions", "annotate.send_webhooks"}
    assert names <= set(app.tasks)


def test_a_message_is_sent_on_commit(db, monkeypatch, django_capture_on_commit_callbacks):
    messages = collect_messages(monkeypatch)
    with django_capture_on_commit_callbacks(execute=True):
        wake_worker("annotate.work_on_job", 7, queue="cpu", seconds=2)
        assert messages == []
    assert messages == [{"args": (7,), "queue": "cpu", "countdown": 2}]

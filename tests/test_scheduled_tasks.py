"""Tasks that run by the clock or wake a worker find nothing to do on an empty site."""

import pytest
from django.conf import settings

from config.celery import app

pytestmark = pytest.mark.django_db
SCHEDULED = [entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()]


@pytest.mark.parametrize("name", SCHEDULED)
def test_a_scheduled_task_ends_without_work(name):
    app.loader.import_default_modules()
    assert app.tasks[name]() is None


def test_a_webhook_that_is_gone_sends_nothing():
    app.loader.import_default_modules()
    assert app.tasks["annotate.send_webhooks"](0) is None

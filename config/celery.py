"""The Celery application. Tasks live in each app's tasks.py and only carry ids."""

import os

from celery import Celery

from config.worker_steps import Heartbeat, MediaFolder

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.embedded")
# Django's checks load all pages. `migrate` runs them, at the start of every update of the code.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

app = Celery("vericap")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["worker"].add(MediaFolder)
app.steps["consumer"].add(Heartbeat)

"""The workers that run."""

from __future__ import annotations

from django.db import models


class WorkerBeat(models.Model):
    """The last sign that a worker takes tasks from a queue. One row per worker and queue."""

    worker = models.CharField(max_length=255, help_text="the worker's name in Celery")
    queue = models.CharField(max_length=100)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["worker", "queue"], name="one_beat_a_worker_and_queue")
        ]
        indexes = [models.Index(fields=["queue", "at"], name="beat_by_queue")]

    def __str__(self) -> str:
        return f"{self.worker} on {self.queue} at {self.at:%Y-%m-%d %H:%M:%S}"

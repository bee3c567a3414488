"""When rows were stored."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class Dated(models.Model):
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        abstract = True

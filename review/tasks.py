"""Celery looks for tasks here; each feature has its own."""

from review.capst import tasks as capst
from review.modifications import tasks as modifications

__all__ = ["capst", "modifications"]

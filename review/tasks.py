"""Celery looks for tasks here; each feature has its own."""

from review.modifications import tasks as modifications

__all__ = ["modifications"]

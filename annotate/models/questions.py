"""Questions that people ask about the work they hold, and their answers."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from annotate.models.dated import Dated
from annotate.models.people import User
from annotate.models.work import Assignment


class Question(models.Model):
    """What one person asks about one piece of their work, with the answers.

    `is_waiting` while the asker wrote last, `is_unread` from an answer until they have read it.
    """

    assignment = models.OneToOneField(Assignment, on_delete=models.CASCADE, related_name="question")
    is_waiting = models.BooleanField(default=True)
    is_unread = models.BooleanField(default=False)
    changed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index(fields=["is_waiting", "changed_at"], name="questions_waiting")]

    def __str__(self) -> str:
        return f"question about {self.assignment}"


class QuestionMessage(Dated):
    """A message by the asker or by a person who answers. Never changed."""

    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="messages")
    author = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    text = models.TextField()

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.author}: {self.text[:40]}"

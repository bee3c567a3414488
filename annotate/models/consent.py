"""Texts that people agree to before they work in a project, and their agreements."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from annotate.models.dated import Dated
from annotate.models.people import User
from annotate.models.projects import Project


class ConsentText(Dated):
    """A version of the text, in Markdown. The newest counts; an empty one asks for nothing.

    `asked_since`: the number of the last version that required everybody's agreement again, so an
    agreement to that version or a later one is enough. Rows are never changed.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="consent_texts")
    number = models.PositiveIntegerField()
    text = models.TextField(blank=True)
    asked_since = models.PositiveIntegerField()
    written_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["project", "number"], name="consent_text_number_once"),
            models.CheckConstraint(
                condition=models.Q(asked_since__lte=models.F("number"), asked_since__gt=0),
                name="consent_asked_since_a_version",
            ),
        ]

    def __str__(self) -> str:
        return f"version {self.number} of the consent text of {self.project}"

    @property
    def asks_again(self) -> bool:
        """Return whether those who had agreed to earlier versions must agree to this one."""
        return self.asked_since == self.number


class Consent(models.Model):
    """A person's agreement to a version, or their withdrawal; the newest counts. Rows are never
    changed."""

    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="consents", help_text="the text's"
    )
    text = models.ForeignKey(ConsentText, on_delete=models.PROTECT, related_name="consents")
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="consents")
    is_given = models.BooleanField(help_text="false: withdrawn")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["project", "person", "-id"], name="consent_current")]

    def __str__(self) -> str:
        return f"{self.person} {'agrees to' if self.is_given else 'withdraws from'} {self.text}"

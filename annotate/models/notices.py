"""Notices: what a person is told in the app and by mail, and their choices."""

from __future__ import annotations

from django.db import models

from annotate.models.dated import Dated
from annotate.models.people import User
from annotate.models.projects import Project


class Notice(Dated):
    """Something that happened to a person's own work, jobs or pay.

    `about` names its row, such as "assignment 12", and `address` is the path of a page that shows
    it. `is_in_app` and `needs_mail` are the channels that the person had chosen when it happened; a
    digest that takes the notice clears `needs_mail`.
    """

    class Kind(models.TextChoices):
        RETURNED = "returned", "Work was sent back to you, or you can continue it"
        ANSWERED = "answered", "Your question was answered"
        JOB_ENDED = "job_ended", "A job that you started is done or failed"
        PAUSED = "paused", "Work was paused: yours or, if you administer, anybody’s"
        ADMITTED = "admitted", "An admin ended your pause or let you in without training"
        PAY = "pay", "Your pay was approved or corrected, or you got a bonus"
        WEBHOOK_OFF = "webhook_off", "A webhook of a project that you administer was turned off"

    person = models.ForeignKey(User, on_delete=models.CASCADE, related_name="notices")
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=20, choices=Kind.choices)
    about = models.CharField(max_length=60)
    text = models.CharField(max_length=200)
    detail = models.CharField(max_length=300, blank=True)
    address = models.CharField(max_length=300)
    is_in_app = models.BooleanField(default=True)
    needs_mail = models.BooleanField(default=False)
    read_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["person", "-id"], name="notice_by_age"),
            models.Index(
                fields=["person", "id"],
                name="notice_unread",
                condition=models.Q(is_in_app=True, read_at=None),
            ),
            models.Index(
                fields=["person"], name="notice_to_mail", condition=models.Q(needs_mail=True)
            ),
        ]

    def __str__(self) -> str:
        return self.text


class NoticeChoices(models.Model):
    """The kinds of notices that a person turned off in each channel, and when their next digest may
    be sent. Without a row, they get everything and had no digest yet."""

    person = models.OneToOneField(
        User, on_delete=models.CASCADE, primary_key=True, related_name="notice_choices"
    )
    off_in_app = models.JSONField(default=list)
    off_by_mail = models.JSONField(default=list)
    next_mail_at = models.DateTimeField(null=True)
    mail_failures = models.PositiveSmallIntegerField(default=0, help_text="in a row")

    def __str__(self) -> str:
        return f"Notices of {self.person}"

"""Views of lists that people save."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower

from annotate.models.dated import Dated
from annotate.models.people import User
from annotate.models.projects import Project


class SavedView(Dated):
    """The filters, order and columns of a list under a name: `query` is the end of its address.

    A shared one is for all members. The default one is what its owner sees first.
    """

    class ListName(models.TextChoices):
        CLIPS = "clips"
        VERIFICATIONS = "verifications"
        LABEL_PAIRS = "label-pairs"
        RUNS = "runs"
        PEOPLE = "people"

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="saved_views")
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="saved_views")
    list_name = models.CharField(max_length=20, choices=ListName.choices)
    name = models.CharField(max_length=60)
    query = models.CharField(max_length=2000, blank=True)
    is_shared = models.BooleanField(default=False)
    is_default = models.BooleanField(default=False)

    class Meta:
        ordering = ["name", "id"]
        constraints = [
            models.UniqueConstraint(
                "project", "owner", "list_name", Lower("name"), name="saved_view_once_per_name"
            ),
            models.UniqueConstraint(
                fields=["project", "owner", "list_name"],
                condition=Q(is_default=True),
                name="saved_view_one_default",
            ),
        ]

    def __str__(self) -> str:
        return self.name

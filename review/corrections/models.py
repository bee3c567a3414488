"""What an expert decided about the corrections that the people of a study proposed."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from annotate.models import Caption, User
from annotate.models.dated import Dated
from review.verification.models import Verification


class CorrectionDecision(Dated):
    """The only decision about the corrections of a caption. Rows are never changed.

    `accepted` is the verification whose correction became the caption `result`; both are None if
    the machine caption stays.
    """

    caption = models.OneToOneField(
        Caption, on_delete=models.CASCADE, related_name="correction_decision"
    )
    accepted = models.ForeignKey(
        Verification, on_delete=models.PROTECT, null=True, related_name="+"
    )
    result = models.OneToOneField(
        Caption, on_delete=models.PROTECT, null=True, related_name="accepted_by"
    )
    decided_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(accepted=None, result=None)
                | Q(accepted__isnull=False, result__isnull=False),
                name="correction_decision_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"decision about {self.caption}"

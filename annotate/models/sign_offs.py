"""Experts' verdicts on a clip's texts, which they neither wrote nor merged (CaReBench, ethical
statement)."""

from __future__ import annotations

from django.db import models

from annotate.models.captions import Caption
from annotate.models.corpus import Clip
from annotate.models.dated import Dated
from annotate.models.people import User
from annotate.models.work import Assignment


class FinalTexts(models.Model):
    """The three texts of a clip that experts sign off together. Rows are never changed: other texts
    make another row, without sign-offs."""

    clip = models.ForeignKey(Clip, on_delete=models.CASCADE, related_name="final_texts")
    general = models.ForeignKey(Caption, on_delete=models.PROTECT, related_name="+")
    spatial = models.ForeignKey(Caption, on_delete=models.PROTECT, related_name="+")
    temporal = models.ForeignKey(Caption, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["clip", "general", "spatial", "temporal"], name="final_texts_once"
            ),
        ]

    def __str__(self) -> str:
        return f"texts of {self.clip}"


class SignOff(Dated):
    """One expert's verdict on the final texts of a clip. Never changed."""

    class Verdict(models.TextChoices):
        AGREE = "agree", "Signed off"
        MERGE = "merge", "Merged text sent back"
        SPLIT = "split", "Split sent back"

    texts = models.ForeignKey(FinalTexts, on_delete=models.PROTECT, related_name="sign_offs")
    assignment = models.OneToOneField(Assignment, on_delete=models.PROTECT, related_name="sign_off")
    expert = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    verdict = models.CharField(max_length=10, choices=Verdict.choices)
    comment = models.TextField(blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["texts", "expert"], name="sign_off_once_per_expert"),
        ]

    def __str__(self) -> str:
        return f"{self.expert}: {self.verdict} ({self.texts})"

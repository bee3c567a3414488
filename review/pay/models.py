"""Rates, the entries of the ledger, and approved statements. Amounts are whole minor units of the
project's currency; no row is ever changed (triggers, annotate/immutable.py)."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotate.kinds import kind_choices
from annotate.models import Assignment, Project, User
from annotate.models.dated import Dated
from review.spot_checks.models import SpotCheck


class PayRate(Dated):
    """What one kind of work earns from a day on: nothing if both amounts are 0. The rate of a day
    is the one that began last, and of several that began on one day the newest."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="pay_rates")
    kind = models.CharField(max_length=16, choices=kind_choices)
    per_item = models.PositiveBigIntegerField()
    per_hour = models.PositiveBigIntegerField(help_text="of active time")
    pays_training = models.BooleanField(default=False)
    starts_on = models.DateField()
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["kind", "-starts_on", "-id"]

    def __str__(self) -> str:
        return f"Rate of {self.kind} from {self.starts_on}"

    @property
    def pays(self) -> bool:
        return bool(self.per_item or self.per_hour)


class PayBonus(Dated):
    """The bonus for a person with enough right work in a spot check: a fixed amount, and a
    percentage of what the checked work earned. The newest row is current."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="pay_bonuses")
    units = models.PositiveBigIntegerField()
    percent = models.PositiveSmallIntegerField()
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(percent__lte=100), name="pay_bonus_at_most_what_was_earned"
            ),
        ]

    def __str__(self) -> str:
        return f"Bonus of {self.units} and {self.percent} %"


class PayEntry(Dated):
    """One amount that a person earned, or that was taken back. Work earns at most once, and a spot
    check gives each person at most one bonus."""

    class Source(models.TextChoices):
        WORK = "work"
        BONUS = "bonus"
        CORRECTION = "correction"

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="pay_entries")
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="pay_entries")
    source = models.CharField(max_length=10, choices=Source.choices)
    kind = models.CharField(max_length=16, choices=kind_choices, blank=True)
    units = models.BigIntegerField(help_text="minor units of the project's currency")
    seconds = models.PositiveIntegerField(default=0, help_text="of active time")
    earned_at = models.DateTimeField()
    assignment = models.OneToOneField(
        Assignment, on_delete=models.PROTECT, null=True, related_name="pay_entry"
    )
    rate = models.ForeignKey(PayRate, on_delete=models.PROTECT, null=True, related_name="+")
    spot_check = models.ForeignKey(
        SpotCheck, on_delete=models.PROTECT, null=True, related_name="pay_entries"
    )
    reason = models.CharField(max_length=500, blank=True)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        verbose_name_plural = "pay entries"
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["spot_check", "person"], name="pay_entry_one_bonus_per_check"
            ),
            models.CheckConstraint(
                condition=Q(
                    source="work",
                    units__gte=0,
                    assignment__isnull=False,
                    rate__isnull=False,
                    spot_check=None,
                )
                | Q(source="bonus", units__gte=0, assignment=None, spot_check__isnull=False)
                | (
                    Q(source="correction", assignment=None, spot_check=None)
                    & Q(created_by__isnull=False)
                    & ~Q(units=0)
                    & ~Q(reason="")
                ),
                name="pay_entry_has_its_source",
            ),
        ]
        indexes = [
            models.Index(fields=["project", "person", "earned_at"], name="pay_entry_by_person")
        ]

    def __str__(self) -> str:
        return f"{self.person}: {self.units} for {self.source}"


class PayStatement(models.Model):
    """The entries of a person up to a day that an admin has approved, with their sum and the
    SHA-256 of their keys and amounts."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="pay_statements")
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="pay_statements")
    until = models.DateField(help_text="the last day, of UTC")
    units = models.BigIntegerField()
    entries = models.PositiveIntegerField()
    digest = models.CharField(max_length=64)
    approved_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    approved_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.person} until {self.until}: {self.units}"


class ApprovedEntry(models.Model):
    """Puts an entry into a statement; each entry is in at most one."""

    statement = models.ForeignKey(PayStatement, on_delete=models.PROTECT, related_name="approved")
    entry = models.OneToOneField(PayEntry, on_delete=models.PROTECT, related_name="approval")

    class Meta:
        verbose_name_plural = "approved entries"
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.entry_id} in {self.statement_id}"

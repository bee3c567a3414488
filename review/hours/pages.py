"""The page Device hours, and its file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from annotate.models import Membership, Project
from inference.runs.usage import NO_PRICE, dollars
from inference.words import KINDS
from review.display.tables import csv_text
from review.hours.queries import (
    SECONDS_PER_HOUR,
    DeviceHours,
    RunCost,
    device_hours,
    run_costs,
)

NOT_STORED = "Not stored"
AMOUNTS = ("Tokens in", "Tokens out", "Pictures")
TIMES = ("Time", "Model", "Decoding")
COLUMNS = (
    *("kind", "device", "results", "results_without_time"),
    *("hours", "model_hours", "decoding_hours"),
)


@dataclass(frozen=True)
class HoursRow:
    """One kind of run on one device, in words."""

    numbers: DeviceHours

    @property
    def kind(self) -> str:
        return KINDS[self.numbers.kind].label

    @property
    def device(self) -> str:
        return self.numbers.device or NOT_STORED

    @property
    def times(self) -> list[tuple[str, str]]:
        """Return (name, words) for the time in all, of the model and of decoding."""
        durations = (self.numbers.hours, self.numbers.model, self.numbers.decoding)
        return [(name, time_words(hours)) for name, hours in zip(TIMES, durations, strict=True)]


@dataclass(frozen=True)
class DeviceTotal:
    """All kinds of run on one device."""

    device: str
    hours: float

    @property
    def time(self) -> str:
        return time_words(self.hours)


@dataclass(frozen=True)
class CostRow:
    """What one run has used on servers, in words."""

    numbers: RunCost

    @property
    def kind(self) -> str:
        return KINDS[self.numbers.run.kind].label

    @property
    def amounts(self) -> list[tuple[str, str]]:
        """Return (name, words) for the tokens in and out and the pictures."""
        used = self.numbers.used
        amounts = (used.tokens_in, used.tokens_out, used.pictures)
        words = ["–" if amount is None else f"{amount:,}" for amount in amounts]
        return list(zip(AMOUNTS, words, strict=True))

    @property
    def cost(self) -> str:
        used = self.numbers.used
        if used.cost is not None:
            return dollars(used.cost)
        return NO_PRICE if used.tokens_in is not None else "The server doesn’t say"


def time_words(hours: float | None) -> str:
    """Return hours in words: "820.0 h", "12.5 min" or "4.2 s"; a dash for None."""
    if hours is None:
        return "–"
    if hours >= 1:
        return f"{hours:,.1f} h"
    seconds = hours * SECONDS_PER_HOUR
    return f"{seconds / 60:.1f} min" if seconds >= 60 else f"{seconds:.1f} s"


def hours_context(membership: Membership) -> dict[str, Any]:
    hours, costs = device_hours(membership.project), run_costs(membership.project)
    priced = [row.used.cost for row in costs if row.used.cost is not None]
    return {
        "membership": membership,
        "project": membership.project,
        "rows": [HoursRow(row) for row in hours],
        "totals": _totals(hours),
        "total": DeviceTotal("All devices", sum(row.hours for row in hours)),
        "times": TIMES,
        "untimed": sum(row.untimed for row in hours),
        "amounts": AMOUNTS,
        "costs": [CostRow(row) for row in costs],
        "total_cost": dollars(sum(priced, Decimal(0))) if priced else "",
    }


def hours_csv(project: Project) -> str:
    return csv_text(
        COLUMNS,
        [
            [
                *(row.kind, row.device, row.results, row.untimed),
                *(row.hours, row.model, row.decoding),
            ]
            for row in device_hours(project)
        ],
    )


def _totals(hours: Iterable[DeviceHours]) -> list[DeviceTotal]:
    """Return the hours of each device that has any, most first."""
    of_device: dict[str, float] = {}
    for row in hours:
        of_device[row.device] = of_device.get(row.device, 0) + row.hours
    in_order = sorted(of_device.items(), key=lambda item: (-item[1], item[0]))
    return [DeviceTotal(device or NOT_STORED, spent) for device, spent in in_order if spent]

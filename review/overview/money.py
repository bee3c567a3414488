"""The cost of each step so far and until it is done. Pure.

Amounts are whole minor units; only the ends of an interval are estimated with floats.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from metrics.forecast import forecast_time
from review.overview.facts import Money
from review.overview.steps import Step
from review.pay.money import SECONDS_PER_HOUR, amount_of, in_words


@dataclass(frozen=True)
class Cost:
    """Future cost of work in minor units: `expected`, rounded half to even, of which `sure` doesn't
    depend on its time; `error` is half of the 80 % interval. `reason` says why it is unknown."""

    expected: int = 0
    sure: int = 0
    error: float = 0.0
    reason: str = ""

    @property
    def low(self) -> int:
        return max(self.sure, math.floor(self.expected - self.error))

    @property
    def high(self) -> int:
        return math.ceil(self.expected + self.error)


@dataclass(frozen=True)
class CostWords:
    """The cost of a step, or of all, so far and still to come, in words; `between` is the interval
    of the latter, and `without` names the steps with unknown cost."""

    so_far: str = ""
    to_finish: str = ""
    between: str = ""
    without: str = ""


def cost_to_finish(step: Step, money: Money) -> Cost | None:
    """Return the cost of the rest of the step at today's rate; None if it costs nothing, or its
    kind of work has no rate."""
    rate = money.rates.get(step.work)
    if rate is None or not step.left or not step.places:
        return None
    per_item, per_hour = rate
    sure = step.places * per_item
    if not per_hour:
        return Cost(sure, sure)
    forecast = forecast_time(step.places, *money.times.get(step.work, (0, 0, 0)))
    if forecast.expected is None or forecast.error is None:
        return Cost(reason=forecast.reason)
    of_time = Fraction(per_hour, SECONDS_PER_HOUR) * forecast.expected
    error = per_hour / SECONDS_PER_HOUR * forecast.error
    return Cost(round(sure + of_time), sure, error)


def step_cost(step: Step, money: Money | None) -> CostWords | None:
    """Return the cost of a step of people's work that was paid or has a rate."""
    if money is None or not step.work:
        return None
    paid, cost = money.paid.get(step.work, 0), cost_to_finish(step, money)
    if not paid and cost is None:
        return None
    so_far = f"{in_words(paid, money.currency)} so far" if paid else ""
    if cost is None:
        return CostWords(so_far)
    if cost.reason:
        return CostWords(so_far, "No forecast yet", cost.reason)
    return CostWords(so_far, *_words(cost, money.currency))


def total_cost(steps: Sequence[Step], money: Money | None) -> CostWords | None:
    """Return what the project has paid, including corrections, and what the required steps will
    cost. The errors of steps are independent, so their squares are added."""
    if money is None:
        return None
    so_far = f"{in_words(sum(money.paid.values()), money.currency)} so far"
    open_steps = [step for step in steps if step.work and step.places and not step.is_optional]
    costs = {step.title: cost_to_finish(step, money) for step in open_steps}
    known_costs = [cost for cost in costs.values() if cost and not cost.reason]
    unknown = ", ".join(title for title, cost in costs.items() if cost not in known_costs)
    if not costs:
        return CostWords(so_far, "nothing left")
    if not known_costs:
        return CostWords(so_far, f"what is left isn’t known ({unknown})")
    total = Cost(
        sum(cost.expected for cost in known_costs),
        sum(cost.sure for cost in known_costs),
        math.hypot(*(cost.error for cost in known_costs)),
    )
    to_finish, between = _words(total, money.currency)
    return CostWords(so_far, to_finish, between, unknown)


def _words(cost: Cost, currency: str) -> tuple[str, str]:
    """Return the amount and its interval; an amount that is sure has none."""
    amount = f"{in_words(cost.expected, currency)} to finish"
    if not cost.error:
        return amount, ""
    between = f"{amount_of(cost.low, currency):,f} to {in_words(cost.high, currency)}"
    return f"about {amount}", between

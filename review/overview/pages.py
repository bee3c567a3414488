"""The board: its lanes with the open work, the next step, and the forecast."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.text import slugify

from annotate.consent.queries import withdrawn_members
from annotate.kinds import kind_facts
from annotate.models import Membership
from inference.runs.new_run_page import MAX_COUNTED_AT_ONCE
from metrics.forecast import Forecast
from review.hours.pages import time_words
from review.hours.queries import SECONDS_PER_HOUR
from review.overview.counts import Counted
from review.overview.facts import Pace
from review.overview.forecasts import finish_of, finish_words, forecasts_of
from review.overview.lanes import lanes_of
from review.overview.money import CostWords, step_cost, total_cost
from review.overview.steps import Action, Lane, State, Step, next_step, stuck_steps

Context = dict[str, Any]
BADGES = {
    State.STUCK: "danger",
    State.IN_PROGRESS: "accent",
    State.READY: "accent",
    State.OUTDATED: "warn",
    State.DONE: "ok",
    State.LEFT_OUT: "warn",
}
# Pages that not only admins can open.
OPEN_TO_WATCHERS = {"annotate:my_work", "review:activity"}


@dataclass(frozen=True)
class Button:
    label: str
    url: str


@dataclass(frozen=True)
class Bar:
    """The parts of a step's bar, in hundredths of its width."""

    done: float
    in_progress: float
    stuck: float

    @property
    def stuck_from(self) -> float:
        return self.done + self.in_progress


@dataclass(frozen=True)
class StepRow:
    """A step as the page shows it. `hours` is what people or models still need, in words, and
    `cost` what people earn for it, for admins."""

    number: int
    step: Step
    state: str
    badge: str
    bar: Bar | None
    button: Button | None
    forecast: str
    hours: str
    cost: CostWords | None

    @property
    def counts(self) -> list[tuple[str, int]]:
        """Return the counts that aren't 0, by name."""
        step = self.step
        counts = [
            ("done", step.done),
            ("in progress", step.in_progress),
            ("ready", step.waiting),
            ("stuck", step.stuck),
            ("out of date", step.outdated),
            ("later", step.later),
            ("left out", step.left_out),
            ("dismissed", step.dismissed),
        ]
        return [(name, number) for name, number in counts if number]

    @property
    def noun(self) -> str:
        """Return the noun after the first count."""
        _, first = self.counts[0]
        return self.step.noun[first != 1]


@dataclass(frozen=True)
class LaneRows:
    title: str
    rows: list[StepRow]

    @property
    def id(self) -> str:
        return f"lane-{slugify(self.title)}"

    @property
    def is_paid(self) -> bool:
        return any(row.cost for row in self.rows)


@dataclass(frozen=True)
class Left:
    """The time that the project has taken and still needs, in words."""

    people_spent: str
    people_left: str
    models_spent: str
    models_left: str


def board_context(membership: Membership, counted: Counted) -> Context:
    facts, pace = counted.facts, counted.pace
    lanes = lanes_of(facts)
    step, steps = next_step(lanes), [step for lane in lanes for step in lane.steps]
    stuck = stuck_steps(lanes, step)
    rows = [_lane(lane, pace, membership) for lane in lanes if lane.steps]
    return {
        "project": membership.project,
        "membership": membership,
        "lanes": rows,
        "next": next((row for lane in rows for row in lane.rows if row.step is step), None),
        "stuck": [row for lane in rows for row in lane.rows if row.step in stuck],
        "finish": finish_of(lanes[0], pace),
        "left": _left(steps, pace),
        "cost": total_cost(steps, pace.money) if membership.is_admin else None,
        "counted_at": counted.at,
        "is_kept": counted.is_kept,
        "seconds": 10 if facts.clips <= MAX_COUNTED_AT_ONCE else 30,
    }


def page_context(membership: Membership, counted: Counted) -> Context:
    """Return also what only the page shows, and no part that refreshes itself."""
    withdrawn = withdrawn_members(membership.project) if membership.is_admin else []
    return board_context(membership, counted) | {"withdrawn": withdrawn}


def _lane(lane: Lane, pace: Pace, membership: Membership) -> LaneRows:
    forecasts = forecasts_of(lane, pace)
    rows = [
        _row(number, step, forecasts.get(step.key), pace, membership)
        for number, step in enumerate(lane.steps, 1)
    ]
    return LaneRows(lane.title, rows)


def _row(
    number: int, step: Step, forecast: Forecast | None, pace: Pace, membership: Membership
) -> StepRow:
    return StepRow(
        number=number,
        step=step,
        state=step.state.capitalize(),
        badge=BADGES.get(step.state, ""),
        bar=_bar(step),
        button=_button(step, membership),
        forecast=finish_words(forecast) if forecast else "",
        hours=_hours_left(step, pace),
        cost=step_cost(step, pace.money) if membership.is_admin else None,
    )


def _bar(step: Step) -> Bar | None:
    if not step.total:
        return None
    done, in_progress, stuck = (
        round(100 * number / step.total, 2) for number in (step.done, step.in_progress, step.stuck)
    )
    return Bar(done, in_progress, stuck)


def _button(step: Step, membership: Membership) -> Button | None:
    """Return the button, for those who may open its page. People's work opens for those who may do
    it; others see who does.
    """
    action = step.action
    if action is None:
        return None
    if action.page == "annotate:my_work" and not membership.has_role(*kind_facts(step.work).roles):
        action = Action("See who works", "review:activity")
    if not membership.is_admin and action.page not in OPEN_TO_WATCHERS:
        return None
    url = reverse(action.page, args=[membership.project.slug, *action.keys])
    return Button(action.label, f"{url}?{urlencode(action.query)}" if action.query else url)


def _hours_left(step: Step, pace: Pace) -> str:
    if not step.left:
        return ""
    if step.work and (seconds := _people_seconds(step, pace)) is not None:
        return f"about {_rounded(seconds)} of work"
    if step.run and (seconds := _model_seconds(step, pace)) is not None:
        return f"about {_rounded(seconds)} of device time"
    return ""


def _people_seconds(step: Step, pace: Pace) -> float | None:
    """Return the remaining active time; None if it isn't known yet."""
    if not step.left:
        return None
    seconds, submitted = pace.people.get(step.work, (0, 0))
    return step.places * seconds / submitted if submitted and seconds else None


def _model_seconds(step: Step, pace: Pace) -> float | None:
    if not step.left:
        return None
    seconds, results = pace.models.get(step.run, (0.0, 0))
    return step.left * seconds / results if results else None


def _left(steps: Iterable[Step], pace: Pace) -> Left:
    required = [step for step in steps if not (step.is_optional or step.is_settled)]
    people = {step.title: _people_seconds(step, pace) for step in required if step.work}
    models = {step.title: _model_seconds(step, pace) for step in required if step.run}
    return Left(
        people_spent=_hours(sum(seconds for seconds, _ in pace.people.values())),
        people_left=_sum_words(people),
        models_spent=_hours(sum(seconds for seconds, _ in pace.models.values())),
        models_left=_sum_words(models),
    )


def _sum_words(seconds: dict[str, float | None]) -> str:
    known_seconds = [value for value in seconds.values() if value is not None]
    unknown = [title for title, value in seconds.items() if value is None]
    if not seconds:
        return "nothing left"
    if not known_seconds:
        return f"what is left isn’t known yet ({', '.join(unknown)})"
    total = f"about {_hours(sum(known_seconds))} left"
    return f"{total} without {', '.join(unknown)}" if unknown else total


def _hours(seconds: float) -> str:
    return time_words(seconds / SECONDS_PER_HOUR) if seconds else "0 h"


def _rounded(seconds: float) -> str:
    """Return an estimate in words, under an hour in whole minutes: its tenths say nothing."""
    minutes = round(seconds / 60)
    return f"{minutes} min" if 1 <= minutes < 60 else time_words(seconds / SECONDS_PER_HOUR)

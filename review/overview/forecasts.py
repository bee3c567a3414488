"""When people's work will be done, in words."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format

from metrics.forecast import Forecast, forecast_finish, latest
from review.overview.facts import Pace
from review.overview.steps import PEOPLE, Lane

FAR = 365


def forecasts_of(lane: Lane, pace: Pace) -> dict[str, Forecast]:
    """Return the forecasts of the steps of people's work that aren't done, by key. A step whose
    work is not all open yet ends after the step that opens it.
    """
    forecasts: dict[str, Forecast] = {}
    for step in lane.steps:
        if step.work and step.left:
            own = forecast_finish(max(1, step.places), pace.per_day.get(step.work, []))
            before = forecasts.get(step.after) if step.later else None
            forecasts[step.key] = latest(own, before) if before else own
    return forecasts


def finish_words(forecast: Forecast) -> str:
    if forecast.low is None:
        return "No forecast yet"
    return f"Done {_between(forecast.low, forecast.high)}"


def _between(low: float, high: float | None) -> str:
    """Return the days of an interval in words; without its end if that is over a year away."""
    first = _day(low)
    if high is None or high > FAR:
        return f"on {first} at the earliest"
    last = _day(high)
    return f"on {first}" if first == last else f"between {first} and {last}"


def _day(days: float) -> str:
    if days > 100 * FAR:
        return "a day in another century"
    return date_format((timezone.now() + timedelta(days=days)).date(), "j\xa0M\xa0Y")


def finish_of(lane: Lane, pace: Pace) -> dict[str, Any]:
    """Return when the people's work of the lane will be done: with its slowest step."""
    forecasts = forecasts_of(lane, pace)
    open_steps = [
        (step, forecasts[step.key])
        for step in lane.steps
        if step.key in forecasts and not step.is_optional
    ]
    if not open_steps:
        ahead = [step for step in lane.steps if step.who == PEOPLE or step.work]
        begin = [step for step in ahead if not (step.is_settled or step.is_optional)]
        if begin:
            return {"sentence": "No forecast yet", "reasons": [f"{begin[0].title} hasn’t begun."]}
        return {"sentence": "Nothing is left for people to do.", "reasons": []}
    unknown = [
        f"{step.title}: {forecast.reason}" for step, forecast in open_steps if forecast.low is None
    ]
    if unknown:
        return {"sentence": "No forecast yet", "reasons": unknown}
    low = max(forecast.low or 0.0 for _, forecast in open_steps)
    highs = [forecast.high for _, forecast in open_steps]
    high = None if None in highs else max(high or 0.0 for high in highs)
    slowest = max(open_steps, key=lambda pair: pair[1].expected or 0.0)[0]
    return {
        "sentence": f"Done {_between(low, high)}",
        "reasons": [f"{slowest.title} takes longest."] if len(open_steps) > 1 else [],
        "is_known": True,
    }

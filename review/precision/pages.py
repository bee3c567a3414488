"""The page How many are enough: what is judged, its precision, and when it stops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotate.models import Membership
from review.precision.figure import CourseChart, draw_course, written
from review.precision.forms import StoppingRuleForm
from review.precision.queries import (
    CHECK,
    ROUND,
    Judging,
    Series,
    judgings_of,
    report_name,
    series_of,
)
from review.studies.precision import METHODS, Step


@dataclass(frozen=True)
class ShownStep:
    """Numbers as the table writes them."""

    n: int
    value: str
    low: str
    high: str
    width: str
    has_interval: bool


@dataclass(frozen=True)
class ShownSeries:
    """`needed`: the approximate total number of answers for the requested width; None if unknown.
    `is_enough`: whether it is reached. `reason`: why there is no interval, if so.
    """

    name: str
    steps: Sequence[ShownStep]
    chart: CourseChart | None
    needed: int | None
    is_enough: bool
    reason: str

    @property
    def last(self) -> ShownStep | None:
        return self.steps[-1] if self.steps else None


def precision_context(
    membership: Membership, of: str, form: StoppingRuleForm | None = None
) -> dict[str, Any]:
    """Return the context. `of`: the key of the judging to show, by default the first."""
    project = membership.project
    judgings = judgings_of(project)
    chosen = next((judging for judging in judgings if judging.key == of), None)
    chosen = chosen or (judgings[0] if judgings else None)
    context: dict[str, Any] = {
        "membership": membership,
        "project": project,
        "judgings": [
            (judging, _short(judging.rule.width) if judging.rule else "") for judging in judgings
        ],
        "chosen": chosen,
    }
    if chosen is None:
        return context
    form = form or StoppingRuleForm(chosen)
    series = series_of(chosen)
    methods = {each.course.method for each in series or [] if each.course.width is not None}
    return context | {
        "form": form,
        "series": [_shown(each, chosen) for each in series or []],
        "is_computed": series is not None,
        "method": " ".join(METHODS[method] for method in sorted(methods)),
        "page": _page(chosen),
        "width": _short(_wanted(chosen)),
    }


def _shown(series: Series, judging: Judging) -> ShownSeries:
    digits = judging.words.digits
    width = _wanted(judging)
    now = series.course.width
    return ShownSeries(
        name=series.name,
        steps=[_step(step, digits) for step in series.course.steps],
        chart=draw_course(series.course),
        needed=series.course.needed(width),
        is_enough=now is not None and now <= width,
        reason=series.reason,
    )


def _wanted(judging: Judging) -> float:
    """Return the width of the rule, or the one to begin with."""
    return judging.rule.width if judging.rule else judging.words.width


def _short(width: float) -> str:
    """Format a width as a person would type it: 400 or 0.05."""
    digits = next(digits for digits in range(17) if round(width, digits) == width)
    return written(width, digits)


def _step(step: Step, digits: int) -> ShownStep:
    low, high, value, width = (
        "–" if number is None else written(number, digits)
        for number in (step.low, step.high, step.value, step.width)
    )
    return ShownStep(step.n, value, low, high, width, step.width is not None)


def _page(judging: Judging) -> dict[str, Any]:
    """Return the address of the page on which the judging is stopped."""
    of, _, _ = judging.key.rpartition("-")
    if of == ROUND:
        return {"name": "review:comparison_round", "key": judging.subject.pk}
    if of == CHECK:
        return {"name": "review:spot_check", "key": judging.subject.pk}
    return {"name": "review:report_page", "key": report_name(judging)}

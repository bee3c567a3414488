"""The sections of other pages on a kind of work: its labels with and without one person."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from django.http import QueryDict

from annotate.models import Membership
from review.reliability.answers import KIND_OF_TASK
from review.reliability.beside import (
    UNDEFINED,
    Beside,
    Context,
    Row,
    Sections,
    choices_of,
    chosen_in,
    decimals,
    kept_in,
    names_of,
    newest_reports,
    percents,
)
from review.reliability.computing import ANY
from review.reliability.report import WORK
from review.reliability.results import Agreed, Consensus, KindReliability
from review.reports.models import Report
from review.reports.results import result_of
from review.reports.small_samples import is_few

LEVELS = {"nominal": "Alpha", "ordinal": "Alpha, ordinal"}
ERRORS = {ANY: "Any error", **{letter: f"Type {letter}" for letter in "ABCD"}}


def on_agreement(membership: Membership, query: QueryDict, context: Context) -> Sections:
    """Return the sections for all readers of the page, because it shows who agrees with whom."""
    reports = newest_reports(membership.project, f"{WORK}:")
    parts: list[dict[str, Any]] = []
    for section in context["sections"]:
        kind = KIND_OF_TASK.get(section.key)
        if section.report and kind and kind in reports:
            title = f"{section.words.title}: with and without people"
            parts += _of_kind(membership, query, reports[kind], kind, title)
    return parts


def _of_kind(
    membership: Membership, query: QueryDict, report: Report, kind: str, title: str
) -> Iterator[dict[str, Any]]:
    result = result_of(report, KindReliability)
    agreement = result.agreement
    if agreement is None:
        return
    id = f"without-{kind}"
    people = choices_of(names_of(row.rater for row in agreement.without))
    chosen = chosen_in(people, query, id)
    without = next((w.agreed for w in agreement.without if chosen and w.rater == chosen.key), None)
    rows = [
        Row(
            "Equal labels",
            percents(agreement.everybody.equal),
            UNDEFINED,
            percents(without.equal if without else None),
        ),
        Row(
            LEVELS[agreement.level],
            _alpha(agreement.everybody),
            decimals(agreement.weighted)
            + _interval(
                *(agreement.weighted_low, agreement.weighted_high),
                decimals,
                agreement.everybody.n_units,
            ),
            _alpha(without),
        ),
        Row(
            "Items compared",
            f"{agreement.everybody.n_units:,}",
            UNDEFINED,
            f"{without.n_units:,}" if without else UNDEFINED,
        ),
        *_consensus_rows(result.consensus, chosen.key if chosen else ""),
    ]
    notes = [
        agreement.left_out_reason,
        agreement.weighted_reason,
        f"Without {chosen.name}: {without.reason}" if chosen and without and without.reason else "",
        *_consensus_notes(result.consensus),
    ]
    yield Beside(
        id=id,
        title=title,
        lead="Alpha with the labels of each person weighted by their reliability beyond chance; "
        "the share of items with each label by majority, and by Dawid and Skene’s model of who "
        "errs how; and agreement and majority without one person."
        if result.consensus
        else "Alpha with the labels of each person weighted by their reliability beyond chance, "
        "and agreement without one person.",
        option="With reliability",
        rows=rows,
        people=people,
        chosen=chosen,
        kept=kept_in(query, id),
        notes=list(filter(None, notes)),
        report=report,
    ).context


def on_kind_page(kind: str, title: str) -> Any:
    """Return a function that adds the section of one kind of work to its page."""

    def make(membership: Membership, query: QueryDict, context: Context) -> Sections:
        if context.get("hidden"):  # who can't read all verifications yet
            return []
        report = newest_reports(membership.project, f"{WORK}:").get(kind)
        return list(_of_kind(membership, query, report, kind, title)) if report else []

    return make


def _consensus_rows(parts: Sequence[Consensus], rater: str) -> Iterator[Row]:
    """Yield the share of each label; of a yes-no question the share of yes. `rater`: who is left
    out, if anybody."""
    for part in parts:
        if part.reason:
            continue
        without = next(
            (majority.shares for majority in part.without if majority.rater == rater), ()
        )
        intervals = part.intervals
        for place, label in enumerate(part.labels):
            if part.question and place == 0:
                continue
            name = ERRORS[part.question] if part.question else str(label).capitalize()
            yield Row(
                name,
                percents(part.majority[place]) + _of_share(intervals.majority, place, part.n_units),
                percents(part.shares[place]) + _of_share(intervals.shares, place, part.n_units),
                percents(without[place] if without else None),
            )


def _consensus_notes(parts: Sequence[Consensus]) -> Iterator[str]:
    for part in parts[:1]:
        yield part.reason or (
            f"Items that several people judged: {part.n_compared:,}. For {part.n_changed:,} of "
            "them, Dawid and Skene’s model gives another label than the majority, or decides a tie."
        )
        if part.intervals.reason and not part.reason:
            yield part.intervals.reason
        elif not is_few(part.n_units):
            yield "Intervals (95 %) resample the items; weights of people stay as they are."


def _of_share(
    intervals: Sequence[tuple[float | None, float | None]], place: int, n_units: int
) -> str:
    return _interval(*intervals[place], percents, n_units) if intervals else ""


def _interval(
    low: float | None, high: float | None, written: Callable[[float], str], n_units: int
) -> str:
    """Return such as " (0.61 to 0.68)"; nothing from too few units."""
    if low is None or high is None or is_few(n_units):
        return ""
    return f" ({written(low)} to {written(high)})"


def _alpha(agreed: Agreed | None) -> str:
    if agreed is None:
        return UNDEFINED
    return decimals(agreed.alpha) + _interval(agreed.low, agreed.high, decimals, agreed.n_units)

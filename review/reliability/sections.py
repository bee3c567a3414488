"""What reliability adds to the pages of what people judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from django.http import QueryDict

from annotate.models import Membership, WorkItem
from metrics.threshold import RULES
from review.leaderboard.computing import Fitted
from review.reliability.beside import (
    UNDEFINED,
    Beside,
    Row,
    choices_of,
    chosen_in,
    decimals,
    kept_in,
    names_of,
    newest_reports,
    percents,
)
from review.reliability.computing import (
    ANY,
    COUNTINGS,
)
from review.reliability.report import KIND, RATINGS, ROUND, threshold_subject
from review.reliability.results import (
    Agreed,
    Consensus,
    KindReliability,
    RoundReliability,
    StudyReliability,
)
from review.reliability.tasks import KIND_OF_TASK
from review.reports.models import Report
from review.reports.results import result_of
from review.reports.sections import add_sections
from review.reports.small_samples import is_few, shown_ratings

Kind = WorkItem.Kind
Context = Mapping[str, Any]
Sections = Sequence[dict[str, Any]]
LEVELS = {"nominal": "Alpha", "ordinal": "Alpha, ordinal"}
RULE_NAMES = {
    "change_point": "Change point",
    "youden": "Youden",
    "target_error_rate": "Target error rate",
}
COUNTING_NAMES = {"per_type": "per type", "per_sentence": "per sentence"}
ERRORS = {ANY: "Any error", **{letter: f"Type {letter}" for letter in "ABCD"}}
UNDEFINED_NOTE = (
    "A dash is a number that these judgments don’t define, such as alpha of one person."
)
OTHER_COUNT = "Computed from {own} of what are now {now}. Recompute Reliability to follow."


def on_leaderboard(membership: Membership, query: QueryDict, context: Context) -> Sections:
    """Only admins may see who voted, as in the files of votes."""
    shown, leaderboard = context.get("round"), context.get("report")
    if shown is None or leaderboard is None or not context.get("models"):
        return []
    report = newest_reports(membership.project, f"{ROUND}:").get(str(shown.pk))
    if report is None:
        return []
    result = result_of(report, RoundReliability)
    clips = report.parameters.get("clips")
    everybody, crowd = (shown_ratings(rated, clips) for rated in (result.everybody, result.crowd))
    names = names_of(one.rater for one in result.without) if membership.is_admin else {}
    people, id = choices_of(names), "without"
    chosen = chosen_in(people, query, id)
    without = next((one for one in result.without if chosen and one.rater == chosen.key), None)
    rated = shown_ratings(without.rated, clips) if without else None
    models = {str(entrant.pk): entrant.name for entrant in context["entrants"]}
    order = sorted(everybody.ratings, key=lambda key: (-everybody.ratings[key], models[key]))
    beside = Beside(
        id=id,
        title="With and without people",
        lead="Ratings with the quality of each reviewer estimated from the votes (Chen et al. "
        "2013), beside those that count everybody alike"
        + (", and without one reviewer." if membership.is_admin else "."),
        option="With quality",
        rows=[
            Row(models[key], _rating(everybody, key), _rating(crowd, key), _rating(rated, key))
            for key in order
        ],
        people=people,
        chosen=chosen,
        kept=kept_in(query, id),
        notes=list(filter(None, [_behind(report, leaderboard.inputs, "votes")])),
        report=report,
        qualities=[(names[str(one.rater)], one) for one in result.people] if names else [],
    )
    return [beside.context]


def on_agreement(membership: Membership, query: QueryDict, context: Context) -> Sections:
    """Everybody who reads the page sees there who agrees with whom."""
    reports = newest_reports(membership.project, f"{KIND}:")
    parts: list[dict[str, Any]] = []
    for section in context["sections"]:
        kind = KIND_OF_TASK.get(section.key)
        if section.report and kind and kind.value in reports:
            title = f"{section.words.title}: with and without people"
            parts += _of_kind(membership, query, reports[kind.value], kind, title)
    return parts


def _of_kind(
    membership: Membership, query: QueryDict, report: Report, kind: Kind, title: str
) -> Iterator[dict[str, Any]]:
    result = result_of(report, KindReliability)
    agreement = result.agreement
    if agreement is None:
        return
    id = f"without-{kind.value}"
    people = choices_of(names_of(one.rater for one in agreement.without))
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


def on_kind_page(kind: Kind, title: str) -> Any:
    """Return what adds the section of one kind of work to its page."""

    def make(membership: Membership, query: QueryDict, context: Context) -> Sections:
        if context.get("hidden"):  # who may not read all verifications yet
            return []
        report = newest_reports(membership.project, f"{KIND}:").get(kind.value)
        return list(_of_kind(membership, query, report, kind, title)) if report else []

    return make


def on_ratings(membership: Membership, query: QueryDict, context: Context) -> Sections:
    """Everybody who reads the page sees there how each person rates."""
    study = context.get("shown")
    if study is None or not context.get("parts"):
        return []
    report = newest_reports(membership.project, f"{RATINGS}:").get(str(study.pk))
    if report is None:
        return []
    names = {"mean": "Mean", "alpha": "Alpha on an interval scale"}
    notes = [_behind(report, context["report"].inputs, "ratings")]
    return [_figures(report, query, "without", names, "captions", notes).context]


def on_threshold(membership: Membership, query: QueryDict, context: Context) -> Sections:
    """Only admins read the page."""
    reports = newest_reports(membership.project, "")
    names = {
        f"{counting}.{rule}": f"{RULE_NAMES[rule]}, {COUNTING_NAMES[counting]}"
        for counting in COUNTINGS
        for rule in RULES
    } | {f"{counting}.errors": f"Mean errors, {COUNTING_NAMES[counting]}" for counting in COUNTINGS}
    parts = []
    for part in context["parts"]:
        report = reports.get(threshold_subject(part.scorer))
        if report:
            id = f"without-{part.short}"
            several = f" ({part.name})" if len(context["parts"]) > 1 else ""
            parts.append(_figures(report, query, id, names, "captions", [], several).context)
    return parts


def _figures(
    report: Report,
    query: QueryDict,
    id: str,
    names: Mapping[str, str],
    units: str,
    notes: Sequence[str],
    about: str = "",
) -> Beside:
    result = result_of(report, StudyReliability)
    people = choices_of(names_of(one.rater for one in result.without))
    chosen = chosen_in(people, query, id)
    without = next(
        (one.figures for one in result.without if chosen and one.rater == chosen.key), None
    )
    rows = [
        Row(
            name,
            decimals(result.everybody.values.get(key), 3),
            without=decimals(without.values.get(key) if without else None, 3),
        )
        for key, name in names.items()
    ]
    has_undefined = any(UNDEFINED in (row.everybody, row.without) for row in rows if chosen)
    return Beside(
        id=id,
        title=f"Without one person{about}",
        lead=f"The same numbers from the {units} that the others judged.",
        option="",
        rows=[
            *rows,
            Row(units.capitalize(), str(result.everybody.n), "", str(without.n) if without else ""),
        ],
        people=people,
        chosen=chosen,
        kept=kept_in(query, id),
        notes=list(filter(None, [*notes, UNDEFINED_NOTE if has_undefined else ""])),
        report=report,
    )


def _consensus_rows(parts: Sequence[Consensus], rater: str) -> Iterator[Row]:
    """Yield the share of each label; of a yes-no question the share of yes. `rater`: who is left
    out, if anybody."""
    for part in parts:
        if part.reason:
            continue
        without = next((one.shares for one in part.without if one.rater == rater), ())
        intervals = part.intervals
        for place, label in enumerate(part.labels):
            if part.question and place == 0:
                continue
            name = ERRORS[part.question] if part.question else str(label).capitalize()
            yield Row(
                name,
                percents(part.majority[place])
                + _of_share(intervals.majority if intervals else (), place, part.n_units),
                percents(part.shares[place])
                + _of_share(intervals.shares if intervals else (), place, part.n_units),
                percents(without[place] if without else None),
            )


def _consensus_notes(parts: Sequence[Consensus]) -> Iterator[str]:
    for part in parts[:1]:
        yield part.reason or (
            f"Of {part.n_compared:,} items that several people judged, {part.n_changed:,} have "
            "another label by Dawid and Skene than by majority, or have one where the majority is "
            "tied."
        )
        if part.intervals and part.intervals.reason and not part.reason:
            yield part.intervals.reason
        elif part.intervals and not is_few(part.n_units):
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


def _rating(rated: Fitted | None, key: str) -> str:
    """Return such as "1012 (980 to 1044), rank 1"."""
    if rated is None or key not in rated.ratings:
        return UNDEFINED
    text = f"{rated.ratings[key]:.0f}"
    low, high = rated.low[key], rated.high[key]
    if low is not None and high is not None:
        text += f" ({low:.0f} to {high:.0f})"
    return f"{text}, rank {rated.ranks[key]}" if rated.ranks else text


def _behind(report: Report, now: int, units: str) -> str:
    if report.inputs == now:
        return ""
    return OTHER_COUNT.format(own=f"{report.inputs:,} {units}", now=f"{now:,}")


def register_sections() -> None:
    add_sections("leaderboard", on_leaderboard)
    add_sections("agreement", on_agreement)
    add_sections("ratings", on_ratings)
    add_sections("threshold", on_threshold)
    add_sections("label_pairs", on_kind_page(Kind.PAIR, "With and without people"))
    add_sections("verifications", on_kind_page(Kind.VERIFY, "With and without people"))

"""The sections that reliability adds to pages of judgments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.http import QueryDict

from annotate.models import Membership
from metrics.threshold import RULES
from review.leaderboard.computing import Fitted
from review.reliability.beside import (
    UNDEFINED,
    Beside,
    Context,
    Row,
    Sections,
    choices_of,
    chosen_in,
    counted_before,
    decimals,
    kept_in,
    names_of,
    newest_reports,
)
from review.reliability.computing import COUNTINGS
from review.reliability.kind_sections import on_agreement, on_kind_page
from review.reliability.report import RATINGS, ROUND, threshold_subject
from review.reliability.results import RoundParameters, RoundReliability, StudyReliability
from review.reports.models import Report
from review.reports.results import parameters_of, result_of
from review.reports.sections import add_sections
from review.reports.small_samples import shown_ratings

RULE_NAMES = {
    "change_point": "Change point",
    "youden": "Youden",
    "target_error_rate": "Target error rate",
}
COUNTING_NAMES = {"per_type": "per type", "per_sentence": "per sentence"}
UNDEFINED_NOTE = (
    "A dash is a number that these judgments don’t define, such as alpha of one person."
)


def on_leaderboard(membership: Membership, query: QueryDict, context: Context) -> Sections:
    """Return the sections for admins, who alone can see who voted, as in the files of votes."""
    round, leaderboard = context.get("round"), context.get("report")
    if round is None or leaderboard is None or not context.get("models"):
        return []
    report = newest_reports(membership.project, f"{ROUND}:").get(str(round.pk))
    if report is None:
        return []
    result = result_of(report, RoundReliability)
    clips = parameters_of(report, RoundParameters).clips
    everybody, crowd = (shown_ratings(rated, clips) for rated in (result.everybody, result.crowd))
    names = names_of(row.rater for row in result.without) if membership.is_admin else {}
    people, id = choices_of(names), "without"
    chosen = chosen_in(people, query, id)
    without = next((row for row in result.without if chosen and row.rater == chosen.key), None)
    rated = shown_ratings(without.rated, clips) if without else None
    models = {str(system.pk): system.name for system in context["systems"]}
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
        notes=list(filter(None, [counted_before(report, leaderboard.inputs, "votes")])),
        report=report,
        qualities=[(names[str(person.rater)], person) for person in result.people] if names else [],
    )
    return [beside.context]


def on_ratings(membership: Membership, query: QueryDict, context: Context) -> Sections:
    """Return the sections for all readers of the page, because it shows how each person rates."""
    study = context.get("chosen_study")
    if study is None or not context.get("parts"):
        return []
    report = newest_reports(membership.project, f"{RATINGS}:").get(str(study.pk))
    if report is None:
        return []
    names = {"mean": "Mean", "alpha": "Alpha on an interval scale"}
    notes = [counted_before(report, context["report"].inputs, "ratings")]
    return [_figures(report, query, "without", names, "captions", notes).context]


def on_threshold(membership: Membership, query: QueryDict, context: Context) -> Sections:
    """Return the sections; only admins read the page."""
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
    people = choices_of(names_of(row.rater for row in result.without))
    chosen = chosen_in(people, query, id)
    without = next(
        (row.figures for row in result.without if chosen and row.rater == chosen.key), None
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


def _rating(rated: Fitted | None, key: str) -> str:
    """Return such as "1012 (980 to 1044), rank 1"."""
    if rated is None or key not in rated.ratings:
        return UNDEFINED
    text = f"{rated.ratings[key]:.0f}"
    low, high = rated.low[key], rated.high[key]
    if low is not None and high is not None:
        text += f" ({low:.0f} to {high:.0f})"
    return f"{text}, rank {rated.ranks[key]}" if rated.ranks else text


def register_sections() -> None:
    add_sections("leaderboard", on_leaderboard)
    add_sections("agreement", on_agreement)
    add_sections("ratings", on_ratings)
    add_sections("threshold", on_threshold)
    add_sections("label_pairs", on_kind_page("pair", "With and without people"))
    add_sections("verifications", on_kind_page("verify", "With and without people"))

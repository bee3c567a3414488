"""Reliability: a report for each kind of work, round, rating study and scorer.

The subject says which: kind:verify, round:12, ratings:3, threshold:<scorer>.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from annotate.kinds import Kind, all_kinds
from annotate.models import Project
from metrics.reliability.confusion import VERSION as CONSENSUS
from metrics.reliability.crowd_strength import IMAGINED as IMAGINED_VOTES
from metrics.reliability.crowd_strength import VERSION as CROWD
from metrics.reliability.one_coin import IMAGINED, VERSION
from metrics.reliability.share_spread import VERSION as INTERVALS
from review.agreement import NAME as AGREEMENT_NAME
from review.comparisons.cast import Cast
from review.comparisons.models import Round
from review.comparisons.queries import cast_in, counted_votes
from review.leaderboard import NAME as LEADERBOARD_NAME
from review.leaderboard.report import RUNNING, both_bad_of
from review.reliability import NAME
from review.reliability.answers import READ, STORED
from review.reliability.computing import (
    N_BOOTSTRAP,
    SEED,
    kind_reliability,
    rating_reliability,
    round_reliability,
    threshold_reliability,
)
from review.reliability.queries import counted_errors, known_rows, study_ratings
from review.reliability.results import (
    Counted,
    KindParameters,
    KindReliability,
    KnownRow,
    RoundParameters,
    RoundReliability,
    ScorerParameters,
    StudyParameters,
    StudyRating,
    StudyReliability,
    Task,
)
from review.reports.inputs import Inputs
from review.reports.models import Report
from review.reports.plain import AnyTable, Row, RowsMadeAnew, Table
from review.reports.registry import ReportKind
from review.rounds.queries import round_title, rounds_of
from review.studies.models import Study
from review.studies.queries import running_reason, study_title

# The reports with the labels that it uses.
SOURCES = (AGREEMENT_NAME, LEADERBOARD_NAME)
MAX_SUBJECT_LENGTH = 64
WORK, ROUND, RATINGS, THRESHOLD = "kind", "round", "ratings", "threshold"
RESULTS: Mapping[str, type[Any]] = {
    f"{WORK}:": KindReliability,
    f"{ROUND}:": RoundReliability,
    f"{RATINGS}:": StudyReliability,
    f"{THRESHOLD}:": StudyReliability,
}


def reliability_inputs(project: Project) -> Iterator[Inputs]:
    """Yield the inputs, with people's answers and the known right ones. Kinds of work first."""
    known_by_kind = known_rows(project)
    for kind in all_kinds():
        has_labels = kind in STORED and STORED[kind].stored(project).exists()
        if has_labels or kind in known_by_kind:
            task = READ[kind](project) if has_labels else None
            if kind in known_by_kind or (task and task.labels):
                yield _of_kind(kind, task, known_by_kind.get(kind, []))
    votes = counted_votes(project)
    for round in rounds_of(project).reverse():
        cast = cast_in(round, votes)
        if any(not vote.why for vote in cast):
            yield _of_round(round, cast)
    for study in Study.objects.filter(project=project, kind=Study.Kind.RATING).order_by("pk"):
        if ratings := study_ratings(study):
            yield _of_ratings(study, ratings)
    for scorer, rows in sorted(counted_errors(project).items()):
        if rows:
            yield _of_threshold(project, scorer, rows)


def _of_kind(kind: Kind, task: Task | None, known_answers: list[KnownRow]) -> Inputs:
    labels = task.labels if task else ()
    return Inputs(
        subject=f"{WORK}:{kind}",
        # At most 40 characters. The last number is the version of the intervals.
        method=f"metrics.reliability {VERSION}, consensus {CONSENSUS}.{INTERVALS}",
        parameters=KindParameters(
            kind=kind,
            people=len({str(row[0]) for row in labels} | {row.rater for row in known_answers}),
            known=sum(row.gold + row.checks for row in known_answers),
            model="one-coin",
            imagined=_ratio(IMAGINED),
            tolerance=task.tolerance if task else 0,
            consensus="dawid-skene" if task and task.has_consensus else "none",
            bootstrap=N_BOOTSTRAP,
        ),
        labels=[known_answers, list(map(list, labels))],
        count=len(labels),
        compute=partial(kind_reliability, task, known_answers),
        seed=SEED,
        tables=partial(_kind_tables, task, known_answers),
    )


def _kind_tables(task: Task | None, known_answers: Sequence[KnownRow]) -> dict[str, AnyTable]:
    asked = ("categories", "ordered", "tolerance", "has_letters", "has_consensus")
    tables: dict[str, AnyTable] = {
        "known": Table(KnownRow._fields, known_answers, people=("rater",))
    }
    if task:
        tables["task"] = Table(asked, [[getattr(task, name) for name in asked]])
        tables["labels"] = Table(
            ("rater", "unit", "label"),
            RowsMadeAnew(partial(_rows, task)),
            people=("rater",),
            numbered=("unit",),
        )
    return tables


def _rows(task: Task) -> Iterator[Row]:
    yield from task.labels


def _of_round(round: Round, cast: list[Cast]) -> Inputs:
    counted = [vote for vote in cast if not vote.why]
    return Inputs(
        subject=f"{ROUND}:{round.pk}",
        method=f"metrics.reliability {CROWD}",
        parameters=RoundParameters(
            round=round.number,
            reviewers=len({vote.rater for vote in counted}),
            clips=len({vote.clip for vote in counted}),
            both_bad=both_bad_of(round),
            model="crowd-bradley-terry",
            imagined=_ratio(IMAGINED_VOTES),
            interval="sandwich",
        ),
        labels=cast,
        count=len(counted),
        compute=partial(round_reliability, cast),
        tables=lambda: {"votes": Table(Cast._fields, cast, people=("rater",))},
        withheld=lambda: "" if round.ended_at else RUNNING,
    )


def _of_ratings(study: Study, ratings: list[StudyRating]) -> Inputs:
    return Inputs(
        subject=f"{RATINGS}:{study.pk}",
        method=f"metrics.reliability {VERSION}",
        parameters=StudyParameters(
            study=study.pk,
            raters=len({row.rater for row in ratings}),
            captions=len({row.caption for row in ratings}),
        ),
        labels=ratings,
        count=len(ratings),
        compute=partial(rating_reliability, ratings),
        tables=lambda: {"ratings": Table(StudyRating._fields, ratings, people=("rater",))},
        withheld=partial(running_reason, study),
    )


def _of_threshold(project: Project, scorer: str, rows: list[Counted]) -> Inputs:
    return Inputs(
        subject=threshold_subject(scorer),
        method=f"metrics.reliability {VERSION}",
        parameters=ScorerParameters(
            scorer=scorer[:8],
            raters=len({row.rater for row in rows}),
            captions=len({row.caption for row in rows}),
        ),
        labels=rows,
        count=len(rows),
        compute=partial(threshold_reliability, rows),
        tables=lambda: {"errors": Table(Counted._fields, rows, people=("rater",))},
        withheld=lambda: running_reason(*Study.objects.filter(project=project, scorer=scorer)),
    )


def threshold_subject(scorer: str) -> str:
    """Return the subject of the scorer's report, as long as subjects may be."""
    return f"{THRESHOLD}:{scorer}"[:MAX_SUBJECT_LENGTH]


def _ratio(numbers: tuple[float, float]) -> str:
    return "-".join(f"{number:g}" for number in numbers)


def _subject(project: Project, report: Report) -> str:
    kind, _, key = report.subject.rpartition(":")
    if kind == WORK:
        return str(Kind(key).label)
    if kind == ROUND:
        return round_title(project, key)
    if kind == RATINGS:
        return study_title(project, key)
    study = Study.objects.filter(project=project, scorer__startswith=key).first()
    return study.scorer_name if study else ""


def _about(parameters: object) -> str:
    match parameters:
        case KindParameters(kind=kind):
            return f"kind {kind}"
        case RoundParameters(round=number):
            return f"round {number}"
        case StudyParameters(study=study):
            return f"study {study}"
        case ScorerParameters(scorer=scorer):
            return f"scorer {scorer}"
    return ""


KIND = ReportKind(
    NAME,
    "Reliability",
    reliability_inputs,
    RESULTS,
    follows=SOURCES,
    of_people=True,
    subject=_subject,
    about=_about,
)

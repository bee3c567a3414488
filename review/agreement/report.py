"""The agreement of people who judged the same items: one report for each kind of task with labels.

Each task is read into rows of plain numbers and texts, and the rows become questions: which rater
gave which label to which unit. docs/metrics.md describes each task.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from functools import partial
from typing import Any

from annotate.models import Project
from metrics.agreement.estimate import VERSION
from review.agreement import NAME
from review.agreement.words import TASKS as WORDS
from review.comparisons.agreement import COMPARISONS
from review.pairs.agreement import DYNAMICS, RATINGS
from review.reports.answers import (
    N_BOOTSTRAP,
    SEED,
    QuestionResult,
    Share,
    ShareResult,
    question_result,
    share_result,
)
from review.reports.inputs import Inputs
from review.reports.models import Report
from review.reports.plain import AnyTable, Row, RowsMadeAnew, Table
from review.reports.questions import Read, Stored, Task
from review.reports.registry import ReportKind
from review.reports.results import result_of
from review.triplets.agreement import LABEL_PAIRS, TRIPLETS
from review.verification.agreement import SENTENCES, THEME

TASKS = {
    task.key: task
    for task in (SENTENCES, THEME, RATINGS, DYNAMICS, LABEL_PAIRS, TRIPLETS, COMPARISONS)
}
# The version of the conversion from tasks to units; a new version gives new results.
UNITS = 2
METHOD = f"metrics.agreement {VERSION}, units {UNITS}"


@dataclass(frozen=True)
class AgreementParameters:
    """`interval`: what the `bootstrap` resamples are drawn from."""

    task: str
    units: int
    raters: int
    interval: str
    bootstrap: int


@dataclass(frozen=True)
class Rows:
    """The number of a task's rows and the key of the newest, to detect new ones."""

    count: int
    last: int


@dataclass(frozen=True)
class KnownRows:
    stored: Rows


@dataclass(frozen=True)
class AgreementResult(KnownRows):
    questions: Sequence[QuestionResult]
    shares: Sequence[ShareResult]


def agreement_inputs(project: Project) -> Iterator[Inputs]:
    """Return all labels of each kind of task that has any; the subject is the task's key."""
    for task in TASKS.values():
        # Read the state before the rows, so that rows added in between make the report outdated.
        stored = task.state(project)
        if stored.count:
            yield _inputs(task, stored.count, stored.last, task.read(project))


def state_of(project: Project, report: Report) -> Stored:
    """Return the current number of labels of the report's task, and how many of them the report
    lacks.
    """
    return TASKS[report.subject].state(project, result_of(report, KnownRows).stored.last)


def is_of(report: Report, stored: Stored) -> bool:
    """Return whether the report was computed from these labels with the current version. Rows never
    change, so other labels are more, fewer or newer.
    """
    stored_rows = result_of(report, KnownRows).stored
    same_rows = (stored.count, stored.last) == (stored_rows.count, stored_rows.last)
    return same_rows and report.code_version == METHOD


def _inputs(task: Task, count: int, last: int, rows: list[Any]) -> Inputs:
    read = task.ask(rows)
    labels = read.questions[0].labels
    return Inputs(
        subject=task.key,
        method=METHOD,
        parameters=AgreementParameters(
            task=task.key,
            units=len({unit for _, unit, _ in labels}),
            raters=len({rater for rater, _, _ in labels}),
            interval="units",
            bootstrap=N_BOOTSTRAP,
        ),
        labels=[count, last, *rows],
        count=len(labels),
        compute=lambda: _result(count, last, read),
        seed=SEED,
        tables=lambda: _tables(read),
    )


def _tables(read: Read) -> dict[str, AnyTable]:
    """Return the questions, all labels, and the shares."""
    asked = ("name", "categories", "ordered", "has_parts")
    return {
        "questions": Table(
            asked, [[getattr(question, name) for name in asked] for question in read.questions]
        ),
        "labels": Table(
            ("question", "rater", "unit", "label"),
            RowsMadeAnew(partial(_label_rows, read)),
            people=("rater",),
            numbered=("unit",),
        ),
        "shares": Table(
            [field.name for field in fields(Share)], [astuple(share) for share in read.shares]
        ),
    }


def _label_rows(read: Read) -> Iterator[Row]:
    """Yield the labels question by question; sentences alone have six questions."""
    for question in read.questions:
        for label in question.labels:
            yield question.name, *label


def _result(count: int, last: int, read: Read) -> AgreementResult:
    return AgreementResult(
        stored=Rows(count, last),
        questions=[question_result(question) for question in read.questions],
        shares=[share_result(share) for share in read.shares],
    )


KIND = ReportKind(
    NAME,
    "Agreement",
    agreement_inputs,
    AgreementResult,
    of_people=True,
    subject=lambda project, report: WORDS[report.subject].title,
    about=lambda parameters: parameters.task.replace("_", " "),
    is_old=lambda project, report: not is_of(report, state_of(project, report)),
)

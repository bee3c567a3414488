"""How far people agree who judged the same things: a report for each kind of task with labels.

Each task is read into rows of plain numbers and texts, and the rows are turned into questions: who
(rater) says what (label) about which thing (unit). docs/metrics.md says how, task by task.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from annotate.models import Project
from metrics.agreement.estimate import VERSION
from review.comparisons.agreement import COMPARISONS
from review.pairs.agreement import DYNAMICS, RATINGS
from review.reports.inputs import Inputs
from review.reports.models import Report
from review.reports.questions import (
    N_BOOTSTRAP,
    SEED,
    QuestionResult,
    Read,
    ShareResult,
    Stored,
    Task,
    question_result,
    share_result,
)
from review.reports.results import result_of
from review.triplets.agreement import LABEL_PAIRS, TRIPLETS
from review.verification.agreement import SENTENCES, THEME

TASKS = {
    task.key: task
    for task in (SENTENCES, THEME, RATINGS, DYNAMICS, LABEL_PAIRS, TRIPLETS, COMPARISONS)
}
# Counts the ways in which tasks were turned into units: another number, other numbers.
UNITS = 2
METHOD = f"metrics.agreement {VERSION}, units {UNITS}"


@dataclass(frozen=True)
class Rows:
    """How many rows a task had and the key of the newest, which tells what has come since."""

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
    """For each kind of task that has labels, all of them; the subject is the task's key."""
    for task in TASKS.values():
        # Before the rows: what comes in between makes the report old instead of being missed.
        stored = task.state(project)
        if stored.count:
            yield _inputs(task, stored.count, stored.last, task.read(project))


def state_of(project: Project, report: Report) -> Stored:
    """The labels of the report's task now, and how many of them it does not know."""
    return TASKS[report.subject].state(project, result_of(report, KnownRows).stored.last)


def is_of(report: Report, stored: Stored) -> bool:
    """Whether it was computed from these labels, in the way of now. No row is ever changed: others
    are more, fewer or newer."""
    known = result_of(report, KnownRows).stored
    same_rows = (stored.count, stored.last) == (known.count, known.last)
    return same_rows and report.code_version == METHOD


def _inputs(task: Task, count: int, last: int, rows: list[Any]) -> Inputs:
    read = task.ask(rows)
    asked = read.questions[0].labels
    return Inputs(
        subject=task.key,
        method=METHOD,
        parameters={
            "task": task.key,
            "units": len({unit for _, unit, _ in asked}),
            "raters": len({rater for rater, _, _ in asked}),
            "interval": "units",
            "bootstrap": N_BOOTSTRAP,
        },
        labels=[count, last, *rows],
        count=len(asked),
        compute=lambda: _result(count, last, read),
        seed=SEED,
    )


def _result(count: int, last: int, read: Read) -> AgreementResult:
    return AgreementResult(
        stored=Rows(count, last),
        questions=[question_result(question) for question in read.questions],
        shares=[share_result(share) for share in read.shares],
    )

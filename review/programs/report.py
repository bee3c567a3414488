"""One report for each declared program that has answered what Agreement compares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

from annotate.models import Project
from annotate.programs import programs_of
from metrics.agreement.estimate import VERSION
from review.agreement.report import TASKS
from review.comparisons.agreement import COMPARISONS, turned
from review.programs.comparing import Beside, Compared, beside, compare
from review.reports.answers import N_BOOTSTRAP, SEED, Question, Share
from review.reports.inputs import Inputs
from review.reports.questions import rater_key

METHOD = f"metrics.agreement {VERSION}, programs 1"


@dataclass(frozen=True)
class ProgramParameters:
    """`program`: the key of its user. `people`: whose answers are compared, in the order in which
    Agreement reads them."""

    program: int
    model: str
    people: str
    bootstrap: int


@dataclass(frozen=True)
class ProgramResult:
    tasks: Sequence[Compared]


@dataclass(frozen=True)
class _Answered:
    task: str
    questions: list[Question]
    answers: list[list[Beside]]
    repeats: Share | None


def programs_inputs(project: Project) -> Iterator[Inputs]:
    """Yield the inputs of each program; the subject is the key of its user."""
    programs = programs_of(project)
    if not programs:
        return
    everybody = copy(project)
    everybody.counts_programs = True  # so that the answers of programs are read, too
    answered: dict[int, list[_Answered]] = {program: [] for program in programs}
    keys = {rater_key(program) for program in programs}
    for task in TASKS.values():
        rows = task.read(everybody)
        questions = task.ask(rows).questions
        for program in programs:
            answers = [beside(question, rater_key(program), keys) for question in questions]
            if answers[0]:
                repeats = _repeats(rows, program) if task is COMPARISONS else None
                answered[program].append(_Answered(task.key, questions, answers, repeats))
    for program, work in answered.items():
        if work:
            yield _inputs(program, programs[program], work)


def _inputs(program: int, model: str, work: list[_Answered]) -> Inputs:
    return Inputs(
        subject=str(program),
        method=METHOD,
        parameters=ProgramParameters(program, model, "first two of each item", N_BOOTSTRAP),
        labels=[
            [
                part.task,
                [
                    [[answer.unit, answer.own, answer.people] for answer in answers]
                    for answers in part.answers
                ],
                [part.repeats.count, part.repeats.of] if part.repeats else [],
            ]
            for part in work
        ],
        count=sum(len(part.answers[0]) for part in work),
        compute=lambda: ProgramResult(
            [compare(part.task, part.questions, part.answers, part.repeats) for part in work]
        ),
        seed=SEED,
    )


def _repeats(rows: list[Any], program: int) -> Share | None:
    """Return how often the program voted the same on the same two captions, sides aside."""
    own = [row for row in rows if row[4] == rater_key(program)]
    outcomes = {row[0]: turned(row[6], row[5]) for row in own}
    repeated = [(row[1], row[0]) for row in own if row[1] in outcomes]
    if not repeated:
        return None
    equal = sum(outcomes[first] == outcomes[again] for first, again in repeated)
    return Share("repeats", equal, len(repeated), "")

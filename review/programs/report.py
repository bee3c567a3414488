"""One report for each declared program that has answered what Agreement compares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, cast

from annotate.models import Project
from annotate.programs import programs_of
from metrics.agreement import Label
from metrics.agreement.estimate import VERSION
from review.agreement import NAME as AGREEMENT_NAME
from review.agreement.report import TASKS
from review.comparisons.agreement import COMPARISONS, turned
from review.programs import NAME
from review.programs.comparing import Beside, Compared, beside, compare
from review.reports.answers import N_BOOTSTRAP, SEED, Question, Share
from review.reports.inputs import Inputs
from review.reports.questions import rater_key
from review.reports.registry import ReportKind
from review.verification.agreement import SENTENCES
from review.verification.models import Verification

Offered = dict[tuple[str, int], bool]
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
    tags: Sequence[Share]


def programs_inputs(project: Project) -> Iterator[Inputs]:
    """Yield the inputs of each program; the subject is the key of its user."""
    programs = programs_of(project)
    if not programs:
        return
    everybody = copy(project)
    everybody.counts_programs = True  # so that the answers of programs are read, too
    answered: dict[int, list[_Answered]] = {program: [] for program in programs}
    keys = {rater_key(program) for program in programs}
    offered = _tags_offered(project)
    for task in TASKS.values():
        rows = task.read(everybody)
        questions = task.ask(rows).questions
        for program in programs:
            key = rater_key(program)
            tags = _with_and_without(questions[0], key, offered) if task is SENTENCES else ()
            if task is SENTENCES and offered:
                questions = [_unseen(question, offered) for question in questions]
            answers = [beside(question, key, keys) for question in questions]
            if answers[0]:
                repeats = _repeats(rows, program) if task is COMPARISONS else None
                answered[program].append(_Answered(task.key, questions, answers, repeats, tags))
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
                [[share.count, share.of] for share in part.tags],
            ]
            for part in work
        ],
        count=sum(len(part.answers[0]) for part in work),
        compute=lambda: ProgramResult(
            [
                compare(part.task, part.questions, part.answers, part.repeats, part.tags)
                for part in work
            ]
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


def _tags_offered(project: Project) -> Offered:
    """Return by person and caption whether they saw a program's tags, where the draw decided."""
    rows = Verification.objects.by_anyone(project).exclude(saw_pre_tags=None)
    return {
        (rater_key(person), caption): bool(saw)
        for person, caption, saw in rows.values_list("reviewer", "caption", "saw_pre_tags")
    }


def _unseen(question: Question, offered: Offered) -> Question:
    """Leave out the verdicts of people who saw tags: they aren't independent of the program."""
    labels = [label for label in question.labels if not offered.get(_asked(label))]
    return replace(question, labels=labels)


def _with_and_without(question: Question, program: str, offered: Offered) -> Sequence[Share]:
    if not offered:
        return ()
    own = {unit: label for rater, unit, label in question.labels if rater == program}
    equal: dict[bool, list[bool]] = {True: [], False: []}
    for label in question.labels:
        saw = offered.get(_asked(label))
        if saw is not None and label[1] in own:
            equal[saw].append(own[label[1]] == label[2])
    return [
        Share("with tags", sum(equal[True]), len(equal[True]), "Nobody saw its tags."),
        Share("without tags", sum(equal[False]), len(equal[False]), "Nobody worked without them."),
    ]


def _asked(label: Label) -> tuple[str, int]:
    """Return the person and the caption of a verdict on a sentence."""
    rater, unit, _ = label
    return str(rater), cast(tuple[int, ...], unit)[0]


KIND = ReportKind(NAME, "Programs", programs_inputs, ProgramResult, follows=(AGREEMENT_NAME,))

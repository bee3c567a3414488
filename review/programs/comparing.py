"""One program's answers beside people's on the same items, from the questions of Agreement."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace

from metrics.agreement import Agreement
from review.reports.answers import Question, Share, ShareResult, question_result, share_result

PROGRAM, FIRST, SECOND = "program", "person 1", "person 2"
YES = "yes"
# The questions about sentences whose errors are found or not.
FOUND = ("A", "B", "C", "D", "missing")


@dataclass(frozen=True)
class Beside:
    """A unit that the program answered, with the answers of the first two people who did."""

    unit: Hashable
    own: Hashable
    people: Sequence[Hashable]


@dataclass(frozen=True)
class Rates:
    """Of what the first person found, how much the program found (`true`); and of what they didn't
    find, how much it found all the same (`false`). The intervals are Wilson's."""

    name: str
    true: ShareResult
    false: ShareResult


@dataclass(frozen=True)
class Compared:
    """One kind of work. `answered`: units that the program answered. `measures`: of the program and
    the first person on the units of both; `among_people`: of the first and the second person on
    those units. `repeats`: equal answers to the same item, if the program was asked twice.
    `with_tags`, `without_tags`: how many verdicts of people are the program's, of those who saw its
    tags, and of those from whom the draw withheld them."""

    task: str
    answered: int
    shared: int
    measures: Sequence[Agreement]
    among_people: Sequence[Agreement]
    rates: Sequence[Rates]
    repeats: ShareResult | None
    with_tags: ShareResult | None = None
    without_tags: ShareResult | None = None


def beside(question: Question, program: str, programs: Collection[str]) -> list[Beside]:
    """Return the program's answers in their order. Other programs are left out."""
    own: dict[Hashable, Hashable] = {}
    people: dict[Hashable, list[Hashable]] = {}
    for rater, unit, label in question.labels:
        if rater == program:
            own[unit] = label
        elif rater not in programs:
            people.setdefault(unit, []).append(label)
    return [Beside(unit, label, people.get(unit, [])[:2]) for unit, label in own.items()]


def compare(
    task: str,
    questions: Sequence[Question],
    answers: Sequence[Sequence[Beside]],
    repeats: Share | None,
    tags: Sequence[Share] = (),
) -> Compared:
    """`answers` of each of the questions, of which the first is the main one. `tags`: with and
    without the program's tags."""
    main = answers[0]
    return Compared(
        task=task,
        answered=len(main),
        shared=sum(bool(answer.people) for answer in main),
        measures=_measures(questions[0], main, with_program=True),
        among_people=_measures(questions[0], main, with_program=False),
        rates=[
            _rates(question.name, of_question)
            for question, of_question in zip(questions, answers, strict=True)
            if question.name in FOUND
        ],
        repeats=share_result(repeats) if repeats else None,
        with_tags=share_result(tags[0]) if tags else None,
        without_tags=share_result(tags[1]) if tags else None,
    )


def _measures(
    question: Question, answers: Iterable[Beside], *, with_program: bool
) -> Sequence[Agreement]:
    labels = []
    for answer in answers:
        pair = [answer.own, *answer.people[:1]] if with_program else [*answer.people]
        if len(pair) == 2:
            names = (PROGRAM, FIRST) if with_program else (FIRST, SECOND)
            labels += [(name, answer.unit, label) for name, label in zip(names, pair, strict=True)]
    return question_result(replace(question, labels=labels)).measures


def _rates(name: str, answers: Iterable[Beside]) -> Rates:
    pairs = [(answer.own == YES, answer.people[0] == YES) for answer in answers if answer.people]
    is_found = [own for own, person in pairs if person]
    is_not = [own for own, person in pairs if not person]
    return Rates(
        name,
        share_result(Share(name, sum(is_found), len(is_found), "People found none.")),
        share_result(Share(name, sum(is_not), len(is_not), "People found it everywhere.")),
    )

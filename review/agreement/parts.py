"""One question of the Agreement page: its numbers, agreement by pair, and answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from metrics.agreement import Agreement
from review.agreement.figures import Pair, draw_pairs
from review.agreement.words import QuestionWords, measure_name
from review.display.matrix import Matrix
from review.display.scale import Axis, Mark, draw_mark
from review.reports.answers import QuestionResult, ShareResult
from review.reports.small_samples import shown_estimate

# The most people in a picture (those with the most labels), and pairs in a table (those that agree
# least).
MAX_DRAWN, MAX_PAIRS, MAX_COLUMNS = 24, 100, 8


@dataclass(frozen=True)
class Row:
    """One number with its interval, or the `reason` why it has none. `of` names its subject if the
    rows below a head differ in it; `mark` is None without a value.
    """

    name: str
    value: float | None
    low: float | None
    high: float | None
    reason: str
    mark: Mark | None
    of: str = ""


@dataclass(frozen=True)
class Answer:
    """How often a label was given, by all people and by each person with a column."""

    name: str
    count: int
    width: float
    by_person: list[int]


@dataclass(frozen=True)
class Part:
    """One question. `n_units`, `n_raters` and `n_labels` count what was compared, `given` counts
    all labels. `left_out`: pairs of people without a kappa.
    """

    key: str
    words: QuestionWords
    rows: list[Row]
    n_units: int
    n_raters: int
    n_labels: int
    given: int
    left_out: int
    matrix: Matrix | None
    hidden_people: int
    pairs: list[Pair]
    n_pairs: int
    answers: list[Answer]
    people: list[str]


def row_of(name: str, result: Agreement | ShareResult, axis: Axis, of: str = "") -> Row:
    value, low, high = result.value, result.low, result.high
    mark = None if value is None else draw_mark(axis, value, low, high)
    return Row(name, value, low, high, result.reason, mark, of)


def shown_measures(question: QuestionResult, words: QuestionWords) -> list[Agreement]:
    """Return the question's measures; those with too few units have no intervals."""
    return [
        shown_estimate(measure, measure.n_units, words.unit, words.units)
        for measure in question.measures
    ]


def part_of(
    key: str,
    words: QuestionWords,
    question: QuestionResult,
    axis: Axis,
    names: Mapping[str, str],
) -> Part:
    measures = shown_measures(question, words)
    compared = measures[0]
    raters = [names.get(rater, "Somebody") for rater in question.raters]
    pairs = {
        (pair.first, pair.second): Pair(
            raters[pair.first],
            raters[pair.second],
            pair.n_units,
            pair.equal,
            pair.kappa,
            pair.reason,
        )
        for pair in question.pairs
    }
    most_active = _most_active(question.counts)
    least_first = sorted(
        pairs.values(), key=lambda pair: (pair.kappa is None, pair.kappa or 0, pair.equal)
    )
    return Part(
        key=f"{key}-{question.name}",
        words=words,
        rows=[
            row_of(measure_name(measure.measure, measure.distance, measure.n_raters), measure, axis)
            for measure in measures
        ],
        n_units=compared.n_units,
        n_raters=compared.n_raters,
        n_labels=compared.n_labels,
        given=question.n_labels,
        left_out=_left_out(measures),
        matrix=_matrix(raters, pairs, most_active) if pairs else None,
        hidden_people=len(raters) - len(most_active),
        pairs=least_first[:MAX_PAIRS],
        n_pairs=len(pairs),
        answers=_answers(words, question),
        people=raters if len(raters) <= MAX_COLUMNS else [],
    )


def _left_out(measures: Iterable[Agreement]) -> int:
    """Return how many pairs of people a mean leaves out; 0 without a mean."""
    means = [measure.n_rater_pairs_left_out for measure in measures if measure.value is not None]
    return max(means, default=0)


def _most_active(counts: Sequence[Sequence[int]]) -> list[int]:
    """Return the indices of the people with the most labels, in the original order."""
    by_labels = sorted(range(len(counts)), key=lambda place: (-sum(counts[place]), place))
    return sorted(by_labels[:MAX_DRAWN])


def _matrix(
    raters: Sequence[str], pairs: Mapping[tuple[int, int], Pair], most_active: Sequence[int]
) -> Matrix:
    place_of = {rater: place for place, rater in enumerate(most_active)}
    return draw_pairs(
        [raters[rater] for rater in most_active],
        {
            (place_of[first], place_of[second]): pair
            for (first, second), pair in pairs.items()
            if first in place_of and second in place_of
        },
    )


def _answers(words: QuestionWords, question: QuestionResult) -> list[Answer]:
    """Return the answers; of an unordered question only the labels given, most frequent first."""
    counts = question.counts
    columns = counts if len(counts) <= MAX_COLUMNS else []
    totals = [sum(of_one[place] for of_one in counts) for place in range(len(question.categories))]
    most = max(*totals, 1)
    answers = [
        Answer(
            words.answers.get(category, str(category)),
            total,
            round(40 * total / most, 2),
            [of_one[place] for of_one in columns],
        )
        for place, (category, total) in enumerate(zip(question.categories, totals, strict=True))
        if total or question.ordered
    ]
    return answers if question.ordered else sorted(answers, key=lambda answer: -answer.count)

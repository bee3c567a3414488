"""Second implementations, as plain as their papers, to compare the fast ones with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from math import exp, log, sqrt

Text = Sequence[str]


def plain_f_measure(precision: float, recall: float, beta: float = 1.2) -> float:
    below = recall + beta**2 * precision
    return (1 + beta**2) * precision * recall / below if below else 0.0


def plain_lcs(a: Text, b: Text) -> int:
    """The longest common subsequence by the table of Lin (2004)."""
    row = [0] * (len(b) + 1)
    for word in a:
        before = row
        row = [0]
        for place, other in enumerate(b):
            row.append(before[place] + 1 if word == other else max(row[place], before[place + 1]))
    return row[-1]


def plain_meteor(prediction: Text, reference: Text) -> float:
    """Lavie and Agarwal's METEOR of exact words, matched from the end backwards as nltk does."""
    free = list(enumerate(reference))
    matched = []
    for place, word in reversed(list(enumerate(prediction))):
        same = [other for other in free if other[1] == word]
        if same:
            free.remove(same[-1])
            matched.insert(0, (place, same[-1][0]))
    if not matched:
        return 0.0
    chunks = 1 + sum(
        (own + 1, other + 1) != following for (own, other), following in pairwise(matched)
    )
    precision, recall = len(matched) / len(prediction), len(matched) / len(reference)
    mean = precision * recall / (0.9 * precision + 0.1 * recall)
    return mean * (1 - 0.5 * (chunks / len(matched)) ** 3)


def plain_bleu4(predictions: Sequence[Text], references: Sequence[Sequence[Text]]) -> float:
    """Papineni's corpus BLEU-4, from 0 to 1, without smoothing."""
    logs = 0.0
    for n in range(1, 5):
        right = total = 0
        for own, human in zip(predictions, references, strict=True):
            most: Counter[tuple[str, ...]] = Counter()
            for text in human:
                most |= _runs(text, n)
            right += (_runs(own, n) & most).total()
            total += _runs(own, n).total()
        if not right:
            return 0.0
        logs += log(right / total) / 4
    words = sum(map(len, predictions))
    nearest = sum(
        min((abs(len(text) - len(own)), len(text)) for text in human)[1]
        for own, human in zip(predictions, references, strict=True)
    )
    return exp(logs) * (1 if words >= nearest else exp(1 - nearest / words))


def plain_cider_d(
    predictions: Sequence[Text], references: Sequence[Sequence[Text]], sigma: float = 6
) -> list[float]:
    """CIDEr-D of each caption, from 0 to 10, from counters of tuples."""
    scores = [0.0] * len(predictions)
    for n in range(1, 5):
        holding: Counter[tuple[str, ...]] = Counter()
        for human in references:
            holding.update({run for text in human for run in _runs(text, n)})

        def weights(text: Text, n: int = n, holding: Counter = holding) -> dict:
            rarity = log(len(references))
            return {
                run: times * (rarity - log(max(1, holding[run])))
                for run, times in _runs(text, n).items()
            }

        for place, (own, human) in enumerate(zip(predictions, references, strict=True)):
            mine = weights(own)
            for text in human:
                theirs = weights(text)
                shared = sum(
                    min(weight, theirs[run]) * theirs[run]
                    for run, weight in mine.items()
                    if run in theirs
                )
                lengths = _length(mine) * _length(theirs)
                penalty = exp(-((len(own) - len(text)) ** 2) / (2 * sigma**2))
                if lengths:
                    scores[place] += 10 / 4 / len(human) * penalty * shared / lengths
    return scores


def _runs(text: Text, n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(text[place : place + n]) for place in range(len(text) - n + 1))


def _length(weights: dict[tuple[str, ...], float]) -> float:
    return sqrt(sum(weight**2 for weight in weights.values()))

"""METEOR of a caption (Lavie and Agarwal 2007), by nltk: exact words, then stems, then synonyms if
a WordNet is given.

This is not METEOR 1.5, the Java program that coco-caption runs, which also has paraphrase tables
and other parameters for matches and function words. The two are not comparable.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

from metrics.overlap.synonyms import Synonyms
from metrics.overlap.words import Words


def meteor(
    prediction: Words, references: Sequence[Words], synonyms: Synonyms | None = None
) -> float:
    """Return the METEOR of `prediction` with its best reference, 0 to 1.

    alpha 0.9, beta 3, gamma 0.5. A reference of m words has 1 - 0.5 / m³ with itself, the highest
    value. 0 if no word is shared.
    """
    from nltk.translate.meteor_score import single_meteor_score

    return max(
        float(
            single_meteor_score(
                reference, prediction, preprocess=str, stemmer=_Stemmer, wordnet=_WordNet(synonyms)
            )
        )
        for reference in references
    )


class _Stemmer:
    """nltk's Porter stemmer, which stems each word once."""

    @staticmethod
    @lru_cache(maxsize=100_000)
    def stem(word: str) -> str:
        return str(_porter().stem(word))


@cache
def _porter() -> Any:
    from nltk.stem.porter import PorterStemmer

    return PorterStemmer()


class _WordNet:
    """The interface that nltk's METEOR needs: `synsets`, their `lemmas`, and the `name` of each."""

    def __init__(self, synonyms: Synonyms | None) -> None:
        self.words = synonyms.words if synonyms else {}

    def synsets(self, word: str) -> list[_Synset]:
        return [_Synset(self.words.get(word, ()))]


class _Synset(tuple[str, ...]):
    def lemmas(self) -> list[_Lemma]:
        return [_Lemma(word) for word in self]


class _Lemma(str):
    def name(self) -> str:
        return str(self)

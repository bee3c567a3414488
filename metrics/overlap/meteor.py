"""The words that METEOR matches (Lavie and Agarwal 2007), by nltk: exact words, then stems, then
synonyms if a WordNet is given.

This is not METEOR 1.5, the Java program that coco-caption runs, which also has paraphrase tables
and other parameters for matches and function words. The two are not comparable.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

from metrics.overlap.synonyms import Synonyms
from metrics.overlap.words import Words


def align(prediction: Words, reference: Words, synonyms: Synonyms | None = None) -> tuple[int, int]:
    """Return how many words of `prediction` match one of `reference`, and in how many chunks: runs
    that are adjacent in both.
    """
    from nltk.translate.meteor_score import align_words

    matches, _, _ = align_words(prediction, reference, stemmer=_Stemmer, wordnet=_WordNet(synonyms))
    breaks = sum((own + 1, other + 1) != following for (own, other), following in pairwise(matches))
    return len(matches), breaks + bool(matches)


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

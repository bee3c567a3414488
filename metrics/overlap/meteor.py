"""METEOR of a caption (Lavie and Agarwal 2007), by nltk: exact words, then stems, then, where a
WordNet is given, synonyms.

Not METEOR 1.5, the Java program that coco-caption runs: that one also has tables of paraphrases,
and weighs matches and function words with other parameters. The two are not comparable.
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
    """Return the METEOR of `prediction` with the reference that it fits best, a share.

    alpha 0.9, beta 3, gamma 0.5. The greatest value of a caption of m words is 1 - 0.5 / m³, that
    of a reference with itself. 0 where no word is shared.
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
    """What nltk's METEOR asks of a WordNet: `synsets`, their `lemmas`, and the `name` of each."""

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

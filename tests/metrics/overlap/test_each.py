"""BLEU-4, METEOR, ROUGE-L and CIDEr-D, each by hand and against a second implementation."""

from __future__ import annotations

from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.overlap.bleu import bleu_counts
from metrics.overlap.counts import corpus_bleu
from metrics.overlap.inputs import Clip
from metrics.overlap.rouge import lcs_length
from tests.metrics.overlap.plain import (
    plain_bleu4,
    plain_cider_d,
    plain_f_measure,
    plain_lcs,
    plain_meteor,
)
from tests.metrics.overlap.scored import cider_d, meteor, rouge_l

# No word is the stem of another, so that exact matches are all there are.
WORDS = st.sampled_from(["red", "ball", "dog", "sun", "cat"])
TEXTS = st.lists(WORDS, max_size=12).map(tuple)
HUMAN = st.lists(st.lists(WORDS, min_size=1, max_size=12).map(tuple), min_size=1, max_size=3)
CLIPS = st.lists(st.tuples(TEXTS, HUMAN), min_size=2, max_size=5)


def text(words: str) -> tuple[str, ...]:
    return tuple(words.split())


def clips(*pairs) -> list[Clip]:
    return [Clip(key, own, tuple(map(tuple, human))) for key, (own, human) in enumerate(pairs)]


def bleu4(pairs) -> float:
    counts = np.array([bleu_counts(own, human) for own, human in pairs], dtype=float)
    return float(corpus_bleu(counts.sum(axis=0, keepdims=True))[0])


def test_bleu_counts_by_hand():
    # "the" counts twice because one reference has it twice; 5 words are as near to 4 as to 6.
    own = text("the cat sees the dog")
    human = [text("the cat and the dog sleep"), text("a cat sees dogs")]
    assert bleu_counts(own, human) == [5, 3, 0, 0, 5, 4, 3, 2, 5, 4]


def test_bleu_by_hand():
    pair = (text("a red dog runs on grass"), [text("the red dog runs on dry green grass")])
    # 5 of 6 words, 3 of 5 pairs, 2 of 4 threes, 1 of 3 fours; 6 words against 8.
    expected = 100 * exp(1 - 8 / 6) * (5 / 6 * 3 / 5 * 2 / 4 * 1 / 3) ** 0.25
    assert bleu4([pair]) == pytest.approx(expected)


def test_bleu_pools_counts_and_is_not_smoothed():
    assert bleu4([(text("a b c d x"), [text("a b c e x")])]) == 0
    right = (text("a b c d"), [text("a b c d")])
    assert bleu4([right, right]) == pytest.approx(100)
    assert bleu4([right, ((), [text("a b c d")])]) == pytest.approx(100 * exp(1 - 8 / 4))


def test_bleu_without_a_run_of_four_is_undefined():
    assert np.isnan(bleu4([(text("a b c"), [text("a b c")]), ((), [text("a")])]))


@given(CLIPS)
def test_bleu_is_that_of_a_plain_implementation(pairs):
    if any(len(own) > 3 for own, _ in pairs):
        plain = plain_bleu4([own for own, _ in pairs], [human for _, human in pairs])
        assert bleu4(pairs) == pytest.approx(100 * plain)


def test_meteor_by_hand():
    # 4 of 5 and of 6 words in 2 chunks: "the dog" and "over grass".
    precision, recall = 4 / 5, 4 / 6
    mean = 10 * precision * recall / (recall + 9 * precision)
    expected = mean * (1 - 0.5 * (2 / 4) ** 3)
    own, human = text("the dog leaps over grass"), text("the dog is running over grass")
    assert meteor(own, [human]) == pytest.approx(expected)
    # The stem of "runs" is that of "running": 5 words, "the dog" and "runs over grass".
    precision, recall = 5 / 5, 5 / 6
    mean = 10 * precision * recall / (recall + 9 * precision)
    expected = mean * (1 - 0.5 * (2 / 5) ** 3)
    assert meteor(text("the dog runs over grass"), [human]) == pytest.approx(expected)


def test_meteor_takes_the_best_reference():
    own = text("a red ball")
    assert meteor(own, [text("dog"), own, text("red")]) == pytest.approx(1 - 0.5 / 27)


@given(TEXTS, HUMAN)
def test_meteor_is_that_of_a_plain_implementation(own, human):
    expected = max(plain_meteor(own, reference) for reference in human)
    assert meteor(own, human) == pytest.approx(expected)


def test_rouge_l_by_hand():
    # Lin (2004), section 3: "police the gunman" is common to both, 3 of 4 words.
    own, human = text("police kill the gunman"), text("police killed the gunman")
    assert lcs_length(own, human) == 3
    assert rouge_l(own, [human]) == pytest.approx(0.75)
    # The best precision is of the first, 2 / 2, the best recall of the second, 1 / 1.
    own, human = text("red ball"), [text("a red ball here"), text("ball")]
    assert rouge_l(own, human) == pytest.approx(1)
    assert rouge_l(text("red ball"), human[:1]) == pytest.approx(2.44 * 0.5 / (0.5 + 1.44))


@given(TEXTS, TEXTS)
def test_a_common_subsequence_is_as_long_as_in_the_table(a, b):
    assert lcs_length(a, b) == plain_lcs(a, b)


class Split:
    """Words as they are, for rouge-score."""

    def tokenize(self, words):
        return words.split()


@given(TEXTS, HUMAN)
def test_rouge_l_is_that_of_rouge_score(own, human):
    # It loads nltk and scikit-learn: a second for every process that collects tests.
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(["rougeL"], tokenizer=Split())
    scores = [scorer.score(" ".join(reference), " ".join(own))["rougeL"] for reference in human]
    precision, recall = (max(score[place] for score in scores) for place in (0, 1))
    assert rouge_l(own, human) == pytest.approx(plain_f_measure(precision, recall))
    assert rouge_l(own, human[:1], beta=1) == pytest.approx(scores[0].fmeasure)


def test_cider_by_hand():
    # Of two clips, "a" is in both and weighs 0, "dog" and "cat" weigh log 2.
    pairs = clips((text("a dog"), [text("a dog")]), (text("a dog"), [text("a cat")]))
    # One word and one pair fit wholly, runs of three and four there are none: 2 of 4 lengths.
    assert cider_d(pairs) == pytest.approx([10 * 2 / 4, 0])


def test_cider_counts_a_repeated_run_no_more_often_than_the_reference_and_minds_the_length():
    pairs = clips((text("dog dog dog"), [text("dog")]), (text("cat"), [text("cat")]))
    weight = log(2)
    clipped = weight * weight / (3 * weight * weight)
    assert cider_d(pairs) == pytest.approx([10 / 4 * clipped * exp(-(2**2) / 72), 10 / 4])


def test_cider_weighs_by_the_captions_of_clips_without_a_prediction_too():
    alone = clips((text("a dog"), [text("a cat")]), ((), [text("sun")]))
    assert cider_d(alone)[0] > 0
    other = Clip("third", None, (text("a"), text("a a")))
    both = cider_d([*alone, other])
    assert len(both) == 2
    assert 0 < both[0] < cider_d(alone)[0]


@pytest.mark.parametrize(
    "pairs",
    [clips((text("a b"), [text("a b")])), clips(*[(text("a"), [text("b c")])] * 3)],
    ids=["one clip", "the same words everywhere"],
)
def test_cider_without_weights_is_undefined(pairs):
    assert cider_d(pairs) is None


@given(CLIPS)
def test_cider_is_that_of_a_plain_implementation(pairs):
    scores = cider_d(clips(*pairs))
    plain = plain_cider_d([own for own, _ in pairs], [human for _, human in pairs])
    if scores is None:
        assert plain == [0] * len(pairs)
    else:
        assert scores == pytest.approx(plain)

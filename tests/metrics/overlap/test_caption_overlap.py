"""A model's captions against human ones: the whole result, its limits, and what is refused."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import FrozenInstanceError
from functools import cache
from importlib.metadata import version
from pathlib import Path
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.overlap.compare import caption_overlap, how_made
from metrics.overlap.counts import NO_CAPTIONS, NO_RUN, ONE_CLIP
from metrics.overlap.words import tokenizer_for
from tests.metrics.golden import golden

ROWS = golden("coco_caption.csv")
PREDICTIONS = {row["clip"]: row["prediction"] for row in ROWS}
REFERENCES = {row["clip"]: row["references"].split(" || ") for row in ROWS}
LONG = " ".join(f"word{number % 700}" for number in range(5000))


def values(done) -> list[float | None]:
    return [score.value for score in done.scores.values()]


def test_it_gives_what_coco_caption_gives():
    done = caption_overlap(PREDICTIONS, REFERENCES)
    assert list(done.scores) == ["BLEU@4", "METEOR", "ROUGE-L", "CIDEr"]
    assert done.bleu4.value == pytest.approx(44.923399792406055)
    assert done.rouge_l.value == pytest.approx(59.48802374710785)
    assert done.cider.value == pytest.approx(297.35300394799062)
    for row, caption in zip(ROWS, done.captions, strict=True):
        assert caption.clip == row["clip"]
        assert caption.rouge_l == pytest.approx(100 * float(row["rouge_l"]))
        assert caption.cider == pytest.approx(100 * float(row["cider"]))
    assert done.meteor.value == fmean(caption.meteor for caption in done.captions)
    assert (done.n, done.n_references) == (6, 10)
    assert done.mean_words == fmean(caption.n_words for caption in done.captions)
    assert [caption.n_words for caption in done.captions] == [26, 22, 13, 18, 4, 18]


def test_equal_captions_in_a_script_without_spaces_have_the_highest_scores():
    texts = {1: "一个男人骑自行车。", 2: "两只狗在草地上跑。", 3: "女孩打开门走出去。"}
    tokenizer = tokenizer_for(texts.values())
    done = caption_overlap(
        texts, {clip: [text] for clip, text in texts.items()}, tokenizer=tokenizer
    )
    assert values(done) == pytest.approx([100, 99.902, 100, 1000], abs=0.01)
    assert done.made["words"] == f"sacrebleu {version('sacrebleu')} zh,rules 3,no punctuation"


def test_each_score_is_within_its_interval_which_the_seed_repeats():
    done = caption_overlap(PREDICTIONS, REFERENCES, seed=3)
    for score in done.scores.values():
        assert 0 < score.low < score.value < score.high < score.highest
        assert score.reason == ""
    assert caption_overlap(PREDICTIONS, REFERENCES, seed=3) == done
    assert caption_overlap(PREDICTIONS, REFERENCES, seed=4).bleu4.low != done.bleu4.low
    with pytest.raises(FrozenInstanceError):
        done.n = 7


def test_a_caption_that_is_the_human_one_has_the_highest_scores():
    done = caption_overlap({clip: texts[0] for clip, texts in REFERENCES.items()},
                           {clip: texts[:1] for clip, texts in REFERENCES.items()})  # fmt: skip
    assert values(done) == pytest.approx(
        [100, 100 * fmean(1 - 0.5 / caption.n_words**3 for caption in done.captions), 100, 1000]
    )
    assert (done.cider.highest, done.bleu4.highest) == (1000, 100)


@cache
def values_in_order():
    return values(caption_overlap(PREDICTIONS, REFERENCES, n_bootstrap=0))


@given(st.permutations(list(REFERENCES)), st.randoms(use_true_random=False))
@settings(max_examples=20)
def test_no_order_changes_a_score(order, random):
    shuffled = {clip: random.sample(REFERENCES[clip], len(REFERENCES[clip])) for clip in order}
    turned = dict(reversed(PREDICTIONS.items()))
    done = caption_overlap(turned, shuffled, n_bootstrap=0)
    assert values(done) == pytest.approx(values_in_order())
    assert [caption.clip for caption in done.captions] == order


@given(st.dictionaries(st.sampled_from("abcd"), st.tuples(st.text(), st.lists(st.text()))))
def test_any_text_has_scores_within_their_scales_or_a_reason(texts):
    done = caption_overlap(
        {clip: own for clip, (own, _) in texts.items()},
        {clip: human for clip, (_, human) in texts.items()},
        n_bootstrap=5,
    )
    assert done.n + len(done.without_reference) == len(texts)
    for score in done.scores.values():
        if score.value is None:
            assert score.reason
        else:
            assert -1e-9 <= score.value <= score.highest + 1e-9


def test_clips_that_cannot_be_compared_are_named_and_not_counted_as_0():
    done = caption_overlap(
        PREDICTIONS | {"silent": "A wall."},
        REFERENCES | {"unseen": ["A wall."], "silent": ["...", ""], "both": []},
    )
    assert done.missing == ("unseen",)
    assert done.without_reference == ("silent", "both")
    assert (done.n, done.n_references) == (6, 10)
    only = caption_overlap(PREDICTIONS, REFERENCES)
    # CIDEr alone also looks at the human caption of "unseen".
    assert values(done)[:3] == values(only)[:3]
    assert done.cider.value != only.cider.value


@pytest.mark.parametrize("empty", ["", " \n", "...!", "\u200b", "🏊"])
def test_a_caption_without_words_scores_0(empty):
    done = caption_overlap(PREDICTIONS | {"dive": empty}, REFERENCES)
    own = next(caption for caption in done.captions if caption.clip == "dive")
    assert (own.meteor, own.rouge_l, own.cider, own.n_words) == (0, 0, 0, 0)
    assert done.n == 6
    assert done.bleu4.value < caption_overlap(PREDICTIONS, REFERENCES).bleu4.value


def test_emoji_and_long_captions_are_compared_like_any_other():
    predictions = {"emoji": "★ ★ ♀ ⚽", "long": LONG, "one word": "y" * 20_000}
    references = {"emoji": ["★ ⚽"], "long": [LONG, LONG[:20_000]], "one word": ["y" * 20_001]}
    emoji, long, one_word = caption_overlap(predictions, references).captions
    assert (emoji.n_words, long.n_words, one_word.n_words) == (4, 5000, 1)
    assert emoji.rouge_l == pytest.approx(100 * 2.44 * 0.5 / (1 + 1.44 * 0.5))
    assert (long.rouge_l, one_word.rouge_l) == (pytest.approx(100), 0)


def test_without_captions_nothing_is_defined():
    for references in ({}, {"a": ["A wall."]}):
        done = caption_overlap({}, references)
        assert values(done) == [None] * 4
        assert {score.reason for score in done.scores.values()} == {NO_CAPTIONS}
        assert (done.n, done.mean_words, done.mean_reference_words) == (0, None, None)
        assert done.missing == tuple(references)


def test_one_clip_has_no_cider_and_no_interval():
    done = caption_overlap({"a": "A dog runs on grass."}, {"a": ["A dog runs on dry grass."]})
    assert (done.cider.value, done.cider.reason) == (None, ONE_CLIP)
    assert done.captions[0].cider is None
    assert done.rouge_l.value > 0
    assert (done.rouge_l.low, done.rouge_l.high) == (None, None)
    assert done.rouge_l.reason == "One unit can't be resampled, so there is no interval."


def test_captions_of_three_words_have_no_bleu_4():
    done = caption_overlap({"a": "A red dog.", "b": "A cat."}, {"a": ["A red dog."], "b": ["cat"]})
    assert (done.bleu4.value, done.bleu4.reason) == (None, NO_RUN)
    assert done.rouge_l.value > 0


@pytest.mark.parametrize(
    ("predictions", "references", "complaint"),
    [
        ({"x": "A wall."}, {"a": ["A wall."]}, "1 ids that references don't have, such as 'x'"),
        ({}, {"a": "A wall."}, "references of 'a' are a single text; give a list of texts"),
        ({"a": None}, {"a": ["A wall."]}, "predictions of 'a' have None, which is not text"),
        (
            {},
            {"a": ["A wall.", b"A wall."]},
            "references of 'a' have b'A wall.', which is not text",
        ),
    ],
)
def test_it_refuses_what_it_would_have_to_guess(predictions, references, complaint):
    with pytest.raises(ValueError, match=complaint):
        caption_overlap(predictions, references)


def test_it_refuses_a_negative_number_of_resamples():
    with pytest.raises(ValueError, match="n_bootstrap is -1"):
        caption_overlap(PREDICTIONS, REFERENCES, n_bootstrap=-1)


def test_how_it_was_made_is_known_beforehand_and_fits_a_signature():
    made = how_made()
    assert caption_overlap(PREDICTIONS, REFERENCES).made == made
    assert list(made) == ["words", "bleu4", "meteor", "rouge_l", "cider"]
    assert made["meteor"].endswith(",exact+stem")
    assert not any(set("|:") & set(how) for how in made.values())
    assert sum(map(len, made.values())) < 250


def test_showing_results_loads_no_library_for_them():
    loaded = "import sys, metrics.overlap.compare; print({'nltk', 'sacrebleu'} & set(sys.modules))"
    root = Path(__file__).parents[3]
    process = subprocess.run(
        [sys.executable, "-c", loaded], cwd=root, capture_output=True, text=True, check=True
    )
    assert process.stdout == "set()\n"

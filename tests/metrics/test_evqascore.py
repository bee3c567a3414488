from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.evqascore import EvqaScore, evqascore, evqascore_v1, mean_direction

EAST, NORTH = [1.0, 0.0], [0.0, 1.0]
UP_RIGHT = [0.6, 0.8]


def unit_rows(rows):
    rows = np.asarray(rows, dtype=np.float64)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def direction(dimension):
    number = st.floats(-1, 1, allow_nan=False).map(lambda value: round(value, 3))
    return st.lists(number, min_size=dimension, max_size=dimension).filter(
        lambda vector: math.hypot(*vector) > 0.1
    )


@st.composite
def cases(draw):
    """local, keywords, frame_mean and caption, all unit vectors of one dimension."""
    dimension = draw(st.integers(1, 5))
    local = draw(st.lists(direction(dimension), min_size=1, max_size=6))
    keywords = draw(st.lists(direction(dimension), min_size=1, max_size=6))
    return (
        unit_rows(local),
        unit_rows(keywords),
        unit_rows([draw(direction(dimension))])[0],
        unit_rows([draw(direction(dimension))])[0],
    )


def by_loops(local, keywords, frame_mean, caption):
    """The definition, one number at a time, sharing nothing with the numpy version."""

    def cosine(a, b):
        return sum(float(x) * float(y) for x, y in zip(a, b, strict=True))

    best_of_keyword = []
    for keyword in keywords:
        best = -2.0
        for region in local:
            best = max(best, cosine(region, keyword))
        best_of_keyword.append(best)
    best_of_region = []
    for region in local:
        best = -2.0
        for keyword in keywords:
            best = max(best, cosine(region, keyword))
        best_of_region.append(best)
    precision = sum(best_of_keyword) / len(best_of_keyword)
    recall = sum(best_of_region) / len(best_of_region)
    fine = 2 / (1 / precision + 1 / recall) if precision > 0 and recall > 0 else 0.0
    coarse = cosine(frame_mean, caption)
    return precision, recall, fine, coarse, (fine + coarse) / 2


def test_a_case_worked_by_hand():
    # Cosines of the regions (rows) with the keywords (columns):
    #            EAST  UP_RIGHT
    #   EAST      1      0.6
    #   NORTH     0      0.8
    # precision: best of each column, 1 and 0.8, mean 0.9
    # recall:    best of each row,    1 and 0.8, mean 0.9
    # with a third region, EAST again: columns stay, rows 1, 0.8, 1, mean 14/15
    # fine: 2 * 0.9 * (14/15) / (0.9 + 14/15) = 1.68 / (55/30) = 50.4/55
    # coarse: EAST . UP_RIGHT = 0.6;  score: (50.4/55 + 0.6) / 2 = 83.4/110
    result = evqascore([EAST, NORTH, EAST], [EAST, UP_RIGHT], EAST, UP_RIGHT)
    assert result == EvqaScore(
        score=pytest.approx(83.4 / 110),
        fine=pytest.approx(50.4 / 55),
        coarse=pytest.approx(0.6),
        precision=pytest.approx(0.9),
        recall=pytest.approx(14 / 15),
        n_frames=3,
        n_keywords=2,
        variant="v3",
        guarded=False,
    )


def test_v1_multiplies_the_fine_half_and_passes_one():
    # The same cosines; ten keywords: 50.4/55 * ln 11 = 2.197..., and (2.197... + 0.6) / 2 > 1.
    result = evqascore_v1(
        token_vectors=[EAST, UP_RIGHT],
        frames=[EAST, NORTH, EAST],
        frame_mean=EAST,
        caption=UP_RIGHT,
        n_keywords=10,
    )
    assert result == EvqaScore(
        score=pytest.approx((50.4 / 55 * math.log(11) + 0.6) / 2),
        fine=pytest.approx(50.4 / 55 * math.log(11)),
        coarse=pytest.approx(0.6),
        precision=pytest.approx(0.9),
        recall=pytest.approx(14 / 15),
        n_frames=3,
        n_keywords=10,
        variant="v1",
        guarded=False,
    )
    assert result.score > 1


def test_a_caption_that_is_the_video_scores_one():
    assert evqascore([UP_RIGHT], [UP_RIGHT], UP_RIGHT, UP_RIGHT).score == pytest.approx(1)


@pytest.mark.parametrize(
    ("keywords", "precision", "recall"),
    [
        ([NORTH], 0.0, 0.0),
        ([[-1.0, 0.0]], -1.0, -1.0),
        # Unguarded, this one would be 2 * -0.2 * 0.6 / 0.4 = -0.6.
        ([[-1.0, 0.0], UP_RIGHT], -0.2, 0.6),
    ],
)
def test_the_fine_half_is_zero_unless_both_of_its_values_are_above_zero(
    keywords, precision, recall
):
    result = evqascore([EAST], keywords, EAST, UP_RIGHT)
    assert result.precision == pytest.approx(precision)
    assert result.recall == pytest.approx(recall)
    assert (result.fine, result.guarded) == (0.0, True)
    assert result.score == pytest.approx(0.3)


def test_v1_is_guarded_too():
    result = evqascore_v1(
        token_vectors=[NORTH], frames=[EAST], frame_mean=EAST, caption=EAST, n_keywords=3
    )
    assert (result.fine, result.score, result.guarded) == (0.0, 0.5, True)


def test_a_coarse_half_below_zero_is_kept_as_it_is():
    result = evqascore([EAST], [EAST], EAST, [-1.0, 0.0])
    assert (result.coarse, result.score, result.guarded) == (-1.0, 0.0, False)


@given(cases())
def test_it_agrees_with_plain_loops(case):
    result = evqascore(*case)
    precision, recall, fine, coarse, score = by_loops(*case)
    assert result.precision == pytest.approx(precision, abs=1e-9)
    assert result.recall == pytest.approx(recall, abs=1e-9)
    assert result.coarse == pytest.approx(coarse, abs=1e-9)
    # Within rounding of zero, the two may stand on different sides of the guard.
    if min(abs(precision), abs(recall)) > 1e-9:
        assert result.fine == pytest.approx(fine, abs=1e-9)
        assert result.score == pytest.approx(score, abs=1e-9)


@given(cases())
def test_every_number_stays_in_its_range(case):
    result = evqascore(*case)
    assert -0.5 <= result.score <= 1
    assert 0 <= result.fine <= 1
    assert all(-1 <= value <= 1 for value in (result.coarse, result.precision, result.recall))
    assert result.guarded == (result.precision <= 0 or result.recall <= 0)


@given(cases(), st.randoms())
def test_the_order_of_frames_and_keywords_does_not_matter(case, random):
    local, keywords, *rest = case
    rows, columns = list(range(len(local))), list(range(len(keywords)))
    random.shuffle(rows)
    random.shuffle(columns)
    a, b = evqascore(*case), evqascore(local[rows], keywords[columns], *rest)
    assert b.precision == pytest.approx(a.precision, abs=1e-9)
    assert b.recall == pytest.approx(a.recall, abs=1e-9)
    assert b.coarse == a.coarse


@given(cases(), st.integers(2, 4))
def test_showing_every_frame_several_times_changes_nothing_but_the_count(case, times):
    local, *rest = case
    a, b = evqascore(*case), evqascore(np.repeat(local, times, axis=0), *rest)
    assert b.n_frames == times * a.n_frames
    assert b.precision == pytest.approx(a.precision, abs=1e-9)
    assert b.recall == pytest.approx(a.recall, abs=1e-9)


@given(cases())
def test_one_more_copy_of_a_frame_leaves_precision_alone(case):
    local, *rest = case
    more = np.concatenate([local, local[:1]])
    assert evqascore(more, *rest).precision == pytest.approx(evqascore(*case).precision, abs=1e-9)


@given(cases(), st.integers(1, 30))
def test_v1_is_v3_with_its_fine_half_weighted(case, n_keywords):
    local, keywords, frame_mean, caption = case
    v1 = evqascore_v1(
        token_vectors=keywords,
        frames=local,
        frame_mean=frame_mean,
        caption=caption,
        n_keywords=n_keywords,
    )
    v3 = evqascore(*case)
    assert v1.fine == pytest.approx(v3.fine * math.log(n_keywords + 1))
    assert (v1.coarse, v1.precision, v1.recall) == (v3.coarse, v3.precision, v3.recall)


def test_half_precision_vectors_score_nearly_the_same():
    random = np.random.default_rng(7)
    local, keywords = (
        unit_rows(random.normal(size=(9, 768))),
        unit_rows(random.normal(size=(4, 768))),
    )
    exact = evqascore(local, keywords, mean_direction(local), keywords[0])
    half = evqascore(
        local.astype(np.float16),
        keywords.astype(np.float16),
        mean_direction(local).astype(np.float16),
        keywords[0].astype(np.float16),
    )
    assert half.score == pytest.approx(exact.score, abs=1e-3)


ACCEPTED = {"local": [EAST], "keywords": [EAST], "frame_mean": EAST, "caption": EAST}


@pytest.mark.parametrize("name", ACCEPTED)
@pytest.mark.parametrize(
    ("vector", "message"),
    [
        ([], "is empty"),
        ([0.6, 0.7], "vector of length 0.922"),
        ([1.002, 0.0], "vector of length 1.002"),
        ([0.0, 0.0], "vector of length 0:"),
        ([math.nan, 1.0], "NaN or infinity"),
        ([math.inf, 0.0], "NaN or infinity"),
        ([1.0, 0.0, 0.0], r"differ in dimension \(.*"),
    ],
)
def test_it_refuses_vectors_that_it_cannot_compare(name, vector, message):
    many = name in ("local", "keywords")
    value = ([vector] if vector else []) if many else vector
    with pytest.raises(ValueError, match=message) as refused:
        evqascore(**ACCEPTED | {name: value})
    assert name in str(refused.value)


@pytest.mark.parametrize(
    ("name", "value"), [("local", EAST), ("keywords", EAST), ("caption", [EAST])]
)
def test_it_refuses_the_wrong_shape(name, value):
    with pytest.raises(ValueError, match=f"{name} has the shape"):
        evqascore(**ACCEPTED | {name: value})


def test_one_bad_vector_among_good_ones_is_found():
    with pytest.raises(ValueError, match=r"local has a vector of length 0\.5"):
        evqascore([EAST, [0.5, 0.0], NORTH], [EAST], EAST, EAST)


def test_lengths_within_the_tolerance_are_accepted_and_evened_out():
    assert evqascore([[1.0009, 0.0]], [[0.9991, 0.0]], EAST, EAST).score == 1


def test_v1_needs_a_keyword_and_refuses_as_v3_does():
    vectors = {"token_vectors": [EAST], "frames": [EAST], "frame_mean": EAST, "caption": EAST}
    with pytest.raises(ValueError, match="n_keywords is 0"):
        evqascore_v1(**vectors, n_keywords=0)
    with pytest.raises(ValueError, match="token_vectors is empty"):
        evqascore_v1(**vectors | {"token_vectors": []}, n_keywords=2)


def test_the_mean_direction_by_hand():
    assert mean_direction([EAST, NORTH]) == pytest.approx([math.sqrt(0.5), math.sqrt(0.5)])
    assert mean_direction([UP_RIGHT]) == pytest.approx(UP_RIGHT)


def test_frames_that_cancel_out_have_no_mean_direction():
    with pytest.raises(ValueError, match="cancel out"):
        mean_direction([EAST, [-1.0, 0.0]])

"""Recall@K and rankings: hand-worked cases, a plain second implementation, scikit-learn, ties."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from sklearn.metrics import top_k_accuracy_score

from metrics.retrieval import blocks, rank_gallery, recall_at_k, recall_of_vectors

# Three captions of the first video, one of the second and the third; more is nearer.
SIMILARITY = np.array(
    [
        [0.9, 0.1, 0.2],
        [0.3, 0.5, 0.4],
        [0.6, 0.7, 0.1],
        [0.2, 0.8, 0.3],
        [0.5, 0.4, 0.1],
    ]
)
VIDEO_OF = [{0}, {0}, {0}, {1}, {2}]
CAPTIONS_OF = [{0, 1, 2}, {3}, {4}]


def vectors(n, dimension=16, seed=0):
    return np.random.default_rng(seed).standard_normal((n, dimension), dtype=np.float32)


def plain_rank(scores, right):
    """The definition, item by item, for scores whose ties are exact."""
    best = max(scores[index] for index in right)
    return 1 + sum(scores[j] >= best for j in range(len(scores)) if j not in right)


@st.composite
def similarities(draw):
    """Few distinct values, so that many are ties."""
    n, m = draw(st.integers(1, 6)), draw(st.integers(1, 9))
    matrix = draw(arrays.arrays(np.float64, (n, m), elements=st.integers(-3, 3).map(float)))
    right = st.sets(st.integers(0, m - 1), min_size=1)
    return matrix, [draw(right) for _ in range(n)]


def test_text_to_video_is_worked_out_by_hand():
    result = recall_at_k(SIMILARITY, VIDEO_OF, (1, 2, 3))
    assert result.ranks.tolist() == [1, 3, 2, 1, 3]
    assert result.recall == {1: 0.4, 2: 0.6, 3: 1.0}
    assert result.hits == {1: 2, 2: 3, 3: 5}
    assert (result.median_rank, result.n_queries, result.n_gallery) == (2.0, 5, 3)


def test_video_to_text_is_a_hit_with_any_caption():
    # The first video's captions score .9 .3 .6, the other two .2 .5. The third's own scores least.
    result = recall_at_k(SIMILARITY.T, CAPTIONS_OF, (1, 5))
    assert result.ranks.tolist() == [1, 1, 5]
    assert (result.n_relevant, result.recall[5]) == (5, 1.0)


def test_categories_divide_the_queries():
    groups = ["cook", "cook", "sport", "sport", "sport"]
    result = recall_at_k(SIMILARITY, VIDEO_OF, (1, 2), categories=groups)
    assert list(result.by_category) == ["cook", "sport"]
    assert result.by_category["cook"].hits == {1: 1, 2: 1}
    assert result.by_category["sport"].hits == {1: 1, 2: 2}
    assert result.by_category["sport"].median_rank == 2.0
    assert sum(group.n_queries for group in result.by_category.values()) == result.n_queries


@given(similarities())
def test_it_is_the_plain_count(case):
    matrix, relevant = case
    ranks = [plain_rank(row, right) for row, right in zip(matrix, relevant, strict=True)]
    for stored in (matrix, matrix.astype(np.float32), matrix.astype(np.int64)):
        assert recall_at_k(stored, relevant).ranks.tolist() == ranks


@given(similarities(), st.randoms(use_true_random=False))
def test_the_order_of_the_gallery_says_nothing(case, random):
    matrix, relevant = case
    order = random.sample(range(matrix.shape[1]), matrix.shape[1])
    moved = [{order.index(index) for index in right} for right in relevant]
    assert recall_at_k(matrix[:, order], moved) == recall_at_k(matrix, relevant)


@given(similarities())
def test_recall_grows_with_k_up_to_the_gallery(case):
    matrix, relevant = case
    recall = list(recall_at_k(matrix, relevant, range(1, matrix.shape[1] + 1)).recall.values())
    assert recall == sorted(recall)
    assert recall[-1] == 1.0


@given(similarities())
def test_more_that_is_relevant_never_worsens_a_rank(case):
    matrix, relevant = case
    more = [right | {0} for right in relevant]
    assert (recall_at_k(matrix, more).ranks <= recall_at_k(matrix, relevant).ranks).all()


def test_one_right_answer_and_no_ties_is_scikit_learns_accuracy():
    matrix = np.random.default_rng(3).standard_normal((40, 40))
    result = recall_at_k(matrix, [{i} for i in range(40)])
    for k, recall in result.recall.items():
        assert recall == top_k_accuracy_score(np.arange(40), matrix, k=k, labels=np.arange(40))


def test_a_tie_goes_against_the_query():
    assert recall_at_k([[0.5, 0.5, 0.1]], [{0}]).ranks.tolist() == [2]
    assert recall_at_k([[0.5, 0.5, 0.1]], [{1}]).ranks.tolist() == [2]
    assert recall_at_k([[0.5, 0.5, 0.1]], [{0, 1}]).ranks.tolist() == [1]


def test_vectors_that_are_all_equal_find_nothing():
    same = np.tile(vectors(1), (20, 1))
    result = recall_of_vectors(same, same, [{i} for i in range(20)])
    assert result.hits == {1: 0, 5: 0, 10: 0}
    assert result.ranks.tolist() == [20] * 20


def test_a_difference_within_the_tolerance_is_a_tie():
    row, right = [[0.5, 0.5 + 2e-7, 0.5 - 2e-7]], [{1}]
    assert recall_at_k(row, right).ranks.tolist() == [3]
    exact = recall_at_k(row, right, tie_tolerance=0)
    assert (exact.ranks.tolist(), exact.tie_tolerance) == ([1], 0)


@pytest.mark.parametrize("block_bytes", [1, 4 * 90 * 7, 2**27])
def test_a_copy_in_the_gallery_ties_wherever_it_is(monkeypatch, block_bytes):
    """A matrix product rounds equal columns differently at the edges of its tiles."""
    monkeypatch.setattr(blocks, "BLOCK_BYTES", block_bytes)
    gallery = vectors(45, 301)
    twice = np.concatenate([gallery, gallery])
    result = recall_of_vectors(gallery, twice, [{i} for i in range(45)])
    assert result.ranks.tolist() == [2] * 45


@given(st.integers(0, 10_000), st.integers(1, 40), st.integers(1, 60), st.sampled_from([1, 500]))
def test_vectors_have_the_recall_of_their_similarities(seed, n, m, block_bytes):
    # Of few values: cosines are equal, or further apart than rounding and tolerance.
    random = np.random.default_rng(seed)
    queries, gallery = random.integers(1, 4, (n, 4)), random.integers(1, 4, (m, 4))
    relevant = [{i % m, (i * 7) % m} for i in range(n)]
    cosines = np.array(
        [[a @ b / np.linalg.norm(a) / np.linalg.norm(b) for b in gallery] for a in queries]
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "BLOCK_BYTES", block_bytes)
        assert recall_of_vectors(queries, gallery, relevant) == recall_at_k(cosines, relevant)
        assert recall_at_k(cosines, relevant) == recall_at_k(
            cosines.T[::-1].T, [{m - 1 - j for j in right} for right in relevant]
        )


def test_length_and_precision_of_the_vectors_do_not_matter():
    queries, gallery = vectors(30), vectors(30, seed=1)
    relevant = [[i] for i in range(30)]
    expected = recall_of_vectors(queries, gallery, relevant)
    longer = gallery * np.arange(1, 31)[:, None]
    assert recall_of_vectors(queries * 9, longer.astype(np.float64), relevant) == expected
    assert gallery.dtype == np.float32


def test_the_whole_matrix_is_never_held(monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK_BYTES", 2**18)
    queries = vectors(3000, 8)
    tracemalloc.start()
    recall_of_vectors(queries, queries, [[i] for i in range(3000)])
    rank_gallery(queries, queries, 5)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3000 * 3000 * 4 / 5


def test_without_queries_recall_is_undefined():
    result = recall_at_k(np.empty((0, 4)), [])
    assert result.recall == {1: None, 5: None, 10: None}
    assert (result.median_rank, result.reason) == (None, "There are no queries.")
    assert recall_of_vectors(np.empty((0, 3)), vectors(4, 3), []).recall[1] is None


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"relevant": [{0}]}, "1 entries for 2 queries"),
        ({"relevant": [{0}, set()]}, "query 1 has nothing relevant"),
        ({"relevant": [{0}, {3}]}, "relevant of query 1 holds 3; the gallery has 3"),
        ({"relevant": [{0}, {-1}]}, "holds -1"),
        ({"relevant": [[0], [1, 1]]}, "an index twice"),
        ({"relevant": [{0}, {0.5}]}, "whole numbers"),
        ({"relevant": [{0}, {"v1"}]}, "whole numbers"),
        ({"similarity": [[0.1, 0.2, 0.3], [0.1, float("nan"), 0.2]]}, "finite"),
        ({"similarity": [0.1, 0.2]}, "one row a query"),
        ({"similarity": [["a"], ["b"]]}, "give numbers"),
        ({"ks": ()}, "at least one"),
        ({"ks": (1, 0)}, "from 1"),
        ({"categories": ["cook"]}, "1 entries for 2 queries"),
        ({"tie_tolerance": -1}, "from 0"),
        ({"tie_tolerance": float("nan")}, "from 0"),
    ],
)
def test_what_is_no_retrieval_is_refused(options, words):
    good = {"similarity": SIMILARITY[:2], "relevant": [{0}, {1}]}
    with pytest.raises(ValueError, match=words):
        recall_at_k(**good | options)


@pytest.mark.parametrize(
    ("queries", "words"),
    [
        (np.zeros((2, 4)), "row 0 of queries"),
        ([[1, 0, 0, 0], [1, float("nan"), 0, 0]], "row 1 of queries"),
        ([[1, 0, 0, 0], [1, float("inf"), 0, 0]], "row 1 of queries"),
        (np.ones((2, 3)), "3 numbers a vector and the gallery 4"),
        (np.ones(4), "one vector a row"),
    ],
)
def test_what_are_no_vectors_is_refused(queries, words):
    with pytest.raises(ValueError, match=words):
        recall_of_vectors(queries, vectors(3, 4), [{0}, {1}])
    with pytest.raises(ValueError, match=words):
        rank_gallery(queries, vectors(3, 4), 2)


def test_a_ranking_is_worked_out_by_hand():
    # Cosines with east: 1, 0, 0.6, -1.
    gallery = [[2, 0], [0, 1], [3, 4], [-1, 0]]
    assert [list(ranking) for ranking in rank_gallery([[1, 0]], gallery, 3)] == [[0, 2, 1]]
    masked = rank_gallery([[1, 0]], gallery, 3, masked=[{0, 1}])
    assert [list(ranking) for ranking in masked] == [[2, 3]]


@given(st.integers(0, 10_000), st.integers(1, 50), st.integers(1, 60))
def test_a_ranking_is_the_stable_sort_of_all(seed, m, k):
    """Vectors of few values, so that many cosines are equal."""
    random = np.random.default_rng(seed)
    gallery = random.integers(1, 3, (m, 4)).astype(float)
    queries = random.integers(1, 3, (7, 4)).astype(float)
    masked = [set(np.flatnonzero(random.random(m) < 0.2).tolist()) for _ in queries]
    rankings = rank_gallery(queries, gallery, k, masked=masked)
    for query, hidden, ranking in zip(queries, masked, rankings, strict=True):
        cosines = gallery @ query / np.linalg.norm(gallery, axis=1) / np.linalg.norm(query)
        order = sorted((-round(float(cosines[j]), 9), j) for j in range(m) if j not in hidden)
        assert ranking.tolist() == [j for _, j in order][:k]


@pytest.mark.parametrize("block_bytes", [1, 4 * 90 * 7, 2**27])
def test_copies_are_ranked_in_the_gallerys_order(monkeypatch, block_bytes):
    monkeypatch.setattr(blocks, "BLOCK_BYTES", block_bytes)
    gallery = vectors(45, 301)
    rankings = rank_gallery(gallery, np.concatenate([gallery, gallery]), 2)
    assert [ranking.tolist() for ranking in rankings] == [[i, i + 45] for i in range(45)]


def test_a_ranking_of_nothing_is_empty():
    assert rank_gallery(np.empty((0, 4)), vectors(3, 4), 2) == []
    assert [len(r) for r in rank_gallery(vectors(2, 4), np.empty((0, 4)), 2)] == [0, 0]


@pytest.mark.parametrize(
    ("options", "words"),
    [({"k": 0}, "from 1"), ({"masked": [{0}]}, "1 entries"), ({"masked": [{0}, {9}]}, "holds 9")],
)
def test_a_ranking_that_cannot_be_made_is_refused(options, words):
    with pytest.raises(ValueError, match=words):
        rank_gallery(vectors(2, 4), vectors(3, 4), **{"k": 2} | options)

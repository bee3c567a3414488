"""Queries drawn at random, spread over strata."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.models import WorkItem
from review.triplets.models import ComposedQuery
from review.triplets.sampling import draw_stratified
from review.triplets.sets import generate, start_triplet_set
from review.triplets.verdicts import hand_out_queries
from review.triplets.verification import verification_of
from tests.cast import make_project
from tests.review.triplets.triplets import labelled_clip, make_label, modify

ROWS = [
    ((kind,), f"{kind}{n}") for kind, size in (("a", 12), ("b", 6), ("c", 2)) for n in range(size)
]


def test_each_stratum_has_its_share():
    drawn = draw_stratified(ROWS, 10, seed=4)
    assert Counter(key[0] for key in drawn) == {"a": 6, "b": 3, "c": 1}


def test_each_row_is_equally_likely():
    times = Counter(key for seed in range(2_000) for key in draw_stratified(ROWS, 5, seed))
    assert {key: times[key] / 2_000 for _, key in ROWS} == {
        key: pytest.approx(0.25, abs=0.05) for _, key in ROWS
    }


@given(st.integers(1, 30), st.integers(0, 50))
def test_it_draws_so_many_different_ones_the_same_for_a_seed(number, seed):
    drawn = draw_stratified(ROWS, number, seed)
    assert len(set(drawn)) == len(drawn) == min(number, len(ROWS))
    assert drawn == draw_stratified(ROWS, number, seed)


@pytest.fixture
def project(db):
    """Two directions with 6 and 3 test queries."""
    project = make_project(protocol="tfcovr")
    first, second, third = (make_label(project, key) for key in ("107b", "109b", "307c"))
    for label, number in ((first, 6), (second, 2), (third, 3)):
        for _ in range(number):
            labelled_clip(project, label, "test")
    modify(first, second)
    modify(third, second, "show 1 turn")
    return project


def make_set(project, **settings):
    values = {"seed": 0, "most_targets": 10, "admin": None, **settings}
    return generate(triplets=start_triplet_set(project=project, **values))


def test_a_set_has_as_many_test_queries_as_were_asked_for(project):
    made = make_set(project, test_queries=3)
    sources = made.queries.values_list("modification__source__key", flat=True)
    assert Counter(sources) == {"107b": 2, "307c": 1}
    assert make_set(project, test_queries=0).queries.count() == 9
    again = make_set(project, test_queries=3)
    assert set(again.queries.values_list("clip")) == set(made.queries.values_list("clip"))


def test_a_random_sample_has_a_known_probability_and_one_by_targets_no_interval(project):
    made = make_set(project)
    options = {"triplets": made, "split": "test", "people": 1, "admin": None}
    assert hand_out_queries(**options, most=3, seed=1) == 3
    [part] = verification_of(made)
    assert (part.asked, part.of, part.is_random) == (3, 9, True)
    assert part.probability == pytest.approx(100 / 3)
    queries = ComposedQuery.objects.filter(pk__in=WorkItem.objects.values("subject"))
    assert Counter(queries.values_list("modification__source__key", flat=True)) == {
        "107b": 2, "307c": 1,
    }  # fmt: skip
    hand_out_queries(**options, most=1, order="targets")
    [part] = verification_of(made)
    assert (part.is_random, part.shares[0].reason) == (False, "not drawn at random")
    hand_out_queries(**options, most=9, order="targets")
    assert verification_of(made)[0].is_random  # all of them

"""Agreement: hand-worked and published cases, properties, and two independent libraries."""

from __future__ import annotations

import csv
from fractions import Fraction
from functools import partial
from pathlib import Path

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from metrics.agreement import (
    cohen_kappa,
    krippendorff_alpha,
    mean_pairwise_kappa,
    pairwise_matrix,
    percent_agreement,
    weighted_kappa,
)

GOLDEN = Path(__file__).parent / "golden" / "krippendorff_2011.csv"
LEVELS = ("nominal", "ordinal", "interval")
MEASURES = {
    "percent": percent_agreement,
    "cohen": cohen_kappa,
    "linear": weighted_kappa,
    "quadratic": partial(weighted_kappa, weights="quadratic"),
    "mean": mean_pairwise_kappa,
    **{level: partial(krippendorff_alpha, level=level) for level in LEVELS},
}
of_each_measure = pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES)
of_each_level = pytest.mark.parametrize("level", LEVELS)


def long(**rows):
    """long(anna="0 1 .") -> Anna's labels of units 0 and 1; a dot is a missing one."""
    return [
        (rater, unit, int(label))
        for rater, text in rows.items()
        for unit, label in enumerate(text.split())
        if label != "."
    ]


def value(measure, labels, **options):
    return measure(labels, n_bootstrap=0, **options).value


def published():
    lines = [line for line in GOLDEN.read_text().splitlines() if not line.startswith("#")]
    for row in csv.DictReader(lines):
        observer = row.pop("observer")
        yield from ((observer, unit, int(label)) for unit, label in row.items() if label)


# Both 0 five times, both 1 twice, Anna alone 1 once, Ben alone 1 twice: p_o = 0.7,
# p_e = 0.7 x 0.6 + 0.3 x 0.4 = 0.54.
TWO = long(anna="0 0 0 0 0 0 0 1 1 1", ben="0 0 0 0 0 1 1 1 1 0")


def test_kappa_is_worked_out_by_hand():
    assert value(cohen_kappa, TWO) == pytest.approx((0.7 - 0.54) / (1 - 0.54))
    assert value(percent_agreement, TWO) == pytest.approx(0.7)


def test_weighted_kappa_is_worked_out_by_hand():
    # Distances 0 1 2 0; Anna has 0 0 0 2 and Ben 0 1 2 2, so by chance
    # linear (0+1+2+2 + 0+1+2+2 + 0+1+2+2 + 2+1+0+0) / 4 = 18 / 4 and quadratic 32 / 4.
    labels = long(anna="0 0 0 2", ben="0 1 2 2")
    assert value(weighted_kappa, labels) == pytest.approx(1 - 3 * 4 / 18)
    assert value(weighted_kappa, labels, weights="quadratic") == pytest.approx(1 - 5 * 4 / 32)


def test_three_people_agree_in_the_share_of_their_pairs():
    # Unit 0: 1 of 3 pairs; unit 1: 1 of 1.
    labels = long(anna="0 1", ben="0 1", emil="2 .")
    agreement = percent_agreement(labels, n_bootstrap=0)
    assert (agreement.value, agreement.n_pairs, agreement.n_labels) == (0.5, 4, 5)


@pytest.mark.parametrize(
    ("level", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)]
)
def test_alpha_is_the_published_one(level, alpha):
    agreement = krippendorff_alpha(list(published()), level)
    assert round(agreement.value, 3) == alpha
    counts = (agreement.n_units, agreement.n_raters, agreement.n_labels)
    assert counts == (11, 4, 40)  # unit 12 has one value
    assert agreement.low < alpha < agreement.high


def test_the_mean_weighs_each_pair_by_what_it_shares():
    labels = [
        *long(anna="0 0 1 1", ben="0 0 1 1"),  # 4 shared, kappa 1
        *((rater, f"later {unit}", label) for rater, unit, label in long(ben="0 1", emil="1 0")),
    ]  # 2 shared, kappa -1
    agreement = mean_pairwise_kappa(labels, n_bootstrap=0)
    assert agreement.value == pytest.approx((4 * 1 + 2 * -1) / 6)
    assert agreement.n_rater_pairs_left_out == 0


def test_the_mean_counts_the_pairs_that_it_leaves_out():
    labels = long(anna="0 1 0 1", ben="0 1 0 1", emil="0 . 0 .")
    agreement = mean_pairwise_kappa(labels, n_bootstrap=0)
    assert (agreement.value, agreement.n_rater_pairs_left_out) == (1, 2)


def test_it_repeats_how_it_was_made():
    agreement = weighted_kappa(TWO, "quadratic", scale=range(6), n_bootstrap=7, seed=3)
    assert (agreement.measure, agreement.distance) == ("weighted_kappa", "quadratic")
    assert (agreement.scale, agreement.n_bootstrap, agreement.seed) == (tuple(range(6)), 7, 3)
    counts = (agreement.n_units, agreement.n_raters, agreement.n_labels, agreement.n_pairs)
    assert counts == (10, 2, 20, 10)


@of_each_measure
def test_the_interval_holds_the_value_and_the_seed_repeats_it(measure):
    random = np.random.default_rng(7)
    truth = random.integers(0, 6, (80, 1))
    labels = labels_of(np.clip(truth + random.integers(-1, 2, (80, 2)), 0, 5).tolist())
    first, again, other = (measure(labels, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first.low < first.value < first.high
    assert (first.low, first.high) != (other.low, other.high)


@of_each_measure
@pytest.mark.parametrize(
    ("labels", "reason"),
    [
        ([], "There are no labels yet."),
        (long(anna="0 1 2"), "Only one person has labeled; agreement takes two."),
        (long(anna="0 1 . .", ben=". . 0 1"), "No two people have labeled the same thing."),
    ],
)
def test_without_two_people_on_one_thing_it_says_so(measure, labels, reason):
    agreement = measure(labels)
    numbers = (agreement.value, agreement.low, agreement.high)
    assert (*numbers, agreement.reason) == (None, None, None, reason)


@of_each_measure
def test_one_category_leaves_nothing_to_chance(measure):
    agreement = measure(long(anna="1 1 1", ben="1 1 1"))
    if measure is percent_agreement:
        assert (agreement.value, agreement.low, agreement.high) == (1, 1, 1)
    else:
        assert (agreement.value, agreement.low, agreement.high) == (None, None, None)
        assert "the same label" in agreement.reason or "All labels are the same" in agreement.reason


def test_kappa_of_three_people_is_undefined():
    agreement = cohen_kappa(long(anna="0 1", ben="0 1", emil="1 1"))
    assert agreement.value is None
    assert agreement.reason == "Kappa compares two people, and 3 labeled the same things."


def test_one_unit_has_a_value_without_an_interval():
    agreement = krippendorff_alpha(long(anna="0", ben="1"))
    assert (agreement.value, agreement.low, agreement.high) == (0, None, None)
    assert agreement.reason == "One unit can't be resampled, so there is no interval."


def test_it_says_how_many_resamples_have_a_value():
    # The unit that differs is in no resample of four in (3/4)^4 = 32 %: one category is left.
    agreement = cohen_kappa(long(anna="0 0 0 0", ben="0 0 0 1"))
    assert (agreement.value, agreement.reason) == (0, "")
    assert agreement.n_defined / agreement.n_bootstrap == pytest.approx(1 - 0.316, abs=0.05)


@of_each_level
@pytest.mark.parametrize("missing", [None, float("nan")])
def test_a_missing_label_is_left_out_not_given(level, missing):
    with pytest.raises(ValueError, match="leave a missing one out"):
        krippendorff_alpha([("anna", "clip", missing)], level)


@of_each_measure
def test_what_is_not_on_the_scale_is_refused(measure):
    with pytest.raises(ValueError, match="'huge' is not on the scale; choose from 'low', 'high'"):
        measure([("anna", 1, "huge"), ("ben", 1, "low")], scale=["low", "high"])


@of_each_measure
def test_a_second_label_of_one_person_is_refused(measure):
    with pytest.raises(ValueError, match="'anna' labeled 1 twice"):
        measure([("anna", 1, 0), ("ben", 1, 0), ("anna", 1, 0)])


@pytest.mark.parametrize("label", ["high", True, float("inf")])
def test_ordered_labels_are_numbers_or_have_a_scale(label):
    with pytest.raises(ValueError, match="give the scale of the labels"):
        weighted_kappa([("anna", 1, label), ("ben", 1, 2)])


@pytest.mark.parametrize(
    ("refused", "words"),
    [
        (partial(krippendorff_alpha, level="ratio"), "choose from nominal, ordinal, interval"),
        (partial(weighted_kappa, weights="cubic"), "choose from linear, quadratic"),
        (partial(mean_pairwise_kappa, weights="cubic"), "choose from linear, quadratic"),
        (partial(cohen_kappa, scale=[0, 1, 0]), "names a label twice"),
        (partial(cohen_kappa, n_bootstrap=-1), "can't be negative"),
    ],
)
def test_an_unknown_option_is_refused(refused, words):
    with pytest.raises(ValueError, match=words):
        refused(TWO)


def test_a_scale_orders_words():
    words = ["poor", "fair", "good", "fine"]
    worded = [(rater, unit, words[label]) for rater, unit, label in published_to_four()]
    for level in LEVELS:
        assert value(krippendorff_alpha, worded, level=level, scale=words) == pytest.approx(
            value(krippendorff_alpha, published_to_four(), level=level)
        )


def published_to_four():
    return [(rater, unit, label - 1) for rater, unit, label in published() if label < 5]


@pytest.mark.parametrize("size", [1e-200, 1, 1e150])
def test_the_unit_of_interval_labels_does_not_matter(size):
    labels = [(rater, unit, label * size) for rater, unit, label in published()]
    assert value(krippendorff_alpha, labels, level="interval") == pytest.approx(0.849107142857)


def test_numbers_that_a_float_can_not_tell_apart_do_not_disagree():
    near = 10**17
    labels = [("anna", 1, near), ("ben", 1, near + 1), ("anna", 2, near), ("ben", 2, near)]
    assert krippendorff_alpha(labels, "interval").value is None
    assert weighted_kappa(labels).value is None


def test_the_matrix_has_every_pair_once_over():
    labels = long(anna="0 1 0 1", ben="0 1 1 1", emil=". . 1 1", rita=". . . .")
    labels.append(("rita", "alone", 1))
    matrix = pairwise_matrix(labels, cohen_kappa)
    assert matrix.raters == ("anna", "ben", "emil", "rita")
    values = [[cell and cell.value for cell in row] for row in matrix.cells]
    assert values == [
        [None, 0.5, 0, None],
        [0.5, None, None, None],
        [0, None, None, None],
        [None, None, None, None],
    ]
    assert matrix.cells[0][1].n_units == 4
    assert matrix.cells[0][2].n_units == 2
    assert matrix.cells[0][3].reason == "No two people have labeled the same thing."
    assert matrix.cells[1][2] is matrix.cells[2][1]


def test_the_matrix_takes_any_measure():
    matrix = pairwise_matrix(TWO, partial(weighted_kappa, weights="quadratic", scale=range(6)))
    assert matrix.cells[0][1].distance == "quadratic"


tables = st.lists(
    st.lists(st.one_of(st.none(), st.integers(0, 5)), min_size=3, max_size=3),
    min_size=2,
    max_size=15,
)


def labels_of(table):
    return [
        (rater, unit, label)
        for unit, row in enumerate(table)
        for rater, label in enumerate(row)
        if label is not None
    ]


@of_each_level
@given(tables)
def test_alpha_is_the_packages(level, table):
    agreement = krippendorff_alpha(labels_of(table), level, n_bootstrap=0)
    pairable = [row for row in table if sum(label is not None for label in row) > 1]
    labels = {label for row in pairable for label in row if label is not None}
    assume(len(labels) > 1)
    data = np.array(table, dtype=float).T
    assert agreement.value == pytest.approx(
        krippendorff.alpha(reliability_data=data, level_of_measurement=level)
    )


@of_each_level
@given(tables)
def test_alpha_is_its_definition_in_fractions(level, table):
    """Over all ordered pairs of labels, as Krippendorff writes it."""
    units = [[label for label in row if label is not None] for row in table]
    units = [unit for unit in units if len(unit) > 1]
    pool = [label for unit in units for label in unit]
    assume(len(set(pool)) > 1)

    def apart(a, b):
        if level == "nominal":
            return int(a != b)
        if level == "interval":
            return (a - b) ** 2
        low, high = sorted((a, b))
        between = sum(pool.count(label) for label in range(low, high + 1))
        return (between - Fraction(pool.count(a) + pool.count(b), 2)) ** 2

    observed = sum(
        Fraction(apart(a, b), len(unit) - 1) for unit in units for a in unit for b in unit
    )
    expected = sum(apart(a, b) for a in pool for b in pool)
    exact = 1 - (len(pool) - 1) * observed / Fraction(expected)
    assert value(krippendorff_alpha, labels_of(table), level=level) == pytest.approx(float(exact))


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=20))
def test_kappa_is_scikit_learns(pairs):
    first, second = zip(*pairs, strict=True)
    assume(len({*first, *second}) > 1)
    labels = labels_of(pairs)
    assert value(cohen_kappa, labels) == pytest.approx(cohen_kappa_score(first, second))
    for weights in ("linear", "quadratic"):
        expected = cohen_kappa_score(first, second, labels=range(6), weights=weights)
        for scale in (None, range(6)):
            kappa = value(weighted_kappa, labels, weights=weights, scale=scale)
            assert kappa == pytest.approx(expected)
        assert value(mean_pairwise_kappa, labels, weights=weights) == pytest.approx(expected)


@given(tables, st.permutations(range(6)))
def test_nominal_measures_do_not_know_the_names_of_labels(table, names):
    labels = labels_of(table)
    renamed = [(rater, unit, f"label {names[label]}") for rater, unit, label in labels]
    for measure in (percent_agreement, mean_pairwise_kappa, krippendorff_alpha):
        assert value(measure, renamed) == pytest.approx(value(measure, labels))


@of_each_measure
@given(tables, st.permutations(range(3)), st.randoms(use_true_random=False))
def test_neither_who_is_who_nor_the_order_matters(measure, table, people, random):
    labels = labels_of(table)
    swapped = [(people[rater], unit, label) for rater, unit, label in labels]
    random.shuffle(swapped)
    assert value(measure, swapped) == pytest.approx(value(measure, labels))


@of_each_measure
@given(st.lists(st.integers(0, 5), min_size=2, max_size=20))
def test_perfect_agreement_is_one(measure, given_labels):
    assume(len(set(given_labels)) > 1)
    agreement = measure(labels_of([(label, label) for label in given_labels]), n_bootstrap=20)
    assert agreement.value == 1
    assert {agreement.low, agreement.high} <= {1, None}


@of_each_level
@given(tables, st.integers(1, 5))
def test_a_resample_is_a_table_with_units_repeated(level, table, seed):
    """What the bootstrap computes from counts of units is alpha of the table written out."""
    random = np.random.default_rng(seed)
    units = [row for row in table if sum(label is not None for label in row) > 1]
    assume(len(units) > 1)
    chosen = random.integers(0, len(units), len(units))
    agreement = krippendorff_alpha(labels_of(units), level, n_bootstrap=1, seed=seed)
    written_out = value(krippendorff_alpha, labels_of([units[n] for n in chosen]), level=level)
    if agreement.value is None or written_out is None:
        assert agreement.n_defined == 0
    else:
        assert agreement.low == agreement.high == pytest.approx(written_out)

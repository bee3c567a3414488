"""CapST against the paper's Tables 2 and 3, and the list of differences."""

from __future__ import annotations

from itertools import groupby

import pytest

from metrics.capst import OFFICIAL, differences, f1_of
from tests.metrics.golden import golden

ROWS = golden("carebench_table2_3.csv")
HALF = 0.05  # of the last printed digit
# Shares of the four categories that fit the printed overall values best (least absolute
# deviations); the paper does not say how many clips each has.
SHARES = (0.215, 0.336, 0.260, 0.189)


def numbers(row):
    return float(row["f1"]), float(row["recall"]), float(row["precision"])


def test_the_golden_table_is_whole():
    assert len(ROWS) == 110
    fits = [row["fits"] for row in ROWS]
    assert (fits.count("exact"), fits.count("rounding")) == (86, 24)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: " ".join(list(row.values())[:3]))
def test_f1_of_the_printed_means_is_the_printed_f1(row):
    printed, recall, precision = numbers(row)
    off = f1_of(recall, precision) - printed
    assert off == pytest.approx(float(row["off"]), abs=0.0006)
    assert (abs(off) <= HALF + 1e-9) == (row["fits"] == "exact")
    # Whatever recall and precision were before rounding, F1 rises with both.
    assert f1_of(recall - HALF, precision - HALF) <= printed + HALF
    assert f1_of(recall + HALF, precision + HALF) >= printed - HALF


def overall_off(shares):
    """Return how far the weighted mean of the categories is from the printed overall value."""
    off = {}
    for key, rows in groupby(ROWS, lambda row: (row["elements"], row["model"])):
        *categories, overall = rows
        assert overall["category"] == "Overall"
        for number in ("recall", "precision"):
            mean = sum(s * float(c[number]) for s, c in zip(shares, categories, strict=True))
            off[*key, number] = mean - float(overall[number])
    return off


def test_the_printed_overall_is_over_samples_and_not_over_categories():
    off = overall_off(SHARES)
    assert {key for key, value in off.items() if abs(value) > 0.1} == {
        ("events", "InternVL2 7B", "precision"),
        ("events", "MiniCPM-V 2.6 7B", "precision"),
    }
    assert len(off) == 44
    assert sum(abs(value) > 0.1 for value in overall_off((0.25,) * 4).values()) > 22


def test_every_difference_has_words_for_all_three():
    assert len({difference.about for difference in differences()}) == len(differences()) == 11
    for difference in differences():
        assert all(
            text.endswith(".")
            for text in (difference.paper, difference.official, difference.default)
        )
        assert str(difference).startswith(f"{difference.about}. Paper: ")


def test_the_differences_say_what_the_preset_is():
    official = {difference.about: difference.official for difference in differences()}
    assert OFFICIAL.references == "full"
    assert "full caption" in official["Reference texts"]
    assert OFFICIAL.most_elements == 10
    assert "ten at most" in official["Number of elements"]
    assert OFFICIAL.empty == 1
    assert "1.0" in official["A text without elements"]
    assert OFFICIAL.drop_samples
    assert "left out of all means" in official["No usable answer from the model"]

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.display.charts import MAX_BINS, MIN_BINS, bin_words, draw_bars
from review.templatetags.durations import hours_and_minutes


def test_the_highest_bar_reaches_its_tick_and_nothing_is_nothing():
    chart = draw_bars([("Mon", 0), ("Tue", 8), ("Wed", 4)], labels=3)
    assert [(tick.label, tick.at) for tick in chart.ticks] == [
        ("0", 156),
        ("2", 120),
        ("4", 84),
        ("6", 48),
        ("8", 12),
    ]
    assert [(bar.y, bar.height) for bar in chart.bars] == [(156, 0), (12, 144), (84, 72)]


def test_a_common_scale_makes_charts_comparable():
    [low] = draw_bars([("Mon", 5)], labels=1, highest=50).bars
    [high] = draw_bars([("Mon", 50)], labels=1, highest=50).bars
    assert low.height * 10 == pytest.approx(high.height)


@given(st.dictionaries(st.integers(0, 5000), st.integers(1, 9), min_size=1))
def test_every_caption_is_in_exactly_one_bin(counts):
    bins = bin_words(Counter(counts))
    assert sum(captions for _, captions in bins) == sum(counts.values())
    assert MIN_BINS <= len(bins) <= MAX_BINS
    least, most = bins[0][0].split("–")[0], bins[-1][0].split("–")[1]
    assert int(least) <= min(counts) <= max(counts) <= int(most)


def test_no_caption_has_no_bins():
    assert bin_words(Counter()) == []


def test_durations_are_said_as_people_do():
    assert [hours_and_minutes(s) for s in (0, 59, 60, 3599, 3725)] == [
        "0 s",
        "59 s",
        "1 min",
        "59 min",
        "1 h 02 min",
    ]

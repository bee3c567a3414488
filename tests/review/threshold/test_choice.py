"""What a threshold keeps and sends back, and the ends of the slider."""

from hypothesis import given
from hypothesis import strategies as st

from review.threshold.choice import Choice, choose
from review.threshold.figure import draw_figure

SCORES = st.floats(-2, 3, allow_nan=False, width=32)


def test_a_score_on_the_value_is_kept():
    sample = [(0.1, 1.0), (0.2, 0.0), (0.3, 0.5), (0.05, 0.0)]
    assert choose(0.2, captions=10, back=4, sample=sample) == Choice(
        value=0.2, kept=6, back=4, sample_kept=2, flagged=2, missed=1, false_alarms=1
    )


def test_without_a_sample_only_the_captions_are_counted():
    choice = choose(0.2, captions=3, back=1, sample=[])
    assert (choice.captions, choice.sampled) == (3, 0)
    assert choice.words == "0.2: 2 kept, 1 sent back"


@given(
    values=st.lists(SCORES, max_size=20),
    sample=st.lists(st.tuples(SCORES, st.integers(0, 3)), max_size=20),
)
def test_the_slider_reaches_from_nothing_to_everything_sent_back(values, sample):
    figure = draw_figure(values, sample, current=0.2, chosen=0.2, estimate=None, fit=None)
    scores = [score for score in [*values, *(score for score, _ in sample)] if -1 <= score < 1]
    least, most = figure.slider
    assert -1 <= least < most <= 1
    assert all(least <= score < most for score in scores)
    assert figure.slider == (max(figure.lowest, -1), min(figure.highest, 1))

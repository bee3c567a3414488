"""How far apart the ticks of an axis are."""

from annotate.axes import round_step


def test_steps_are_round():
    assert [round_step(most, 4) for most in (1, 4, 5, 9, 21, 81, 401)] == [1, 1, 2, 5, 10, 50, 200]

"""Frame rates from timestamps."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from statistics import median

COMMON_RATES = (
    Fraction(24000, 1001),
    Fraction(24),
    Fraction(25),
    Fraction(30000, 1001),
    Fraction(30),
    Fraction(50),
    Fraction(60000, 1001),
    Fraction(60),
)
# How far the stated rate can be off if it is constant; a variable rate is only near a common one.
CONSTANT_TOLERANCE = 0.01
VARIABLE_TOLERANCE = 0.03


def find_constant_rate(times: Sequence[Fraction], declared: Fraction | None) -> Fraction | None:
    """Return the frame rate whose regular grid every frame time matches within a quarter frame.

    `times` are seconds in order. Return None if the frame rate varies.
    """
    seconds = seconds_from_first(times)
    return next((rate for rate in _candidates(seconds, declared) if _fits(seconds, rate)), None)


def playback_rate(times: Sequence[Fraction], average: Fraction) -> Fraction:
    """Return the constant rate to which a variable-frame-rate video is resampled.

    If a camera drops frames, it is the rate at which the camera takes them, so that none is lost.
    """
    rate = _usual_rate(times)
    usual = rate and nearest_common_rate(rate, CONSTANT_TOLERANCE)
    near = nearest_common_rate(average, VARIABLE_TOLERANCE)
    return usual or near or max(Fraction(round(average * 10), 10), Fraction(1))


def nearest_common_rate(rate: Fraction, tolerance: float) -> Fraction | None:
    """Return the closest of COMMON_RATES, or None if it isn't within the relative tolerance."""
    nearest = min(COMMON_RATES, key=lambda common: abs(common - rate))
    return nearest if abs(nearest - rate) <= tolerance * nearest else None


def seconds_from_first(times: Sequence[Fraction]) -> list[float]:
    """Return `float(time - times[0])` of each time, without making fractions."""
    first, unit = times[0].numerator, times[0].denominator
    return [
        (time.numerator * unit - first * time.denominator) / (time.denominator * unit)
        for time in times
    ]


def _candidates(seconds: Sequence[float], declared: Fraction | None) -> list[Fraction]:
    """Return the rates to try, the most likely first."""
    candidates = [declared and nearest_common_rate(declared, 1e-4), declared]
    if seconds[-1] > 0:
        measured = Fraction((len(seconds) - 1) / seconds[-1])
        candidates.insert(1, nearest_common_rate(measured, CONSTANT_TOLERANCE))
        candidates += [Fraction(round(measured)), measured.limit_denominator(1001)]
    return [rate for rate in candidates if rate]


def _fits(seconds: Sequence[float], rate: Fraction) -> bool:
    frame = float(1 / rate)
    offsets = [second - number * frame for number, second in enumerate(seconds)]
    return max(offsets) - min(offsets) <= frame / 2


def _usual_rate(times: Sequence[Fraction]) -> Fraction | None:
    """Return the rate of most gaps between frames; None if they differ too much."""
    gaps = [after - before for before, after in pairwise(times)]
    usual = median(gaps) if gaps else Fraction(0)
    alike = [gap for gap in gaps if abs(gap - usual) <= usual / 4]
    return len(alike) / sum(alike, Fraction(0)) if usual and len(alike) > len(gaps) / 2 else None

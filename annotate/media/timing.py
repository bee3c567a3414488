"""When frames are shown: times from the stamps of a file, and frame rates from times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from statistics import median, median_low

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
# Seconds that the times of a constant rate differ by: rounded to milliseconds, or by a camera.
JITTER = 0.005
DEFAULT_RATE = Fraction(25)
# A clock that goes back, or forward in a container whose clock may jump, by more has restarted.
BACK, AHEAD = Fraction(1, 5), Fraction(10)

# The presentation and the decoding stamp of a frame, in ticks.
Stamps = tuple[int | None, int | None]


@dataclass(frozen=True)
class Clock:
    """`times` are the seconds of each frame after the first one, which is at `start` in the clock
    of the file; no time is before the previous one. `moves`: what to add to the seconds of the
    file's clock, at first 0, and after each restart.
    """

    start: Fraction
    times: list[Fraction]
    moves: list[Fraction]


def read_clock(
    stamps: Sequence[Stamps], tick: Fraction, declared: Fraction | None, *, may_jump: bool
) -> Clock:
    """Return the times of frames, which come in the order in which they are shown.

    As FFmpeg does, the decoding stamps count where the others run backwards more often. A missing
    stamp follows the previous one by the usual gap, and so does the first one after a restart.
    """
    column = min(zip(*stamps, strict=True), key=_count_faults)
    gaps = [b - a for a, b in pairwise(column) if a is not None and b is not None and b > a]
    usual = median_low(gaps) * tick if gaps else 1 / (declared or DEFAULT_RATE)
    # The first frames may have no stamp, either.
    place, stamp = next(((n, stamp) for n, stamp in enumerate(column) if stamp is not None), (0, 0))
    moves, times = [Fraction(0)], [stamp * tick - place * usual]
    for stamp in column[1:]:
        last = times[-1]
        time = last + usual if stamp is None else stamp * tick + moves[-1]
        if has_restarted(time, last, may_jump=may_jump):
            moves.append(moves[-1] + last + usual - time)
            time = last + usual
        times.append(max(time, last))
    return Clock(times[0], [time - times[0] for time in times], moves)


def has_restarted(time: Fraction, last: Fraction, *, may_jump: bool) -> bool:
    """Return whether a clock was set between two times in seconds."""
    return time < last - BACK or (may_jump and time > last + AHEAD)


def _count_faults(column: Sequence[int | None]) -> int:
    return sum(a is None or b is None or b <= a for a, b in pairwise((-(10**18), *column)))


def find_constant_rate(times: Sequence[Fraction], declared: Fraction | None) -> Fraction | None:
    """Return the frame rate whose regular grid every frame time matches within JITTER.

    `times` are seconds in order, from 0. Return None if the frame rate varies.
    """
    seconds = [float(time) for time in times]
    return next((rate for rate in _candidates(seconds, declared) if _fits(seconds, rate)), None)


def playback_rate(times: Sequence[Fraction], average: Fraction) -> Fraction:
    """Return the constant rate to which a variable-frame-rate video is resampled.

    If a camera drops frames, it is the rate at which the camera takes them, so that none is lost.
    """
    rate = _usual_rate(times)
    usual = rate and nearest_common_rate(rate, CONSTANT_TOLERANCE)
    near = nearest_common_rate(average, VARIABLE_TOLERANCE)
    return usual or near or max(Fraction(round(average * 10), 10), Fraction(1))


def place_frames(times: Sequence[Fraction], rate: Fraction) -> list[int]:
    """Return the number of the frame at the constant `rate` that begins to show each frame.

    It is the nearest, as FFmpeg's filter `fps` has it: where two have the same, the later is shown.
    """
    half = Fraction(1, 2)
    return [int(time * rate + half) for time in times]


def nearest_common_rate(rate: Fraction, tolerance: float) -> Fraction | None:
    """Return the closest of COMMON_RATES, or None if it isn't within the relative tolerance."""
    nearest = min(COMMON_RATES, key=lambda common: abs(common - rate))
    return nearest if abs(nearest - rate) <= tolerance * nearest else None


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
    return max(offsets) - min(offsets) <= min(frame / 2, JITTER)


def _usual_rate(times: Sequence[Fraction]) -> Fraction | None:
    """Return the rate of most gaps between frames; None if they differ too much."""
    gaps = [after - before for before, after in pairwise(times)]
    usual = median(gaps) if gaps else Fraction(0)
    alike = [gap for gap in gaps if abs(gap - usual) <= usual / 4]
    return len(alike) / sum(alike, Fraction(0)) if usual and len(alike) > len(gaps) / 2 else None

"""Saying plainly when numbers rest on too few clips to mean much."""

from __future__ import annotations

from collections.abc import Sequence

FEW = 10


def few_clips(counts: Sequence[int]) -> str:
    """A warning where any number rests on fewer than FEW clips: a resample of so few is little but
    their lowest and highest. Nothing where a number rests on none: it is undefined and says why."""
    few = sorted({count for count in counts if 0 < count < FEW})
    if not few:
        return ""
    clips = f"{few[0]} clip{'' if few[0] == 1 else 's'}"
    said = "intervals" if few[-1] > 1 else "numbers"
    if set(counts) - {0} == {few[0]}:
        return f"Only {clips}: the {said} say little."
    return f"Some numbers rest on {clips} only: below {FEW} clips the {said} say little."

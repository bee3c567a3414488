"""Why a study has too few captions to draw from, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass

from metrics.threshold import MIN_CAPTIONS
from review.threshold.queries import Stock


@dataclass(frozen=True)
class Shortage:
    """`scored` of the current machine captions have a score by this scorer; its studies keep
    `drawn` of these.
    """

    stock: Stock
    scored: int
    drawn: int

    @property
    def drawable(self) -> int:
        return self.scored - self.drawn

    @property
    def least(self) -> int:
        return MIN_CAPTIONS

    @property
    def unscored(self) -> int:
        return self.stock.machine - self.scored

    @property
    def uncaptioned(self) -> int:
        return self.stock.clips - self.stock.captioned

    @property
    def by_people(self) -> int:
        return self.stock.captioned - self.stock.machine

    @property
    def needs_clips(self) -> bool:
        """Return whether the project has too few clips, even if all were captioned and scored."""
        return self.drawable + self.unscored + self.uncaptioned < MIN_CAPTIONS

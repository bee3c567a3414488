"""Why too few captions can be drawn for a study, and what helps."""

from __future__ import annotations

from dataclasses import dataclass

from metrics.threshold import LEAST_CAPTIONS
from review.threshold.queries import Stock


@dataclass(frozen=True)
class Shortage:
    """Of the project's current machine captions `scored` have a score by this scorer; `drawn` of
    these are kept by its studies."""

    stock: Stock
    scored: int
    drawn: int

    @property
    def drawable(self) -> int:
        return self.scored - self.drawn

    @property
    def least(self) -> int:
        return LEAST_CAPTIONS

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
        """Whether all clips together are too few, however they are captioned and scored."""
        return self.drawable + self.unscored + self.uncaptioned < LEAST_CAPTIONS

"""How often people identify a clip by a text alone, from their picks (CaReBench, section 3.2.2 and
appendix G).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from metrics.intervals import wilson_interval
from review.reports.few import FEW


class Pick(NamedTuple):
    """The newest pick of a task, among so many `options`."""

    text: int
    caption: int
    caption_kind: str
    category: str
    subcategory: str
    clip: int
    picked: int
    options: int

    @property
    def is_right(self) -> bool:
        return self.clip == self.picked


MAX_PAIRS = 50


@dataclass(frozen=True)
class Share:
    """`right` of `picks` are of the text's own clip. `guessed`: the picks that guessing would get
    right, on average."""

    kind: str
    category: str
    right: int
    picks: int
    guessed: float

    @property
    def percent(self) -> float | None:
        return 100 * self.right / self.picks if self.picks else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Return Wilson's 95 % interval over picks, in percent; None for fewer than FEW picks."""
        if self.picks < FEW:
            return None
        bounds = wilson_interval(self.right, self.picks)
        return bounds and (100 * bounds[0], 100 * bounds[1])

    @property
    def chance(self) -> float | None:
        """Return the share that guessing would get right, in percent."""
        return 100 * self.guessed / self.picks if self.picks else None


@dataclass(frozen=True)
class Confused:
    """Texts of `clip` for which people picked `picked`, so many `times`."""

    kind: str
    clip: int
    picked: int
    clip_name: str
    picked_name: str
    times: int


@dataclass(frozen=True)
class Identification:
    """`texts`: those of the test. `answered`: those with a pick. `confused`: the most frequent
    pairs first, at most MAX_PAIRS of `confused_pairs`."""

    test: int
    texts: int
    answered: int
    kinds: Sequence[Share]
    categories: Sequence[Share]
    confused: Sequence[Confused]
    confused_pairs: int


def count_picks(
    test: int, texts: int, picks: Sequence[Pick], names: Mapping[int, str]
) -> Identification:
    """Return the result of a test with so many texts. `names`: of the clips."""
    pairs = Counter((p.caption_kind, p.clip, p.picked) for p in picks if not p.is_right)
    ranked = sorted(pairs.items(), key=lambda pair: (-pair[1], pair[0]))
    return Identification(
        test=test,
        texts=texts,
        answered=len({pick.text for pick in picks}),
        kinds=shares_of(picks),
        categories=shares_of(picks, by_category=True),
        confused=[
            Confused(kind, clip, picked, names[clip], names[picked], times)
            for (kind, clip, picked), times in ranked[:MAX_PAIRS]
        ],
        confused_pairs=len(ranked),
    )


def shares_of(picks: Iterable[Pick], *, by_category: bool = False) -> list[Share]:
    """Return a share for each kind of text, or for each category and kind."""
    groups: dict[tuple[str, str], list[Pick]] = defaultdict(list)
    for pick in picks:
        groups[pick.category if by_category else "", pick.caption_kind].append(pick)
    return [
        Share(
            kind=kind,
            category=category,
            right=sum(pick.is_right for pick in group),
            picks=len(group),
            guessed=sum(1 / pick.options for pick in group),
        )
        for (category, kind), group in sorted(groups.items())
    ]

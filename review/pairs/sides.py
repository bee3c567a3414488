"""Two labels side by side: the words in which they differ, and clips that show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from annotate.models import ActionLabel, Clip
from annotate.text.diff import DiffSpan, word_diff
from review.pairs.models import LabelPair
from review.pairs.services import examples_of

EXAMPLES = 3


@dataclass(frozen=True)
class Side:
    """`words` make up the caption; those that the other label lacks are no \"equal\" ones."""

    label: ActionLabel
    words: Sequence[DiffSpan]
    clips: Sequence[Clip] = field(default=())

    @property
    def names_event(self) -> bool:
        """Whether the event is known and isn't in the caption."""
        return bool(self.label.event) and self.label.action == self.label.caption


def compared(first: ActionLabel, second: ActionLabel) -> tuple[Side, Side]:
    spans = word_diff(first.caption, second.caption)
    return (
        Side(first, [span for span in spans if span.op != "insert"]),
        Side(second, [span for span in spans if span.op != "delete"]),
    )


def sides_of(pair: LabelPair, source: ActionLabel | None = None) -> list[Side]:
    """Return the pair's labels with example clips of each; that of `source` first, if given."""
    sides = [
        Side(side.label, side.words, clips)
        for side, clips in zip(
            compared(pair.first, pair.second), examples_of(pair, EXAMPLES), strict=True
        )
    ]
    return sides[::-1] if source == pair.second else sides

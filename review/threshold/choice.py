"""Count what a threshold keeps and sends back. A value is a whole number of thousandths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from metrics.threshold import consequences


@dataclass(frozen=True)
class Choice:
    """A `value`, and the number of current machine captions `kept` and sent `back` by it. Of the
    sample, the number kept and flagged, missed (kept with an error) and false alarms (flagged
    without an error).
    """

    value: float
    kept: int
    back: int
    sample_kept: int
    flagged: int
    missed: int
    false_alarms: int

    @property
    def captions(self) -> int:
        return self.kept + self.back

    @property
    def sampled(self) -> int:
        return self.sample_kept + self.flagged

    @property
    def text(self) -> str:
        return f"{self.value:g}"

    @property
    def words(self) -> str:
        """Return a screen reader's text for the slider at this value."""
        return f"{self.text}: {self.kept} kept, {self.back} sent back"


@dataclass(frozen=True)
class Trial:
    """A value of a scorer that an admin tries. `current` is the adopted threshold, if any. Without
    a `choice`, `errors` say what is wrong with the value.
    """

    scorer: str
    name: str
    is_estimated: bool
    current: float | None
    choice: Choice | None
    errors: Sequence[str]

    @property
    def short(self) -> str:
        return self.scorer[:8]

    @property
    def is_current(self) -> bool:
        return self.choice is not None and self.choice.value == self.current


def choose(
    value: float, *, captions: int, back: int, sample: Sequence[tuple[float, float]]
) -> Choice:
    """Return the counts at `value`. Of `captions` current machine captions, `back` have a lower
    score; `sample` has the (score, mean errors) of each caption that people have judged.
    """
    judged = consequences([score for score, _ in sample], [mean for _, mean in sample], value)
    return Choice(
        value=value,
        kept=captions - back,
        back=back,
        sample_kept=judged.kept,
        flagged=judged.flagged,
        missed=judged.missed,
        false_alarms=judged.false_alarms,
    )

"""The inputs of the reports on reliability as plain rows, and their results.

Raters are texts such as user:12; models are the keys of systems as texts, and sentences have
"system:12", as in `review.leaderboard.computing`.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from metrics.agreement import Label
from metrics.reliability import Reliability, ShareIntervals
from metrics.reliability.crowd_strength import Quality
from review.leaderboard.computing import Fitted


class KnownRow(NamedTuple):
    """A person's answers with a known right answer: gold, whose right answers can be fractions, and
    spot checks, all of them and those that have ended."""

    rater: str
    gold_right: float
    gold: int
    checks_right: int
    checks: int
    ended_right: int
    ended: int


@dataclass(frozen=True)
class Task:
    """People's answers in a kind of work. `labels`: including a person's repeats. `tolerance`: how
    many steps from the right label still count as right. `has_consensus`: whether its labels depend
    on the unit, not on people's taste."""

    categories: Sequence[Hashable]
    labels: Sequence[Label] = ()
    ordered: bool = False
    tolerance: int = 0
    has_letters: bool = False
    has_consensus: bool = True


@dataclass(frozen=True)
class PersonReliability:
    """`own`: without gold and checks that have not ended, which the person may not see."""

    rater: str
    gold_right: float
    gold: int
    checks_right: int
    checks: int
    estimate: Reliability
    own: Reliability


@dataclass(frozen=True)
class Agreed:
    """Percent agreement and alpha, each None with the `reason`. `low` and `high`: alpha's interval,
    of everybody alone."""

    equal: float | None
    alpha: float | None
    reason: str
    n_units: int
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class AgreedWithout:
    rater: str
    agreed: Agreed


@dataclass(frozen=True)
class AgreementBeside:
    """Agreement of everybody; alpha with labels weighted by people's reliability beyond chance; and
    without each person. `left_out_reason`: why nobody was left out, if so."""

    level: str
    everybody: Agreed
    weighted: float | None
    weighted_reason: str
    without: Sequence[AgreedWithout]
    left_out_reason: str
    weighted_low: float | None = None
    weighted_high: float | None = None


@dataclass(frozen=True)
class RightRate:
    """How often a person gives each label when it is right, in the order of the labels."""

    rater: str
    rates: Sequence[float]


@dataclass(frozen=True)
class MajorityWithout:
    """The share of units with each label by majority of the others, of units that they judged."""

    rater: str
    shares: Sequence[float]


@dataclass(frozen=True)
class Consensus:
    """The share of units with each label by majority and by Dawid and Skene. `n_compared`: units
    judged by several people; of these `n_changed` have another label by Dawid and Skene, or get one
    although the majority is tied. Empty with a `reason`. `intervals`: of both shares, over
    resamples of the units."""

    question: str
    labels: Sequence[Hashable]
    majority: Sequence[float]
    shares: Sequence[float]
    n_units: int
    n_compared: int
    n_changed: int
    people: Sequence[RightRate]
    without: Sequence[MajorityWithout]
    reason: str
    intervals: ShareIntervals


@dataclass(frozen=True)
class KindParameters:
    """`known`: the number of answers with a known right one. `imagined`: the answers that are added
    to those of each person, as right and wrong. `consensus`: how one label is made of several."""

    kind: str
    people: int
    known: int
    model: str
    imagined: str
    tolerance: int
    consensus: str
    bootstrap: int


@dataclass(frozen=True)
class KindReliability:
    """A kind of work."""

    people: Sequence[PersonReliability]
    n_units: int
    n_answers: int
    tolerance: int
    imagined: tuple[float, float]
    agreement: AgreementBeside | None
    consensus: Sequence[Consensus]


@dataclass(frozen=True)
class RatedWithout:
    rater: str
    votes: int
    rated: Fitted


@dataclass(frozen=True)
class RoundParameters:
    """`imagined`: the votes that are added to those of each person, as for and against."""

    round: int
    reviewers: int
    clips: int
    both_bad: str
    model: str
    imagined: str
    interval: str


@dataclass(frozen=True)
class RoundReliability:
    """A round: with the quality of people, and without each person."""

    crowd: Fitted
    people: Sequence[Quality]
    has_converged: bool
    everybody: Fitted
    without: Sequence[RatedWithout]


@dataclass(frozen=True)
class Figures:
    """Named numbers, None where undefined, from `n` items."""

    values: Mapping[str, float | None]
    n: int


@dataclass(frozen=True)
class FiguresWithout:
    rater: str
    figures: Figures


@dataclass(frozen=True)
class StudyParameters:
    """A study of ratings."""

    study: int
    raters: int
    captions: int


@dataclass(frozen=True)
class ScorerParameters:
    """The study of a threshold. `scorer`: the beginning of its hash."""

    scorer: str
    raters: int
    captions: int


@dataclass(frozen=True)
class StudyReliability:
    """A study of ratings or of a threshold: everybody, and without each person."""

    everybody: Figures
    without: Sequence[FiguresWithout]


class Counted(NamedTuple):
    """The errors that a person found in a caption with this score, by each counting."""

    rater: str
    caption: int
    score: float
    per_type: int
    per_sentence: int


class StudyRating(NamedTuple):
    rater: str
    caption: int
    value: int

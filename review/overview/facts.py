"""The board's counts of a project, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Noun = tuple[str, str]


@dataclass(frozen=True)
class WorkFacts:
    """One kind of people's work. `open`, `waiting` and `done` count items by state. `held`: items
    that a person holds or should continue. `places`: how many people are still needed, including
    those who hold an item. `stranded`: skipped items that nobody else can take. `able`: members who
    can do the work, by one of `roles`; an item needs `needed` people. `barred`: how many of them at
    least did an earlier step of each item, and so can't do this one.
    """

    open: int = 0
    waiting: int = 0
    done: int = 0
    held: int = 0
    places: int = 0
    stranded: int = 0
    able: int = 0
    roles: str = ""
    needed: int = 1
    barred: int = 0

    @property
    def all(self) -> int:
        return self.open + self.waiting + self.done


@dataclass(frozen=True)
class RunFacts:
    """A run that the protocol needs, with the newest run of its kind: its number, its `state` and
    `reason`, its `unfinished` and `failed` items. `silence`: since when no worker responds to an
    active run. `waits_for`: what must come first. Of `done`, `outdated` are out of date; `left_out`
    are left out at this step. `notes`: what to know.
    """

    key: str
    kind: str
    label: str
    total: int
    done: int
    noun: Noun
    query: Mapping[str, str] = field(default_factory=dict)
    is_optional: bool = False
    waits_for: str = ""
    left_out: int = 0
    outdated: int = 0
    notes: tuple[str, ...] = ()
    has_model: bool = True
    run: int | None = None
    is_active: bool = False
    is_failed: bool = False
    reason: str = ""
    unfinished: int = 0
    failed: int = 0
    silence: str = ""

    @property
    def left(self) -> int:
        return max(0, self.total - self.done - self.left_out)


@dataclass(frozen=True)
class Scores:
    """How captions of clips are scored: the scorer's name and its adopted threshold, if any."""

    name: str = ""
    threshold: float | None = None
    default: float = 0.2


@dataclass(frozen=True)
class Queries:
    """TF-CoVR's steps between people's work. `pairs` are compared pairs of labels. Of the
    `directions` of decided pairs, `without_text` have no text yet, and `accepted` an accepted one.
    `without_split`: labeled videos without a split. `triplets`: those of the newest set, whose
    `reason` says why it stopped. `jobs`: kind -> the newest job of it that is active.
    """

    labeled: int = 0
    without_split: int = 0
    pairs: int = 0
    directions: int = 0
    without_text: int = 0
    accepted: int = 0
    triplets: int = 0
    is_generating: bool = False
    reason: str = ""
    jobs: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Votes:
    """The newest round of comparisons, and the sets of model captions that can be compared.
    `counted`: votes on the leaderboard, once it has been computed.
    """

    sets: int = 0
    round: int | None = None
    votes: int = 0
    planned: int = 0
    is_open: bool = False
    counted: int | None = None


@dataclass(frozen=True)
class Imports:
    """Imported videos, those left out of the benchmark included, and files by state: `stopped`
    uploads got no byte for a while."""

    videos: int = 0
    running: int = 0
    failed: int = 0
    stopped: int = 0
    dismissed: int = 0


@dataclass(frozen=True)
class Facts:
    """`videos` and `clips` of the benchmark. `small`: clips that are too short or too small for the
    project, and `why_small`; `published`: complete ones with the captions of a published data set.
    `undecided`: videos about which people disagree whether they are dynamic. `complete`: what the
    next release would freeze. `unsigned`: complete clips that wait for `sign_offs`. `released`:
    what the newest one froze. `unlicensed`: videos of the benchmark without a stated license.
    """

    protocol: str
    videos: int
    clips: int
    imports: Imports
    unlicensed: int
    has_license: bool
    work: Mapping[str, WorkFacts]
    runs: tuple[RunFacts, ...]
    complete: int
    released: int
    release: str
    votes: Votes
    scores: Scores = Scores()
    queries: Queries = Queries()
    small: int = 0
    why_small: str = ""
    published: int = 0
    undecided: int = 0
    sign_offs: int = 0
    unsigned: int = 0


@dataclass(frozen=True)
class Money:
    """What people's work costs, in minor units of `currency`. `paid`: kind of work -> the sum of
    its ledger entries, corrections under "". `rates`: kind -> today's rate per submission and per
    hour. `times`: kind -> (submissions with active time, their seconds, the sum of the squared
    seconds).
    """

    currency: str
    paid: Mapping[str, int] = field(default_factory=dict)
    rates: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    times: Mapping[str, tuple[int, int, int]] = field(default_factory=dict)


@dataclass(frozen=True)
class Pace:
    """Finished work so far. `per_day`: submissions of each kind of work on each of the last
    complete days, oldest first. `people`: kind of work -> (active seconds, submissions). `models`:
    kind of run -> (seconds of a device, results with a time). `money`: of a project that pays.
    """

    per_day: Mapping[str, list[int]] = field(default_factory=dict)
    people: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    models: Mapping[str, tuple[float, int]] = field(default_factory=dict)
    money: Money | None = None

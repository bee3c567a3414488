"""A gate: one check before a release is built."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from annotate.models import Project
from review.releases.models import Level

LISTED = 5


class Named(NamedTuple):
    """A thing named in a finding; `clip`, `video` or `report` is the key of its page, if it has
    one."""

    name: str
    clip: int | None = None
    video: int | None = None
    report: int | None = None


class Page(NamedTuple):
    """Where a finding is fixed: the name of an address of the project and its text; `report` is the
    key of a page of reports."""

    address: str
    text: str
    report: str = ""


@dataclass(frozen=True)
class Limit:
    """A number that an admin can set for a gate, from `low` to `high`; the form says `label`."""

    label: str
    low: float
    high: float
    default: float
    step: float = 1


@dataclass(frozen=True)
class Gate:
    """One check of what a release would freeze.

    `find` gets the content of the protocol (`Clips` or `Scenes`) and the limit, and returns the
    problems by name; its number of statements doesn't depend on the size. `wrong` describes the
    problem, `fix` what to do; the page names the first `listed` things. `level` is the default.
    With `fixed`, the level can't be set on the page: `fixed` returns it from the project.
    """

    name: str
    title: str
    wrong: str
    fix: str
    find: Callable[[Any, float], Sequence[Named]]
    level: Level = Level.WARN
    limit: Limit | None = None
    page: Page | None = None
    fixed: Callable[[Project], Level] | None = None
    listed: int = LISTED


@dataclass(frozen=True)
class GateState:
    """A gate as set in a project: its level and, if it has one, its limit."""

    gate: Gate
    level: Level
    limit: float


@dataclass(frozen=True)
class Finding:
    """A gate's finding; `names` is empty if nothing is wrong. `total`: the number of things, if
    `names` has only the first ones."""

    state: GateState
    names: Sequence[Named]
    total: int | None = None

    @property
    def count(self) -> int:
        return len(self.names) if self.total is None else self.total

    @property
    def gate(self) -> Gate:
        return self.state.gate

    @property
    def blocks(self) -> bool:
        return bool(self.names) and self.state.level == Level.BLOCK

    @property
    def warns(self) -> bool:
        return bool(self.names) and self.state.level == Level.WARN

    @property
    def wrong(self) -> str:
        """Return the description of the problem, with the limit filled in."""
        return self.gate.wrong.format(limit=f"{self.state.limit:g}")

    @property
    def listed(self) -> Sequence[Named]:
        return self.names[: self.gate.listed]

    @property
    def unlisted(self) -> int:
        return max(0, self.count - self.gate.listed)

    @property
    def sentence(self) -> str:
        # Names of queries contain commas.
        names = "; ".join(named.name for named in self.listed)
        more = f" and {self.unlisted:,} more" if self.unlisted else ""
        return f"{self.wrong}: {names}{more}. {self.gate.fix}"


def always(level: Level) -> Callable[[Project], Level]:
    return lambda project: level

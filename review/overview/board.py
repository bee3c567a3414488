"""What a step is built from: the counts, the protocol, and the steps before it. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from annotate.protocols import Protocol
from annotate.protocols import protocol as data
from review.overview.facts import Facts
from review.overview.steps import CLIPS, Step, people_step, run_step


@dataclass(frozen=True)
class Board:
    """`steps`: those built so far, by key."""

    facts: Facts
    protocol: Protocol
    steps: dict[str, Step] = field(default_factory=dict)

    def run(self, key: str) -> Step:
        """Return the step of a kind of run as it is counted."""
        return run_step(next(run for run in self.facts.runs if run.key == key))

    def work_on_each_clip(self, plan: data.Step, title: str) -> Step:
        """Return the step of a kind of work that every clip passes, after the one before it."""
        facts = self.facts
        clips = facts.clips - facts.small - facts.published
        after = plan.needs[-1] if plan.needs[-1] in facts.work else ""
        return people_step(facts, plan.key, title, CLIPS, of=clips, after=after)


Build = Callable[[Board], Step]

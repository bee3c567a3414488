"""The changes of the next release."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Difference:
    """The names that the next release adds, removes or changes: files, or queries with their
    labels, clips and texts."""

    added: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)


def compare(now: Mapping[str, object], before: Mapping[str, object]) -> Difference:
    """Compare contents by name."""
    return Difference(
        added=sorted(name for name in now if name not in before),
        removed=sorted(name for name in before if name not in now),
        changed=sorted(name for name in now if name in before and now[name] != before[name]),
    )

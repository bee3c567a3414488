"""A finding about the next release."""

from __future__ import annotations

from dataclasses import dataclass

NAMED = 5
NO_LICENCE = {"", "unknown"}


@dataclass(frozen=True)
class Check:
    """A finding about the next release; `blocks` says that nothing can be built before its mend."""

    message: str
    names: tuple[str, ...] = ()
    blocks: bool = False

    @property
    def sentence(self) -> str:
        if not self.names:
            return self.message
        more = len(self.names) - NAMED
        listed = ", ".join(self.names[:NAMED]) + (f" and {more} more" if more > 0 else "")
        return f"{self.message}: {listed}."

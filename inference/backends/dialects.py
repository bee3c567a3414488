"""Which parameters a server takes for a model: its dialect, learned from what it refuses.

GPT-5 and the o-series refuse `max_tokens` and `temperature`, Gemini's compatible endpoint `seed`,
Claude 4 `temperature` beside `top_p`. The refusal names the parameter, which is then left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from threading import Lock
from typing import Protocol

from inference.backends.reply_formats import FORMATS, REFUSING, ReplyFormat

LIMITS = ("max_tokens", "max_completion_tokens")
# Of several that a refusal names, the first is left out.
OPTIONAL = ("repetition_penalty", "seed", "top_p", "temperature")
# Words in a refusal of a parameter as such. A refusal of its value, such as a limit that is too
# large for the model, has none of them.
_REFUSES = re.compile(
    r"unsupported|not (?:be )?(?:supported|permitted|allowed|accepted)|doesn.t (?:support|accept)"
    r"|does not (?:support|accept|exist)|unknown|unrecognized|unexpected|extra (?:inputs|fields)"
    r"|extra_forbidden|cannot both|can't both|only one of|use only one|deprecated|cannot find field"
    r"|not (?:a )?valid (?:parameter|argument)|invalid (?:parameter|argument)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Dialect:
    """`limit`: the name of the parameter for max tokens. `left_out`: parameters that are never
    sent, in alphabetical order. `reply_format`: the strictest format of a JSON reply that was
    accepted, None before one was.
    """

    limit: str = LIMITS[0]
    left_out: tuple[str, ...] = ()
    reply_format: ReplyFormat | None = None

    def without(self, names: Iterable[str]) -> Dialect:
        return replace(self, left_out=tuple(sorted({*self.left_out, *names})))

    def after_refusal(self, status: int, body: object) -> Dialect | None:
        """Return the dialect to try after the server refused a request in this one; None if the
        refusal is about something else.
        """
        reason = json.dumps(body, default=str)
        if status not in REFUSING or not _REFUSES.search(reason):
            return None
        if _names(reason, self.limit):
            other = LIMITS[1 - LIMITS.index(self.limit)]
            # A server that takes neither would be asked for ever.
            return replace(self, limit=other) if other == LIMITS[1] else None
        for name in OPTIONAL:
            if name not in self.left_out and _names(reason, name):
                return self.without([name])
        return None


class DialectMemory(Protocol):
    """Remembers the dialect of a server for a model, until the entry is too old."""

    def recall(self) -> Dialect | None: ...

    def keep(self, dialect: Dialect) -> None: ...


class DialectSearch:
    """The dialect that the requests of one batch speak, learned by all of its threads.

    `left_out`: parameters that an admin has said are never sent.
    """

    def __init__(self, memory: DialectMemory, left_out: Iterable[str] = ()) -> None:
        self._memory = memory
        self._remembered = memory.recall()
        self._lock = Lock()
        self._is_accepted = False
        self.current = (self._remembered or Dialect()).without(left_out)

    def learn(self, used: Dialect, status: int, body: object) -> bool:
        """Return whether there is another dialect to try than the one that was refused."""
        with self._lock:
            if self.current != used:
                return True  # another thread has learned meanwhile
            learned = used.after_refusal(status, body)
            if learned is not None:
                self.current = learned
            return learned is not None

    def formats(self) -> list[ReplyFormat]:
        """Return the format that the server accepted last, then the others, strictest first."""
        first = self.current.reply_format
        likeliest = [first] if first else []
        return [*likeliest, *(other for other in FORMATS if other != first)]

    def accept(self, reply_format: ReplyFormat | None = None) -> None:
        """Note that the server answered, to a request for this format of JSON if one is given."""
        with self._lock:
            self._is_accepted = True
            if reply_format:
                self.current = replace(self.current, reply_format=reply_format)

    def keep(self) -> None:
        """Store what was learned. Call it only where the database may be used."""
        if self._is_accepted and self.current != (self._remembered or Dialect()):
            self._memory.keep(self.current)


def _names(reason: str, parameter: str) -> bool:
    return re.search(rf"(?<![A-Za-z_]){parameter}(?![A-Za-z_])", reason) is not None

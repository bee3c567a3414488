"""When to repeat a request that failed for a temporary reason."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import TypeVar

from inference.backends.protocols import BackendError

Answer = TypeVar("Answer")

FIRST_PAUSE = 1.0
LONGEST_PAUSE = 30.0
# The longest wait, even if a server asks for more, because a sleeping worker does nothing else.
LONGEST_WAIT_ASKED_FOR = 60.0


@dataclass(frozen=True)
class Retries:
    """`jitter` returns 0 to 1, `now` seconds since 1970; tests replace them and `sleep`."""

    tries: int
    sleep: Callable[[float], None] = time.sleep
    jitter: Callable[[], float] = random.random
    now: Callable[[], float] = time.time

    def until_final(
        self, attempt: Callable[[], tuple[Answer | BackendError, str]]
    ) -> Answer | BackendError:
        """Return the first answer or lasting error of the attempts, or the error of the last one.
        An attempt returns the answer or the error, and the reply's Retry-After.
        """
        failed = 0
        while True:
            answer, retry_after = attempt()
            failed += 1
            is_final = not isinstance(answer, BackendError) or not answer.transient
            if is_final or failed >= self.tries:
                return answer
            self.pause(failed, retry_after)

    def pause(self, failed: int, retry_after: str = "") -> None:
        """Sleep after attempt number `failed` (1 is the first).

        Waits 1, 2, 4 ... seconds minus a random part of at most half, so that requests which failed
        together don't return together. Never shorter than the Retry-After header `retry_after`, up
        to LONGEST_WAIT_ASKED_FOR.
        """
        asked_seconds = self._seconds(retry_after)
        if asked_seconds is None:
            self.sleep(
                min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (failed - 1)) * (1 - self.jitter() / 2)
            )
        else:
            self.sleep(min(LONGEST_WAIT_ASKED_FOR, asked_seconds) + self.jitter() * FIRST_PAUSE)

    def _seconds(self, retry_after: str) -> float | None:
        """Return seconds from now; None if the header can't be read."""
        if re.fullmatch(r"\s*[0-9]{1,9}(\.[0-9]{1,9})?\s*", retry_after):
            return float(retry_after)
        try:
            moment = parsedate_to_datetime(retry_after)
            # A date without a zone is in GMT: RFC 9110, section 5.6.7.
            moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
            return max(0.0, moment.timestamp() - self.now())
        except (ValueError, OverflowError):
            return None

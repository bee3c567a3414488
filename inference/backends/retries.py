"""When to repeat a request that failed for a temporary reason."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import TypeVar

from inference.backends.protocols import BackendError

Answer = TypeVar("Answer")

FIRST_PAUSE = 1.0
MAX_PAUSE = 30.0
# The longest wait, even if a server asks for more, because a sleeping worker does nothing else.
MAX_REQUESTED_WAIT = 60.0
NUMBER = re.compile(r"\s*([0-9]{1,9}(?:\.[0-9]{1,9})?)\s*")
# Such as 6m0s, 1.5s and 20ms, as OpenAI and Groq write how long a limit lasts.
DURATION = re.compile(r"\s*(?:[0-9]{1,9}(?:\.[0-9]{1,9})?(?:ms|[dhms])){1,5}\s*")
UNITS = {"d": 86_400.0, "h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
LIMITS = ("requests", "tokens")
NO_HEADERS: Mapping[str, str] = {}


@dataclass(frozen=True)
class Retries:
    """`jitter` returns 0 to 1, `now` seconds since 1970; tests replace them and `sleep`."""

    tries: int
    sleep: Callable[[float], None] = time.sleep
    jitter: Callable[[], float] = random.random
    now: Callable[[], float] = time.time

    def until_final(
        self, attempt: Callable[[], tuple[Answer | BackendError, Mapping[str, str]]]
    ) -> Answer | BackendError:
        """Return the first answer or lasting error of the attempts, or the error of the last one.
        An attempt returns the answer or the error, and the headers of a refusal.
        """
        failed = 0
        while True:
            answer, headers = attempt()
            failed += 1
            is_final = not isinstance(answer, BackendError) or not answer.transient
            if is_final or failed >= self.tries:
                return answer
            self.pause(failed, headers)

    def pause(self, failed: int, headers: Mapping[str, str] = NO_HEADERS) -> None:
        """Sleep after attempt number `failed` (1 is the first).

        Waits 1, 2, 4 ... seconds minus a random part of at most half, so that requests which failed
        together don't return together. Never shorter than the headers ask, up to
        MAX_REQUESTED_WAIT.
        """
        asked_seconds = self.seconds_asked(headers)
        if asked_seconds is None:
            self.sleep(min(MAX_PAUSE, FIRST_PAUSE * 2 ** (failed - 1)) * (1 - self.jitter() / 2))
        else:
            self.sleep(min(MAX_REQUESTED_WAIT, asked_seconds) + self.jitter() * FIRST_PAUSE)

    def seconds_asked(self, headers: Mapping[str, str]) -> float | None:
        """Return the seconds from now that the headers ask to wait; None if they don't.

        Retry-After in milliseconds, as OpenAI and Azure send it, is the most exact. A limit that is
        used up comes last, because it lasts longer than a single request may need.
        """
        if milliseconds := NUMBER.fullmatch(headers.get("retry-after-ms", "")):
            return float(milliseconds[1]) / 1000
        retry_after = self._until(headers.get("Retry-After", ""))
        if retry_after is not None:
            return retry_after
        resets = [
            _duration(headers.get(f"x-ratelimit-reset-{limit}", ""))
            for limit in LIMITS
            if headers.get(f"x-ratelimit-remaining-{limit}", "0").strip() == "0"
        ]
        return max((seconds for seconds in resets if seconds is not None), default=None)

    def _until(self, retry_after: str) -> float | None:
        if seconds := NUMBER.fullmatch(retry_after):
            return float(seconds[1])
        try:
            moment = parsedate_to_datetime(retry_after)
            # A date without a zone is in GMT: RFC 9110, section 5.6.7.
            moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
            return max(0.0, moment.timestamp() - self.now())
        except (ValueError, OverflowError):
            return None


def _duration(text: str) -> float | None:
    """Return the seconds of a duration with units, or of a plain number of seconds."""
    if seconds := NUMBER.fullmatch(text):
        return float(seconds[1])
    if not DURATION.fullmatch(text):
        return None
    return sum(
        float(number) * UNITS[unit] for number, unit in re.findall(r"([\d.]+)([a-z]+)", text)
    )

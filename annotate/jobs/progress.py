"""The progress of jobs: counted items, and a rate from recently finished ones, without guessing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from annotate.jobs.kinds import job_kind
from annotate.jobs.queries import ENDED, EndedItems, ended_since, item_counts
from annotate.jobs.services.queueing import abandoned_jobs
from annotate.models.jobs import AbstractJobItem, Job

State = AbstractJobItem.State
# The rate is that of this last period.
LATELY = timedelta(minutes=5)
# If no item ends for longer than this plus twice the slowest item, nobody is working.
PAUSE = timedelta(minutes=1)
# A message can take this long to reach a worker before its job counts as abandoned.
PATIENCE = timedelta(minutes=1)
UNKNOWN = "–"


@dataclass(frozen=True)
class Progress:
    """`counts` has every state. `rate` is items per minute, `left` seconds; both None without a
    basis, for example if nothing ends any more.

    `is_abandoned`: there is work, but no worker has worked on it for a while. `skipped` is the
    kind's word for an item that needed no work.
    """

    total: int
    counts: Mapping[str, int]
    elapsed: float = 0.0
    rate: float | None = None
    left: float | None = None
    has_worker: bool = False
    is_abandoned: bool = False
    skipped: str = "skipped"

    @property
    def ended(self) -> int:
        return sum(self.counts[state] for state in ENDED)

    @property
    def percent(self) -> int:
        """Return whole percents, 100 only when all items have ended, 0 before planning."""
        return 100 * self.ended // self.total if self.total else 0

    @property
    def in_progress(self) -> int:
        return sum(self.counts[state] for state in (State.UPLOADING, State.WAITING, State.RUNNING))

    @property
    def took(self) -> str:
        return duration(self.elapsed)

    @property
    def speed(self) -> str:
        """Return the rate in words, or a dash."""
        if self.rate is None:
            return UNKNOWN
        if self.rate < 1:
            return f"{60 * self.rate:.1f} an hour"
        return f"{self.rate:,.0f} a minute" if self.rate >= 10 else f"{self.rate:.1f} a minute"

    @property
    def time_left(self) -> str:
        """Return the time left in words, or a dash."""
        return UNKNOWN if self.left is None else f"about {duration(max(1, self.left))}"

    @property
    def announcement(self) -> str:
        """Return the text for screen readers, which changes only every ten percent."""
        if not self.in_progress:
            return f"Ended: {self.outcome}."
        tenths = self.percent // 10 * 10
        so_far = f"At least {tenths} % done" if tenths else "Less than 10 % done"
        return f"{so_far}, some failed." if self.counts[State.FAILED] else f"{so_far}."

    @property
    def outcome(self) -> str:
        """Return the outcome of the items, in words."""
        words = {
            State.DONE: "done",
            State.SKIPPED: self.skipped,
            State.FAILED: "failed",
            State.CANCELLED: "canceled",
        }
        counted = [
            f"{self.counts[state]:,} {word}" for state, word in words.items() if self.counts[state]
        ]
        return ", ".join(counted) or "there was nothing to do"


def duration(seconds: float) -> str:
    """Return a duration such as 4 s, 3 min, 2 h 5 min or 3 days, precise enough for waiting."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min"
    if whole < 48 * 3600:
        return f"{whole // 3600} h {whole % 3600 // 60:02} min"
    return f"{whole // (24 * 3600)} days"


def progress_of(jobs: Iterable[Job]) -> dict[int, Progress]:
    """Return the progress of each job by its key, in a constant number of queries."""
    jobs = list(jobs)
    now = timezone.now()
    active = [job for job in jobs if job.is_active]
    # An ended job keeps its counts: counting 40,000 items again would be slow.
    counts = {job.pk: job.counts for job in jobs if not job.is_active and job.counts}
    counts |= item_counts(job for job in jobs if job.pk not in counts)
    lately = ended_since(active, now - LATELY)
    abandoned = set(
        abandoned_jobs().filter(pk__in=[job.pk for job in active]).values_list("pk", flat=True)
    )
    return {
        job.pk: _progress(job, counts[job.pk], lately.get(job.pk, []), job.pk in abandoned, now)
        for job in jobs
    }


def _progress(
    job: Job,
    stored: Mapping[str, int],
    lately: Sequence[EndedItems],
    has_no_worker: bool,
    now: datetime,
) -> Progress:
    counts = dict.fromkeys(State.values, 0) | dict(stored)
    skipped = job_kind(job.kind).skipped
    elapsed = ((job.finished_at or now) - job.created_at).total_seconds()
    if not job.is_active:
        return Progress(job.total, counts, elapsed, skipped=skipped)
    left = counts[State.WAITING] + counts[State.RUNNING]
    has_work = bool(left) or not job.is_planned
    if has_no_worker and has_work and now - job.queued_at > PATIENCE:
        return Progress(job.total, counts, elapsed, is_abandoned=True, skipped=skipped)
    rate = _rate(lately, max(job.resumed_at, now - LATELY), now)
    return Progress(
        job.total,
        counts,
        elapsed,
        rate,
        60 * left / rate if rate else None,
        has_worker=not has_no_worker,
        skipped=skipped,
    )


def _rate(lately: Sequence[EndedItems], since: datetime, now: datetime) -> float | None:
    """Return items per minute since the last pause; None in a pause, and until an item ends after
    it.
    """
    if not lately:
        return None
    pause = max(PAUSE, 2 * timedelta(seconds=max(ended.seconds for ended in lately)))
    number, first = 0, now
    for ended in reversed(lately):
        if first - ended.at > pause:
            break
        number, first, at_first = number + ended.number, ended.at, ended.number
    else:
        if first - since <= pause:
            return 60 * number / (now - since).total_seconds() if now > since else None
    # The start of the first item is unknown, so the rate is that of the following items.
    if not number or number == at_first:
        return None
    return 60 * (number - at_first) / (now - first).total_seconds()

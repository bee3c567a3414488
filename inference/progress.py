"""How far runs are: counted items, a rate from what was finished lately, and never a guess."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from django.db.models import Count, Max, Sum
from django.db.models.functions import TruncSecond
from django.utils import timezone

from annotate.models import AuditEvent
from inference.models import InferenceRun, RunItem
from inference.queries import excluded_counts, item_counts
from inference.services.queueing import abandoned_runs

State = RunItem.State
RunState = InferenceRun.State
ENDED = (State.DONE, State.REUSED, State.FAILED)
OUTCOMES = (*ENDED, State.CANCELLED)
# The rate is that of this long ago until now.
LATELY = timedelta(minutes=5)
# Longer than this, and than twice what the slowest took, nothing ends only where nobody works.
PAUSE = timedelta(minutes=1)
# A message to a worker may take this long before a run counts as left alone.
PATIENCE = timedelta(minutes=1)
UNKNOWN = "—"


@dataclass(frozen=True)
class Progress:
    """`counts` has every state. `rate` is items a minute, `left` seconds; both None where there is
    nothing to tell by, as when nothing ends any more.

    `is_left_alone`: there is work, and no worker has been on it for a while. `excluded` are the
    videos that a segmentation left out, done as they are.
    """

    total: int
    counts: Mapping[str, int]
    elapsed: float = 0.0
    rate: float | None = None
    left: float | None = None
    has_worker: bool = False
    is_left_alone: bool = False
    excluded: int = 0

    @property
    def ended(self) -> int:
        return sum(self.counts[state] for state in ENDED)

    @property
    def percent(self) -> int:
        """Whole percents, 100 only when all of it has ended."""
        return 100 * self.ended // self.total if self.total else 100

    @property
    def is_all_excluded(self) -> bool:
        return 0 < self.excluded == self.total

    @property
    def in_hand(self) -> int:
        return self.counts[State.WAITING] + self.counts[State.RUNNING]

    @property
    def took(self) -> str:
        return duration(self.elapsed)

    @property
    def speed(self) -> str:
        """The rate in words, or a dash."""
        if self.rate is None:
            return UNKNOWN
        if self.rate < 1:
            return f"{60 * self.rate:.1f} an hour"
        return f"{self.rate:,.0f} a minute" if self.rate >= 10 else f"{self.rate:.1f} a minute"

    @property
    def time_left(self) -> str:
        """The time left in words, or a dash."""
        return UNKNOWN if self.left is None else f"about {duration(max(1, self.left))}"

    @property
    def announcement(self) -> str:
        """What a screen reader hears: a new sentence every tenth of the way, no more."""
        if not self.in_hand:
            return f"The run has ended: {self.outcome}."
        tenths = self.percent // 10 * 10
        so_far = f"At least {tenths} % done" if tenths else "Less than 10 % done"
        return f"{so_far}, some failed." if self.counts[State.FAILED] else f"{so_far}."

    @property
    def outcome(self) -> str:
        """What has become of the items, in words."""
        counted = [
            f"{self.counts[state]:,} {state.value}" for state in OUTCOMES if self.counts[state]
        ]
        return ", ".join(counted) or "there was nothing to do"


@dataclass(frozen=True)
class _Ended:
    """`number` of items that ended `at` a second, with the `seconds` of work on all of them: a
    batch ends at once."""

    at: datetime
    number: int
    seconds: float


def duration(seconds: float) -> str:
    """4 s, 3 min, 2 h 5 min, 3 days: as exact as anybody needs who waits."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min"
    if whole < 48 * 3600:
        return f"{whole // 3600} h {whole % 3600 // 60} min"
    return f"{whole // (24 * 3600)} days"


def progress_of(runs: Iterable[InferenceRun]) -> dict[int, Progress]:
    """The progress of each run by its key, with as many queries for many runs as for one."""
    runs = list(runs)
    now = timezone.now()
    counts = {key: dict.fromkeys(State.values, 0) | n for key, n in item_counts(runs).items()}
    going = [run for run in runs if run.state == RunState.RUNNING]
    began = _began(going)
    lately = _ended_lately(going, now)
    abandoned = set(_abandoned(going))
    excluded = excluded_counts(run for run in runs if run.state == RunState.FINISHED)
    return {
        run.pk: replace(
            _progress(
                run,
                counts[run.pk],
                began.get(run.pk),
                lately.get(run.pk, []),
                run.pk in abandoned,
                now,
            ),
            excluded=excluded.get(run.pk, 0),
        )
        for run in runs
    }


def _progress(
    run: InferenceRun,
    counts: Mapping[str, int],
    began: datetime | None,
    lately: list[_Ended],
    is_abandoned: bool,
    now: datetime,
) -> Progress:
    elapsed = ((run.finished_at or now) - run.created_at).total_seconds()
    if run.state != RunState.RUNNING:
        return Progress(run.total, counts, elapsed)
    in_hand = counts[State.WAITING] + counts[State.RUNNING]
    is_left_alone = is_abandoned and bool(in_hand) and now - run.queued_at > PATIENCE
    if is_left_alone:
        return Progress(run.total, counts, elapsed, is_left_alone=True)
    rate = _rate(lately, max(began or run.created_at, now - LATELY), now)
    return Progress(
        run.total,
        counts,
        elapsed,
        rate,
        60 * in_hand / rate if rate else None,
        has_worker=not is_abandoned,
    )


def _began(runs: list[InferenceRun]) -> dict[int, datetime]:
    """When somebody last started or retried each run: before that nothing was to be done."""
    events = AuditEvent.objects.filter(
        object_type="inferencerun",
        object_id__in=[run.pk for run in runs],
        verb__in=["start run", "retry run"],
    )
    return dict(events.order_by().values_list("object_id").annotate(last=Max("at")))


def _rate(lately: list[_Ended], since: datetime, now: datetime) -> float | None:
    """Items a minute since the last pause; None in a pause, and until something ends after it."""
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
    # When the work on the first began is not known, so the rate is that of those after it.
    if not number or number == at_first:
        return None
    return 60 * (number - at_first) / (now - first).total_seconds()


def _ended_lately(runs: list[InferenceRun], now: datetime) -> dict[int, list[_Ended]]:
    """What ended in each second in which something did, oldest first."""
    ended = RunItem.objects.filter(
        run__in=[run.pk for run in runs],
        state__in=[State.DONE, State.FAILED],
        finished_at__gt=now - LATELY,
    )
    rows = (
        ended.order_by()
        .values_list("run", TruncSecond("finished_at", tzinfo=UTC))
        .annotate(n=Count("pk"), took=Sum("seconds"))
    )
    found: dict[int, list[_Ended]] = {}
    for run, at, number, took in sorted(rows, key=lambda row: row[1]):
        found.setdefault(run, []).append(_Ended(at, number, took or 0.0))
    return found


def _abandoned(runs: list[InferenceRun]) -> Iterable[int]:
    return abandoned_runs().filter(pk__in=[run.pk for run in runs]).values_list("pk", flat=True)

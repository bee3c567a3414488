"""Queries about jobs: items by state, failures by reason, and recently ended items."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from django.db.models import Count, Max, QuerySet, Sum
from django.db.models.functions import TruncSecond

from annotate.jobs.kinds import job_kind
from annotate.models.jobs import AbstractJobItem, Job

State = AbstractJobItem.State
ENDED = (State.DONE, State.SKIPPED, State.FAILED)


@dataclass(frozen=True)
class EndedItems:
    """`number` of items that ended in the same second (`at`), as those of a batch do, and the
    `seconds` of work on all of them."""

    at: datetime
    number: int
    seconds: float


@dataclass(frozen=True)
class FailureGroup:
    """`count` items failed with this code; `reason` is the most frequent one, `others` the number
    of other reasons. `may_retry`: a retry may help.
    """

    code: str
    reason: str
    count: int
    others: int
    may_retry: bool


def item_counts(jobs: Iterable[Job]) -> dict[int, dict[str, int]]:
    """Count the items of each job by state; one query per table of items."""
    counts: dict[int, dict[str, int]] = {}
    for table, owner, ids in _by_table(jobs):
        counts |= {key: dict.fromkeys(State.values, 0) for key in ids}
        rows = table.filter(**{f"{owner}__in": ids}).order_by().values_list(owner, "state")
        for key, state, number in rows.annotate(n=Count("pk")):
            counts[key][state] = number
    return counts


def ended_since(jobs: Iterable[Job], since: datetime) -> dict[int, list[EndedItems]]:
    """Return each job's items that ended in each second since then, oldest first."""
    ended: defaultdict[int, list[EndedItems]] = defaultdict(list)
    for table, owner, ids in _by_table(jobs):
        items = table.filter(
            **{f"{owner}__in": ids}, state__in=[State.DONE, State.FAILED], finished_at__gt=since
        )
        seconds = TruncSecond("finished_at", tzinfo=UTC)
        rows = items.order_by().values_list(owner, seconds)
        for key, at, number, took in rows.annotate(n=Count("pk"), took=Sum("seconds")):
            ended[key].append(EndedItems(at, number, took or 0.0))
    return {key: sorted(groups, key=lambda group: group.at) for key, groups in ended.items()}


def failure_groups(job: Job) -> list[FailureGroup]:
    """Return the groups of failures, most frequent first."""
    kind = job_kind(job.kind)
    failed = kind.items(job.pk).filter(state=State.FAILED).order_by()
    counts = dict(failed.values_list("code").annotate(n=Count("pk")))
    rows = failed.values_list("code", "reason").annotate(n=Count("pk")).order_by("-n", "reason")
    reasons: defaultdict[str, list[str]] = defaultdict(list)
    for code, reason, _ in rows[:200]:
        reasons[code].append(reason)
    groups = [
        FailureGroup(code, texts[0], counts[code], len(texts) - 1, kind.may_retry(code))
        for code, texts in reasons.items()
    ]
    return sorted(groups, key=lambda group: (-group.count, group.code))


def latest_job(project_id: int, kind: str) -> Job | None:
    jobs = Job.objects.filter(project=project_id, kind=kind).select_related("created_by")
    return jobs.order_by("-pk").first()


def latest_jobs(project_id: int, kind: str, lanes: Sequence[str]) -> dict[str, Job]:
    """Return the newest job of a kind in each lane that has one, in one statement."""
    jobs = Job.objects.filter(project=project_id, kind=kind, lane__in=lanes)
    newest = jobs.order_by("lane").values("lane").annotate(newest=Max("pk")).values("newest")
    return {job.lane: job for job in Job.objects.filter(pk__in=newest)}


def _by_table(
    jobs: Iterable[Job],
) -> Iterable[tuple[QuerySet[AbstractJobItem], str, Sequence[int]]]:
    """Return the jobs' keys by the table of their items, with the field of the job."""
    groups: defaultdict[tuple[type[AbstractJobItem], str], list[int]] = defaultdict(list)
    for job in jobs:
        kind = job_kind(job.kind)
        groups[kind.item_model, kind.owner].append(job.pk)
    return [(table._default_manager.all(), owner, ids) for (table, owner), ids in groups.items()]

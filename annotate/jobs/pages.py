"""The pages of jobs: all of a project's, and one with its items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.core.paginator import Page, Paginator

from annotate.jobs.kinds import job_kind, job_kinds
from annotate.jobs.progress import Progress, progress_of
from annotate.jobs.queries import FailureGroup, failure_groups
from annotate.jobs.workers import LastBeats, Silence, last_beats
from annotate.lists.columns import Column
from annotate.models import Membership, Project
from annotate.models.jobs import ACTIVE, AbstractJobItem, Job
from annotate.paging import CountedRows

State = AbstractJobItem.State
JOBS_PER_PAGE = 25
ITEMS_PER_PAGE = 50
SHOWN: Mapping[str, tuple[str, Sequence[str]]] = {
    "": ("All", ()),
    "active": ("In progress", ACTIVE),
    "failed": ("Stopped", (Job.State.FAILED,)),
    "ended": ("Ended", (Job.State.DONE, Job.State.CANCELLED)),
}
COLUMNS = (
    Column("state", "State"),
    Column("progress", "Progress"),
    Column("done", "Done"),
    Column("failed", "Failed"),
    Column("speed", "Speed"),
    Column("time", "Time"),
    Column("started", "Started"),
)
TABS: Mapping[str, str] = {
    "": "All",
    State.DONE: "Done",
    State.SKIPPED: "",  # the kind has its own word
    State.FAILED: "Failed",
    State.RUNNING: "In progress",
    State.UPLOADING: "Uploading",
    State.WAITING: "Waiting",
    State.CANCELLED: "Canceled",
}


@dataclass(frozen=True)
class JobRow:
    job: Job
    label: str
    progress: Progress
    silence: Silence | None


HIDDEN = "Hidden from you: the reason may quote a caption that you still work on."


@dataclass(frozen=True)
class ItemRow:
    """`result`: why the item failed, or its result, or what its worker does now."""

    item: AbstractJobItem
    name: str
    result: str


@dataclass(frozen=True)
class JobsPage:
    page: Page[Job]
    rows: list[JobRow]
    active: int
    state: str
    kind: str
    tabs: list[tuple[str, str]]
    kinds: list[tuple[str, str]]


@dataclass(frozen=True)
class JobPage:
    """`url` is the page of the job's results, if its kind has one."""

    row: JobRow
    url: str
    noun: str
    tab: str
    tabs: list[tuple[str, str, int]]
    page: Page[AbstractJobItem]
    items: list[ItemRow]
    failures: list[FailureGroup]
    may_cancel: bool
    may_resume: bool

    @property
    def job(self) -> Job:
        return self.row.job

    @property
    def progress(self) -> Progress:
        return self.row.progress

    @property
    def may_retry(self) -> bool:
        return any(group.may_retry for group in self.failures)


def jobs_page(project: Project, state: str, kind: str, number: str | None) -> JobsPage:
    """Return the jobs, newest first, filtered by `state` and `kind`."""
    state = state if state in SHOWN else ""
    names = {each.name: each.label for each in job_kinds()}
    kind = kind if kind in names else ""
    jobs = Job.objects.filter(project=project).select_related("created_by").order_by("-id")
    if state:
        jobs = jobs.filter(state__in=SHOWN[state][1])
    if kind:
        jobs = jobs.filter(kind=kind)
    page = Paginator(jobs, JOBS_PER_PAGE).get_page(number)
    rows = _rows(list(page.object_list))
    return JobsPage(
        page=page,
        rows=rows,
        active=sum(row.job.is_active for row in rows),
        state=state,
        kind=kind,
        tabs=[(key, label) for key, (label, _) in SHOWN.items()],
        kinds=sorted(names.items(), key=lambda pair: pair[1]),
    )


def job_page(membership: Membership, job: Job, tab: str, number: str | None) -> JobPage:
    kind = job_kind(job.kind)
    loaded = kind.load(job.pk)
    [row] = _rows([job])
    counts = row.progress.counts
    tab = tab if tab in TABS else ""
    labels = {**TABS, State.SKIPPED: kind.skipped.capitalize()}
    items = kind.items(job.pk).order_by("position", "id")
    if tab:
        items = items.filter(state=tab)
    count = counts[tab] if tab else sum(counts.values())
    rows = CountedRows(count, lambda start, stop: list(items[start:stop]))
    page = Paginator(rows, ITEMS_PER_PAGE).get_page(number)
    on_page = list(page.object_list)
    names = kind.names(on_page)
    hides_reasons = bool(counts[State.FAILED]) and kind.hides_reasons(membership, loaded)
    return JobPage(
        row=row,
        url=kind.url(loaded),
        noun=kind.noun[0] if job.total == 1 else kind.noun[1],
        tab=tab,
        tabs=[
            (key, label, counts[key] if key else sum(counts.values()))
            for key, label in labels.items()
            if not key or counts[key] or key == tab
        ],
        page=page,
        items=[_item_row(item, names.get(item.pk, ""), hides_reasons) for item in on_page],
        failures=_failures(job, hides_reasons) if counts[State.FAILED] else [],
        may_cancel=job.is_active or job.state == Job.State.FAILED,
        may_resume=_may_resume(job, counts),
    )


def _item_row(item: AbstractJobItem, name: str, hides_reasons: bool) -> ItemRow:
    reason = HIDDEN if item.reason and hides_reasons else item.reason
    return ItemRow(item, name, reason or item.note or item.step)


def _failures(job: Job, hides_reasons: bool) -> list[FailureGroup]:
    groups = failure_groups(job)
    if hides_reasons:
        return [replace(group, reason=HIDDEN, others=0) for group in groups]
    return groups


def _rows(jobs: Sequence[Job]) -> list[JobRow]:
    progress = progress_of(jobs)
    beats = last_beats()
    return [
        JobRow(job, job_kind(job.kind).label, progress[job.pk], _silence(job, progress, beats))
        for job in jobs
    ]


def _silence(job: Job, progress: Mapping[int, Progress], beats: LastBeats) -> Silence | None:
    """Return the silence of the workers that an active job waits for."""
    silence = beats.silence_in(job.queue) if job.is_active else None
    # A worker that has items but never sent a heartbeat has another version.
    return None if silence and silence.since is None and progress[job.pk].has_worker else silence


def _may_resume(job: Job, counts: Mapping[str, int]) -> bool:
    if job.state == Job.State.FAILED:
        return True
    if not job_kind(job.kind).resumes_cancelled:
        return False
    return job.state == Job.State.CANCELLED and bool(counts[State.CANCELLED] or not job.is_planned)

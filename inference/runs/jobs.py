"""Model runs as jobs: one job kind for each kind of run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager

from django.urls import reverse

from annotate.audit import record_event
from annotate.jobs.kinds import AnyWork, JobKind, Measured, register_job_kind
from annotate.models.jobs import AbstractJobItem, Job
from inference.models import InferenceRun, RunItem
from inference.planning.services import plan_items
from inference.planning.staleness import make_run_current, mark_stale
from inference.recipes import read_recipe, try_stated
from inference.runs.usage import storing_usage
from inference.words import KINDS, SUBJECTS

State = Job.State
ItemState = AbstractJobItem.State


class RunKind(JobKind[InferenceRun, RunItem]):
    """The common part of all kinds of run; `inference.kinds` does the work of each."""

    skipped = "reused"
    gave_up = (
        "Each attempt at this item ended the worker. Look at the clip, give the worker more "
        "memory or a smaller batch, then retry it."
    )
    busy = "An identical run is in progress: run {job}. Nothing was started."
    job_model = InferenceRun
    item_model = RunItem
    owner = "run"

    def __init__(self, kind: InferenceRun.Kind) -> None:
        self.name = kind.value
        self.label = f"{KINDS[kind].label} run"
        # run -> device in this process; a worker that resumes a run can have another device.
        self._devices: dict[int, str] = {}

    def load(self, job_id: int) -> InferenceRun:
        return InferenceRun.objects.select_related("project", "model", "created_by").get(pk=job_id)

    def plan(self, job: InferenceRun) -> Sequence[RunItem]:
        return plan_items(job)

    def planned(self, job: InferenceRun) -> None:
        # A reused result also belongs to this recipe.
        if job.items.filter(state=ItemState.SKIPPED).exists():
            make_run_current(job)

    def open(self, job: InferenceRun) -> AnyWork:
        # Import here: it loads models and decodes video, which no web process may do.
        from inference.kinds import open_work
        from inference.kinds.devices import devices_of

        work = open_work(job)
        self._devices[job.pk] = devices_of(read_recipe(job.recipe))
        return work

    def counting(self, job: InferenceRun, items: Sequence[RunItem]) -> AbstractContextManager[None]:
        return storing_usage(job, items)

    def measured(self, job: InferenceRun, measured: Measured) -> Mapping[str, object]:
        return {
            "device": self._devices.get(job.pk, ""),
            "read_seconds": measured.read,
            "compute_seconds": measured.compute,
        }

    def stored(self, job: InferenceRun) -> None:
        if not job.has_results:
            make_run_current(job)

    def ended(self, job: InferenceRun) -> None:
        if job.state == State.FAILED:
            return
        # A newer run can have outdated its recipe or inputs while it was working.
        mark_stale(job)
        if job.state != State.DONE:
            return
        record_event(actor=None, verb="finish run", subject=job, project=job.project)
        if job.counts.get(ItemState.SKIPPED) == job.total:
            Job.objects.filter(pk=job.pk).update(
                reason="Everything was already done with exactly this recipe. Nothing was repeated."
            )

    def name_of(self, job: InferenceRun) -> str:
        of = SUBJECTS.get(try_stated(job.recipe).of)
        name = f"{self.label} {job.pk}{f' of {of}' if of else ''}"
        return f"{name}: {job.title}" if job.title else name

    def url(self, job: InferenceRun) -> str:
        return reverse("inference:run", args=[job.project.slug, job.pk])

    def names(self, items: Sequence[RunItem]) -> dict[int, str]:
        rows = RunItem.objects.filter(pk__in=[item.pk for item in items]).select_related(
            "video", "clip", "caption__clip"
        )
        return {row.pk: _name(row) for row in rows}


def _name(item: RunItem) -> str:
    if item.video:
        return item.video.original_name
    if item.clip:
        return item.clip.name
    assert item.caption is not None  # the database requires one of the three
    return item.caption.clip.name


def register_run_kinds() -> None:
    for kind in InferenceRun.Kind:
        register_job_kind(RunKind(kind))

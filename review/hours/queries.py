"""The hours that models and the processor have worked on a project (LoVR, appendix A.2), and what
model servers have cost.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Q, Sum

from annotate.models import Project
from inference.models import InferenceRun, RunItem
from inference.runs.usage import SUMS, Used

SECONDS_PER_HOUR = 3600


@dataclass(frozen=True)
class DeviceHours:
    """The finished results of one kind of run on one device; `device` is "" if none was stored.
    `untimed`: results without a time, which add nothing. `model` and `decoding`: the hours of the
    model's batches and of reading videos in parallel, None for work in several steps.
    """

    kind: str
    device: str
    results: int
    untimed: int
    hours: float
    model: float | None
    decoding: float | None


def device_hours(project: Project) -> list[DeviceHours]:
    """Return the hours by kind of run and device, most first. Results that a run took over from an
    earlier one count once, and failed attempts don't count.
    """
    done = RunItem.objects.filter(run__project=project, state=RunItem.State.DONE).order_by()
    rows = done.values_list("run__kind", "device").annotate(
        results=Count("pk"),
        timed=Count("seconds"),
        seconds=Sum("seconds", default=0.0),
        model=Sum("compute_seconds"),
        decoding=Sum("read_seconds"),
    )
    hours = [
        DeviceHours(
            kind=kind,
            device=device,
            results=results,
            untimed=results - timed,
            hours=seconds / SECONDS_PER_HOUR,
            model=_in_hours(model),
            decoding=_in_hours(decoding),
        )
        for kind, device, results, timed, seconds, model, decoding in rows
    ]
    return sorted(hours, key=lambda row: (-row.hours, row.kind, row.device))


@dataclass(frozen=True)
class RunCost:
    """What one run has used on model servers, with what failed and without what it reused."""

    run: InferenceRun
    used: Used


def run_costs(project: Project) -> list[RunCost]:
    """Return what each run that used a server has used, the newest first."""
    items = RunItem.objects.filter(run__project=project)
    served = items.filter(Q(tokens_in__isnull=False) | Q(pictures__gt=0)).order_by("-run")
    used = {
        key: Used(*sums)
        for key, *sums in served.values("run").annotate(**SUMS).values_list("run", *SUMS)
    }
    runs = InferenceRun.objects.select_related("model").defer("recipe").in_bulk(list(used))
    return [RunCost(runs[key], of_run) for key, of_run in used.items()]


def _in_hours(seconds: float | None) -> float | None:
    return None if seconds is None else seconds / SECONDS_PER_HOUR

"""The hours that models and the processor have worked on a project (LoVR, appendix A.2)."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Sum

from annotate.models import Project
from inference.models import RunItem

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


def _in_hours(seconds: float | None) -> float | None:
    return None if seconds is None else seconds / SECONDS_PER_HOUR

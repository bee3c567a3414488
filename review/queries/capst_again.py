"""Which results of CapST are older than the lists of elements they rest on."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from annotate.models import Project
from review.models import CapstRun, Report
from review.queries.capst import references
from review.queries.capst_runs import outdated_clips

State = CapstRun.State


@dataclass(frozen=True)
class Stale:
    """A report in force, the run that it is of, and of how many of its clips a person has
    corrected a list since, or there is a newer human caption."""

    report: Report
    run: CapstRun
    clips: int

    def __str__(self) -> str:
        return f"{self.run.caption_set} ({self.run.get_preset_display().lower()})"


def stale_results(project: Project) -> list[Stale]:
    """Of the sets in use, by either preset, in the order of their runs. What is being judged now,
    or has been by a newer run that is in no report yet, is not among them."""
    reports = {one.result["run"]: one for one in Report.objects.newest(project, Report.Name.CAPST)}
    runs = CapstRun.objects.filter(
        pk__in=reports, project=project, caption_set__is_used=True
    ).select_related("caption_set", "extractor", "judge")
    newest = _newest_alive(project)
    by_preset: defaultdict[str, list[CapstRun]] = defaultdict(list)
    for run in runs:
        if run.state != State.RUNNING and newest.get((run.caption_set_id, run.preset), 0) <= run.pk:
            by_preset[run.preset].append(run)
    found = []
    for preset in CapstRun.Preset.values:
        own = [reports[run.pk] for run in by_preset[preset]]
        outdated = outdated_clips(project, preset, own, references(project, preset)) if own else {}
        found += [
            Stale(reports[run.pk], run, outdated[reports[run.pk].pk])
            for run in by_preset[preset]
            if outdated[reports[run.pk].pk]
        ]
    return sorted(found, key=lambda one: one.run.pk)


def _newest_alive(project: Project) -> dict[tuple[int | None, str], int]:
    """By set and preset, the newest run that goes on or came to its end."""
    rows = CapstRun.objects.filter(project=project, state__in=(State.RUNNING, State.FINISHED))
    return {
        (captions, preset): key
        for captions, preset, key in rows.order_by("pk").values_list("caption_set", "preset", "pk")
    }

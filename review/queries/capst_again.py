"""Which results of CapST are older than the lists of elements they rest on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from annotate.models import Project
from review.models import CapstRun
from review.queries.capst import references
from review.queries.capst_runs import outdated_clips
from review.reports.models import Report

State = CapstRun.State


@dataclass(frozen=True)
class Stale:
    """A report in force, the run that it is of, and of how many of its clips a person has
    corrected a list since, or there is a newer human caption. `is_taken_up`: they are being judged
    now, or have been by a newer run that is in no report yet."""

    report: Report
    run: CapstRun
    clips: int
    is_taken_up: bool

    def __str__(self) -> str:
        return f"{self.run.caption_set} ({self.run.get_preset_display().lower()})"


def stale_results(project: Project) -> list[Stale]:
    """What is to be judged again: of the sets in use, by either preset, in the order of their runs,
    without what is taken up."""
    reports = list(Report.objects.newest(project, Report.Name.CAPST))
    return [one for one in outdated_results(project, reports) if not one.is_taken_up]


def outdated_results(project: Project, reports: Sequence[Report]) -> list[Stale]:
    """Of these reports in force, those that are older than the lists they rest on."""
    by_run = {one.result["run"]: one for one in reports}
    runs = CapstRun.objects.filter(
        pk__in=by_run, project=project, caption_set__is_used=True
    ).select_related("caption_set", "extractor", "judge")
    by_preset: defaultdict[str, list[CapstRun]] = defaultdict(list)
    for run in runs.order_by("pk"):
        by_preset[run.preset].append(run)
    newest = _newest_alive(project)
    found = []
    for preset, own in by_preset.items():
        outdated = outdated_clips(
            project, preset, [by_run[run.pk] for run in own], references(project, preset)
        )
        for run in own:
            if clips := outdated[by_run[run.pk].pk]:
                is_newest = newest.get((run.caption_set_id, preset), 0) <= run.pk
                is_taken_up = run.state == State.RUNNING or not is_newest
                found.append(Stale(by_run[run.pk], run, clips, is_taken_up))
    return sorted(found, key=lambda one: one.run.pk)


def _newest_alive(project: Project) -> dict[tuple[int | None, str], int]:
    """By set and preset, the newest run that goes on or came to its end."""
    rows = CapstRun.objects.filter(project=project, state__in=(State.RUNNING, State.FINISHED))
    return {
        (captions, preset): key
        for captions, preset, key in rows.order_by("pk").values_list("caption_set", "preset", "pk")
    }

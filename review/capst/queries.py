"""Queries about CapST runs: references, progress, failures and outdated results."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Count, Sum

from annotate.jobs.progress import Progress, progress_of
from annotate.jobs.workers import Silence, last_beats
from annotate.models import Project
from annotate.models.jobs import ACTIVE, AbstractJobItem, Job
from inference.backends.protocols import ElementKind
from metrics.capst import PRESETS
from review.capst.loaded_prompts import LoadedPrompts
from review.capst.models import CapstItem, CapstPrompts, CapstRun
from review.capst.recipes import extraction_recipe, extractor_of
from review.capst.results import CAPST, StoredCapst
from review.elements.models import Extraction
from review.elements.queries import References, current_extractions, human_lists, references
from review.reports.models import Report
from review.reports.stored import current_reports

State = Job.State


@dataclass(frozen=True)
class Stale:
    """A current report, its run, and the number of its clips with a list corrected or a human
    caption replaced since. `is_handled`: they are being judged again, or a newer run without a
    report has judged them.
    """

    report: Report
    run: CapstRun
    clips: int
    is_handled: bool

    def __str__(self) -> str:
        return f"{self.run.caption_set} ({self.run.get_preset_display().lower()})"


def stale_results(project: Project) -> list[Stale]:
    """Return the outdated results of the sets in use that no run is judging again, by run."""
    reports = current_reports(project, CAPST)
    return [result for result in outdated_results(project, reports) if not result.is_handled]


def outdated_results(project: Project, reports: Sequence[StoredCapst]) -> list[Stale]:
    """Return the current reports that are older than their lists."""
    by_run = {report.numbers.run: report for report in reports}
    runs = CapstRun.objects.filter(
        pk__in=by_run, project=project, caption_set__is_used=True
    ).select_related("caption_set", "extractor", "judge")
    by_preset: defaultdict[str, list[CapstRun]] = defaultdict(list)
    for run in runs.order_by("pk"):
        by_preset[run.preset].append(run)
    newest = _newest_alive(project)
    results = []
    for preset, own in by_preset.items():
        outdated = outdated_clips(
            project, preset, [by_run[run.pk] for run in own], references(project, preset)
        )
        for run in own:
            if clips := outdated[by_run[run.pk].report.pk]:
                is_newest = newest.get((run.caption_set_id, preset), 0) <= run.pk
                is_handled = run.is_active or not is_newest
                results.append(Stale(by_run[run.pk].report, run, clips, is_handled))
    return sorted(results, key=lambda result: result.run.pk)


def _newest_alive(project: Project) -> dict[tuple[int | None, str], int]:
    """Return the newest active or finished run by set and preset."""
    rows = CapstRun.objects.filter(project=project, state__in=(*ACTIVE, State.DONE))
    return {
        (captions, preset): key
        for captions, preset, key in rows.order_by("pk").values_list("caption_set", "preset", "pk")
    }


PAGE_SIZE = 50
MAX_RUNS = 6
ItemState = AbstractJobItem.State


@dataclass(frozen=True)
class JudgedRun:
    """A run with its progress. `is_newest`: it is the newest with its captions and settings, so
    that it may be resumed. `silence` is the time since the required workers last reported.
    """

    run: CapstRun
    progress: Progress
    is_newest: bool
    silence: Silence | None

    @property
    def n_failed(self) -> int:
        return self.progress.counts[ItemState.FAILED]

    @property
    def may_resume(self) -> bool:
        is_stopped = self.run.state in (State.FAILED, State.CANCELLED)
        return self.is_newest and not self.run.is_active and (is_stopped or self.n_failed > 0)


def latest_capst_runs(project: Project) -> list[JudgedRun]:
    """Return the last MAX_RUNS, and all active runs."""
    runs = list(
        CapstRun.objects.filter(project=project)
        .select_related("caption_set", "extractor", "judge", "created_by")
        .order_by("-id")
    )
    newest = {(run.caption_set_id, run.preset): run.pk for run in reversed(runs)}
    listed = [run for n, run in enumerate(runs) if n < MAX_RUNS or run.is_active]
    progress = progress_of(listed)
    beats = last_beats()
    return [
        JudgedRun(
            run,
            progress[run.pk],
            newest[run.caption_set_id, run.preset] == run.pk,
            beats.silence_in(run.queue) if run.is_active else None,
        )
        for run in listed
    ]


def items_page(run: CapstRun, state: str, number: str | None) -> Page[CapstItem]:
    """Return a page of a run's clips by name; `state` filters them, if given."""
    items = run.items.select_related("clip__video").order_by("clip__name", "pk")
    if state:
        items = items.filter(state=state)
    return Paginator(items, PAGE_SIZE).get_page(number)


def category_marks_of_runs(runs: Iterable[int]) -> dict[int, list[list[Any]]]:
    """Return the current `marks_by_category` of each run's clips."""
    rows = CapstItem.objects.filter(run__in=list(runs)).order_by()
    marks = rows.values_list("run", "clip__video__category").annotate(
        n=Count("pk"), total=Sum("clip")
    )
    marks_by_run: defaultdict[int, list[list[Any]]] = defaultdict(list)
    for run, category, n, total in marks:
        marks_by_run[run].append([category, n, int(total)])
    return {run: sorted(own) for run, own in marks_by_run.items()}


def outdated_clips(
    project: Project,
    preset: str,
    reports: Sequence[StoredCapst],
    current: Mapping[int, References],
) -> dict[int, int]:
    """Return, by report, the number of clips with a list corrected or a human caption replaced
    since. `current`: the preset's current references.
    """
    in_use = {(extraction.events, "events") for extraction in current.values()}
    in_use |= {(extraction.objects, "objects") for extraction in current.values()}
    lists = human_lists(project, preset)
    checked = {
        (extraction.caption, extraction.kind): extraction.key
        for extraction in lists
        if extraction.is_checked
    }
    outdated = {
        extraction.key: extraction.clip
        for extraction in lists
        if (extraction.caption, extraction.kind) not in in_use
        or checked.get((extraction.caption, extraction.kind), extraction.key) != extraction.key
    }
    used = {report.numbers.run: set(report.numbers.references) for report in reports}
    clips = {run: {outdated[key] for key in keys & outdated.keys()} for run, keys in used.items()}
    # Only unfinished items need their references checked, so that no page reads every clip of every
    # run.
    unjudged = CapstItem.objects.filter(run__in=used).exclude(state=ItemState.DONE)
    rows = unjudged.order_by().values_list("run", "clip", "events_reference", "objects_reference")
    for run, clip, events, objects in rows:
        corrections = {checked.get((events, "events")), checked.get((objects, "objects"))} - {None}
        if current.get(clip) != References(events, objects) or corrections - used[run]:
            clips[run].add(clip)
    return {report.report.pk: len(clips[report.numbers.run]) for report in reports}


def required_lists(run: CapstRun, references: References) -> set[tuple[int, ElementKind]]:
    """Return the elements of human captions that a clip of the run needs: (caption, kind).

    Without captions to judge, these include the objects of temporal captions, which appendix E
    counts.
    """
    elements: set[tuple[int, ElementKind]] = {
        (references.events, "events"),
        (references.objects, "objects"),
    }
    return elements | ({(references.events, "objects")} if run.caption_set_id is None else set())


def current_references(
    run: CapstRun, captions: Collection[int]
) -> Mapping[ElementKind, dict[int, Extraction]]:
    """Return the human captions' lists that the run must judge with."""
    most = PRESETS[run.preset].most_elements
    recipe = extraction_recipe(extractor_of(run), most)
    kinds: tuple[ElementKind, ...] = ("events", "objects")
    return {kind: current_extractions(captions, kind, most, recipe) for kind in kinds}


def prompts_in_use(project: Project) -> CapstPrompts | None:
    """Return the prompts of runs with the official settings, None for Vericap's own."""
    return CapstPrompts.objects.filter(project=project, is_used=True).order_by("-pk").first()


def prompts_for(project: Project, preset: str) -> LoadedPrompts | None:
    """Return the prompts of runs with this preset; None for Vericap's own."""
    loaded = prompts_in_use(project) if preset == CapstRun.Preset.OFFICIAL else None
    return LoadedPrompts(loaded.by_name, loaded.sha256) if loaded else None

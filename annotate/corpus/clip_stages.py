"""A clip's progress: the marks beside its name, and the stages to filter the corpus by."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from django.db.models import Count, Exists, F, Min, OuterRef, QuerySet

from annotate.corpus.clip_limits import reason_too_small, too_small
from annotate.kinds import Kind, all_kinds, kind_facts
from annotate.models import Caption, Clip, Project, WorkItem
from annotate.queue.kinds import kinds_of

State = WorkItem.State


class Mark(NamedTuple):
    """`tone` is a badge's class; empty if nothing needs to be done."""

    label: str
    tone: str = ""
    reason: str = ""


class Step(NamedTuple):
    """A stage that is the state of one kind of work."""

    mark: Mark
    kind: str
    state: State


# A clip is at its only open step; after the split it is done.
STEPS = {
    "write": Step(Mark("To write"), "write", State.OPEN),
    "merge": Step(Mark("To merge", "accent"), "merge", State.OPEN),
    "split": Step(Mark("To split", "accent"), "split", State.OPEN),
    "complete": Step(Mark("Complete", "ok"), "split", State.DONE),
    "signoff": Step(Mark("To sign off", "accent"), "signoff", State.OPEN),
    "signed": Step(Mark("Signed off", "ok"), "signoff", State.DONE),
    "dynamics": Step(Mark("Dynamics check open", "accent"), "dynamics", State.OPEN),
    "judged": Step(Mark("Dynamics check done"), "dynamics", State.DONE),
    "hand": Step(Mark("To write by hand", "accent"), "hand", State.OPEN),
    "verify": Step(Mark("To verify", "accent"), "verify", State.OPEN),
    "rate": Step(Mark("To rate", "accent"), "rate", State.OPEN),
}
DESCRIBED, LEFT_OUT, TOO_SMALL = "described", "left-out", "too-small"
TOO_SMALL_MARK = "Too short or small"
LEFT_OUT_MARK = "Left out"


def kinds_in(project: Project) -> list[Kind]:
    """Return the kinds of work that the project requires or has, in one query that is fast at any
    size.
    """
    items = WorkItem.objects.filter(project=OuterRef("pk"))
    exist = {kind: Exists(items.filter(kind=kind)) for kind in all_kinds()}
    in_use = Project.objects.filter(pk=project.pk).annotate(**exist).values(*exist).get()
    return kinds_of(project, [kind for kind, is_there in in_use.items() if is_there])


def stage_choices(kinds: list[Kind]) -> list[tuple[str, str]]:
    """Return the possible stages of a clip in a project with these kinds of work."""
    steps = [(name, step.mark.label) for name, step in STEPS.items() if step.kind in kinds]
    by_models = [] if "write" in kinds else [(DESCRIBED, "Described")]
    return [*steps, *by_models, (LEFT_OUT, LEFT_OUT_MARK), (TOO_SMALL, TOO_SMALL_MARK)]


def at_stage(clips: QuerySet[Clip], project: Project, name: str) -> QuerySet[Clip]:
    if name == LEFT_OUT:
        return clips.exclude(video__excluded_because="", excluded_because="")
    if name == DESCRIBED:
        large_enough = clips.exclude(too_small(project))
        return described(large_enough).filter(video__excluded_because="", excluded_because="")
    if name == TOO_SMALL:
        return clips.filter(too_small(project), video__excluded_because="", excluded_because="")
    _, kind, state = STEPS[name]
    work = WorkItem.objects.filter(project=project, kind=kind, state=state)
    return clips.filter(pk__in=work.values("clip"))


def described(clips: QuerySet[Clip]) -> QuerySet[Clip]:
    """Return the clips that have a caption and aren't waiting to be written by hand."""
    captions = Caption.objects.filter(clip=OuterRef("pk"), kind=Caption.Kind.GENERAL)
    to_write = WorkItem.objects.filter(clip=OuterRef("pk"), kind="hand", state=State.OPEN)
    return clips.filter(Exists(captions), ~Exists(to_write))


def count_at_step(project: Project, name: str) -> int | None:
    """Count by the index on work; None for a stage outside the steps of the work."""
    if name not in STEPS:
        return None
    _, kind, state = STEPS[name]
    items = WorkItem.objects.filter(project=project, kind=kind, state=state)
    return (
        items.values("clip").distinct().count()
        if kind_facts(kind).is_about_captions
        else items.count()
    )


def marks_of(clips: Iterable[Clip], project: Project, kinds: list[Kind]) -> dict[int, list[Mark]]:
    """Return each clip's progress as one or more marks. The clips must have their videos loaded."""
    clips = list(clips)
    marks = _marks_of_work([clip.pk for clip in clips])
    by_models = "write" not in kinds
    finished = _described(clips) if by_models else set()
    parts = _parts(clips) if by_models else {}
    published = set() if by_models else _published(clips, marks)
    for clip in clips:
        of_clip = marks[clip.pk]
        if reason := clip.left_out_because:
            marks[clip.pk] = [Mark(LEFT_OUT_MARK, "warn", reason)]
        elif reason := reason_too_small(clip, project):
            marks[clip.pk] = [*of_clip, Mark(TOO_SMALL_MARK, "warn", reason)]
        elif clip.pk in finished:
            of_clip.append(Mark("Described", "ok"))
        elif number := parts.get(clip.video_id, 0) if clip.spans_its_video else 0:
            of_clip.append(Mark(f"Cut into {number} clip{'' if number == 1 else 's'}"))
        elif clip.pk in published:
            of_clip.append(Mark("Imported captions", "ok"))
        elif not of_clip:
            of_clip.append(Mark("Not described yet" if by_models else "No work"))
    return marks


def _marks_of_work(clip_ids: list[int]) -> dict[int, list[Mark]]:
    step_of = {(step.kind, step.state): step.mark for step in STEPS.values()}
    rows = (
        WorkItem.objects.filter(clip_id__in=clip_ids, state__in=[State.OPEN, State.DONE])
        .values("clip_id", "kind", "state")
        .annotate(first=Min("pk"))
        .order_by("first")
        .values_list("clip_id", "kind", "state")
    )
    marks: dict[int, list[Mark]] = defaultdict(list)
    for clip, kind, state in rows:
        if mark := step_of.get((Kind(kind), State(state))):
            marks[clip].append(mark)
    return marks


def _described(clips: list[Clip]) -> set[int]:
    of_page = Clip.objects.filter(pk__in=[clip.pk for clip in clips])
    return set(described(of_page).values_list("pk", flat=True))


def _published(clips: list[Clip], marks: Mapping[int, list[Mark]]) -> set[int]:
    """Return the clips without work that have the human caption of a published data set."""
    captions = Caption.objects.filter(
        clip__in=[clip.pk for clip in clips if not marks.get(clip.pk)],
        kind=Caption.Kind.GENERAL,
        source=Caption.Source.PUBLISHED,
    )
    return set(captions.order_by().values_list("clip", flat=True))


def _parts(clips: list[Clip]) -> dict[int, int]:
    """Return, for each video, the number of clips that are only part of it."""
    parts = Clip.objects.filter(video_id__in={clip.video_id for clip in clips}).exclude(
        start_frame=0, end_frame=F("video__frames")
    )
    return dict(parts.order_by().values_list("video_id").annotate(times=Count("pk")))

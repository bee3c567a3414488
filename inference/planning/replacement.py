"""Counts the captions that a run would replace, by the rule of precedence, before it starts."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import Q

from annotate.corpus.precedence import BY_PEOPLE, Rank, only_outdated, with_rank
from annotate.models import Assignment, Caption, Clip, Project, WorkItem
from inference.models import InferenceRun
from inference.planning.plans import Subject
from inference.queries import BATCH_SIZE, current_captions_of
from inference.words import counted

Kind = InferenceRun.Kind
# The highest rank of a new caption, by kind of run.
RANK_OF = {Kind.CAPTION: Rank.MACHINE, Kind.REFINE: Rank.ACCEPTED, Kind.FUSE: Rank.MACHINE}


@dataclass(frozen=True)
class Replacement:
    """Current captions of one kind: `by_people` in the project, and how many of them change, which
    the rule keeps at 0; `accepted` ones that stay; `machine` ones that are replaced. `withdrawn`
    counts open work about the latter, `held` the part that people hold now, `fused` the captions of
    whole videos made from them."""

    by_people: int
    by_people_changed: int
    accepted: int
    machine: int
    withdrawn: int = 0
    held: int = 0
    fused: int = 0
    is_refine: bool = False

    @property
    def sentences(self) -> list[str]:
        lines = []
        if self.by_people:
            lines.append(f"{self.by_people_changed} of {self.by_people:,} human captions change.")
        if self.accepted:
            stay = "stays" if self.accepted == 1 else "stay"
            lines.append(
                f"{counted(self.accepted, ('accepted caption', 'accepted captions'))} {stay}."
            )
        if self.machine:
            what = counted(self.machine, ("machine caption", "machine captions"))
            verb = "is" if self.machine == 1 else "are"
            where = " where an attempt scores higher" if self.is_refine else ""
            lines.append(f"{what} {verb} replaced{where}.")
        if self.fused:
            what = counted(self.fused, ("caption of a whole video", "captions of whole videos"))
            verb = "goes" if self.fused == 1 else "go"
            verb = "may go" if self.is_refine else verb
            lines.append(f"{what} {verb} out of date. Run fuse afterwards.")
        if self.withdrawn:
            work = counted(self.withdrawn, ("open verification", "open verifications"))
            verb = "is" if self.withdrawn == 1 else "are"
            lines.append(
                f"{work} of captions that are replaced {verb} withdrawn, {self.held} of them in "
                "progress. Drafts stay with their authors."
            )
        return lines


def replaced_by(project: Project, kind: str, subjects: Sequence[Subject]) -> Replacement | None:
    """Return what a run of this kind over these subjects would replace; None for a kind that writes
    no captions.
    """
    if kind not in RANK_OF:
        return None
    caption_kind = Caption.Kind.FULL_VIDEO if kind == Kind.FUSE else Caption.Kind.GENERAL
    touched = _clips_of(kind, subjects)
    by_people = changed = accepted = 0
    replaced: list[int] = []
    rows = with_rank(current_captions_of(project, caption_kind)).order_by()
    for key, clip, source, rank in rows.values_list("pk", "clip", "source", "precedence"):
        gives_way = clip in touched and rank <= RANK_OF[Kind(kind)]
        if source in BY_PEOPLE:
            by_people += 1
            changed += gives_way
        elif gives_way:
            replaced.append(key)
        elif clip in touched:
            accepted += 1
    withdrawn, held = _open_work(replaced)
    return Replacement(
        by_people=by_people,
        by_people_changed=changed,
        accepted=accepted,
        machine=len(replaced),
        withdrawn=withdrawn,
        held=held,
        fused=0 if kind == Kind.FUSE else _fused_from(project, replaced),
        is_refine=kind == Kind.REFINE,
    )


def _clips_of(kind: str, subjects: Sequence[Subject]) -> set[int]:
    keys = {subject.pk for subject in subjects}
    if kind != Kind.FUSE:
        return keys
    wholes = Clip.objects.filter(start_frame=0)
    return {
        clip
        for batch in _in_steps(sorted(keys))
        for clip in wholes.filter(video__in=batch).values_list("pk", flat=True)
    }


def _fused_from(project: Project, captions: Sequence[int]) -> int:
    """Return how many current captions of whole videos were made from these, or correct one that
    was, and are not out of date yet."""
    whole = Caption.Kind.FULL_VIDEO
    fused: set[int] = set()
    for batch in _in_steps(captions):
        corrected = Q(parents__kind=whole, parents__parents__in=batch)
        made_from = Caption.objects.filter(Q(parents__in=batch) | corrected, kind=whole)
        fused.update(made_from.values_list("pk", flat=True))
    number = 0
    for batch in _in_steps(sorted(fused)):
        current = current_captions_of(project, whole).filter(pk__in=batch)
        number += current.exclude(pk__in=only_outdated(current).values("pk")).count()
    return number


def _open_work(captions: Sequence[int]) -> tuple[int, int]:
    """Return the number of open verifications of these captions, and how many people hold."""
    items: list[int] = []
    held = 0
    for batch in _in_steps(captions):
        work = WorkItem.objects.filter(kind="verify", state=WorkItem.State.OPEN, subject__in=batch)
        items += work.values_list("pk", flat=True)
        holds = Assignment.objects.filter(item__in=work, state=Assignment.State.HELD)
        held += holds.values("item").distinct().count()
    return len(items), held


def _in_steps(keys: Sequence[int]) -> list[Collection[int]]:
    return [keys[start : start + BATCH_SIZE] for start in range(0, len(keys), BATCH_SIZE)]

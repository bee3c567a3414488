"""How much of the clip a person must play before they submit, by kind of work."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db import transaction

from annotate.audit import record_event
from annotate.errors import AnnotateError, WorkInvalid
from annotate.kinds import Kind, all_kinds, kind_facts
from annotate.models import Assignment, Project, User
from annotate.rules import rules_for, store_rule, values_of
from annotate.text.parts import Problem

FIELD = "watched"


def watched_percent(assignment: Assignment) -> int:
    """Return how much of the clip's frames the person has played or stepped through, 0 to 100,
    rounded down. The server's clock limits what a page can report (`queue.services.drafts.beat`).
    """
    seen: int = sum(end - start for start, end in assignment.watched)
    return min(100, 100 * seen // max(assignment.item.clip.frames, 1))


def required_percent(project: Project, kind: str) -> int:
    """Return how much must be played before a submit; 0 for nothing."""
    return rules_for(project, kind).watched_percent


@dataclass(frozen=True)
class Watching:
    """How much of the clip a person has played and must play, in percent. `intervals`: the played
    frames, counted from the clip's start, as "first-end"."""

    percent: int
    required: int
    intervals: str

    @property
    def is_enough(self) -> bool:
        return 0 < self.required <= self.percent


def watching_of(assignment: Assignment) -> Watching | None:
    """Return the page's facts about watching; None if it isn't counted."""
    kind = assignment.item.kind
    if kind_facts(kind).clip_is_answer:
        return None
    return Watching(
        percent=watched_percent(assignment),
        required=required_percent(assignment.item.project, kind),
        intervals=" ".join(f"{start}-{end}" for start, end in assignment.watched),
    )


def refuse_unwatched(assignment: Assignment) -> None:
    """Raise WorkInvalid if the person has played less of the clip than the project asks for."""
    item = assignment.item
    required = required_percent(item.project, item.kind)
    what = "each clip" if kind_facts(item.kind).has_loops else "this clip"
    if required and (percent := watched_percent(assignment)) < required:
        raise WorkInvalid(
            [
                Problem(
                    FIELD,
                    f"You have watched {percent} % of {what}, and this project asks for "
                    f"{required} %. Play the rest, then submit again.",
                )
            ]
        )


@transaction.atomic
def require_watching(*, project: Project, percents: Mapping[str, int], admin: User) -> Project:
    """Set how much of the clip must be played, from 1 to 100 %, by kind; kinds without a number
    need nothing. Work that was submitted stays. Raises AnnotateError."""
    project = Project.objects.lock(project.pk)
    asked = {kind: percent for kind, percent in sorted(percents.items()) if percent}
    if unknown := set(asked) - set(kinds_to_watch(all_kinds())):
        raise AnnotateError(f"{sorted(unknown)[0]} isn't work for which watching is counted.")
    if any(not 1 <= percent <= 100 for percent in asked.values()):
        raise AnnotateError("Give whole numbers from 0 to 100.")
    before = values_of(project, "watched_percent")
    if asked != before:
        store_rule(project=project, rule="watched_percent", values=asked)
        record_event(
            actor=admin, verb="set watching", subject=project, project=project,
            before={"watched_percents": before}, after={"watched_percents": asked},
        )  # fmt: skip
    return project


def kinds_to_watch(kinds: Iterable[Kind]) -> list[Kind]:
    return [kind for kind in kinds if not kind_facts(kind).clip_is_answer]

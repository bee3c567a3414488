"""The state machine of a step, from counts of people's and models' work, and the next one. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from review.overview.facts import Facts, Noun, RunFacts, WorkFacts

CLIPS, VIDEOS = ("clip", "clips"), ("video", "videos")
PEOPLE, MODELS, ADMIN = "people", "models", "admin"


class State(StrEnum):
    """A step has the first of these that applies."""

    SKIPPED = "skipped"  # the project doesn't need it, or went on without it
    STUCK = "stuck"  # it can't continue until somebody has settled the reason
    IN_PROGRESS = "in progress"
    READY = "ready"  # somebody can begin or continue it
    OUTDATED = "out of date"  # done, but what it was made from has changed since
    LATER = "later"  # an earlier step comes first
    DONE = "done"
    LEFT_OUT = "left out"  # nothing is left to work on: everything was left out here
    DISMISSED = "dismissed"  # what there was has been given up


# The states in which a required step needs somebody.
UNFINISHED = {State.STUCK, State.IN_PROGRESS, State.READY, State.OUTDATED, State.LEFT_OUT}
SETTLED = {State.DONE, State.SKIPPED}


@dataclass(frozen=True)
class Action:
    """A button: its words, and the page with the keys in its address after the project's."""

    label: str
    page: str
    keys: tuple[object, ...] = ()
    query: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Step:
    """One step with its counts, each thing in one of them. `waiting` can begin, `later` waits for
    earlier steps, `outdated` is done but out of date, `dismissed` was given up. `who` does it:
    people, models, or an admin. `reasons`: why something is stuck or left out, or what to know. The
    pace of `work` or `run` predicts when it is done; `places`: the number of people's submissions
    left. `after`: the key of the step of people's work whose results `later` waits for.
    `needs_start`: nothing can be counted before somebody begins it. `is_skipped`: the project
    doesn't need it, or went on without it.
    """

    key: str
    title: str
    who: str
    noun: Noun
    done: int = 0
    in_progress: int = 0
    waiting: int = 0
    stuck: int = 0
    later: int = 0
    outdated: int = 0
    left_out: int = 0
    dismissed: int = 0
    reasons: tuple[str, ...] = ()
    action: Action | None = None
    work: str = ""
    run: str = ""
    places: int = 0
    after: str = ""
    is_optional: bool = False
    is_skipped: bool = False
    needs_start: bool = False

    @property
    def left(self) -> int:
        return self.in_progress + self.waiting + self.stuck + self.later

    @property
    def total(self) -> int:
        """Return what the bar is about: all but what is left out or dismissed."""
        return self.done + self.outdated + self.left

    @property
    def state(self) -> State:
        possible = {
            State.SKIPPED: self.is_skipped,
            State.STUCK: self.stuck,
            State.IN_PROGRESS: self.in_progress,
            State.READY: self.waiting or self.needs_start,
            State.OUTDATED: self.outdated,
            State.LATER: self.later,
            State.DONE: self.done,
            State.LEFT_OUT: self.left_out,
            State.DISMISSED: self.dismissed,
        }
        return next((state for state, applies in possible.items() if applies), State.LATER)

    @property
    def is_unfinished(self) -> bool:
        return self.state in UNFINISHED

    @property
    def is_settled(self) -> bool:
        """Return whether nothing of it is left, so that later steps can rely on it."""
        return self.state in SETTLED


@dataclass(frozen=True)
class Lane:
    """Steps in order. Only the first lane decides when the project is done."""

    title: str
    steps: tuple[Step, ...]


def next_step(lanes: Sequence[Lane]) -> Step | None:
    """Return the first required step that somebody has to begin, continue or settle."""
    return next((step for lane in lanes for step in _unfinished(lane)), None)


def stuck_steps(lanes: Sequence[Lane], following: Step | None) -> list[Step]:
    """Return the steps after `following` in its lane that are stuck, too: their reasons can be
    settled at once.
    """
    lane = next((lane for lane in lanes if following in lane.steps), None)
    stuck = [step for step in _unfinished(lane) if step.state == State.STUCK] if lane else []
    return [step for step in stuck if step is not following]


def _unfinished(lane: Lane) -> Iterator[Step]:
    return (step for step in lane.steps if step.is_unfinished and not step.is_optional)


def skipped(step: Step, reason: str) -> Step:
    """Return the step as one that the project doesn't need, for this reason."""
    return replace(
        step, is_skipped=True, needs_start=False, waiting=0, later=0, reasons=(reason,), action=None
    )


def people_step(
    facts: Facts, kind: str, title: str, noun: Noun, of: int = 0, after: str = ""
) -> Step:
    """Return a step of people's work; `of` is how many will pass it, where each does, `after` the
    step that they come from. Missing people show before the first of them gets there."""
    work = facts.work[kind]
    later = max(0, of - work.open - work.done) or work.waiting
    places = work.places + later * work.needed
    held = min(work.held, work.open)
    stuck, reasons, action = missing_people(work, later)
    if not work.open and stuck:
        stuck, later = later, 0
    stuck = min(stuck, work.open - held) if work.open else stuck
    return Step(
        kind, title, PEOPLE, noun,
        done=work.done,
        in_progress=held,
        waiting=work.open - held - stuck if work.open else 0,
        stuck=stuck,
        later=later,
        reasons=reasons,
        action=action if work.open or stuck else None,
        work=kind,
        places=places,
        after=after,
    )  # fmt: skip


def missing_people(work: WorkFacts, later: int = 0) -> tuple[int, tuple[str, ...], Action]:
    """Return how much of the work, or of what comes `later`, can't be done, why, and what to do."""
    members = Action("Members", "annotate:members")
    waits = work.open or later
    if waits and not work.able:
        return waits, (f"Nobody has the role {work.roles}.",), members
    if waits and work.able - work.barred < work.needed:
        return waits, (_too_few(work),), members
    if work.stranded:
        sentence = f"{work.stranded} skipped by everybody who may do it."
        return work.stranded, (sentence,), Action("See who skipped", "review:activity")
    return 0, (), Action("Open work", "annotate:my_work")


def _too_few(work: WorkFacts) -> str:
    people = "1 person" if work.needed == 1 else f"{work.needed} people"
    if not work.barred:
        may = f"{work.able} member may" if work.able == 1 else f"{work.able} members may"
        return f"Each needs {people}, and {may} do it, by the role {work.roles}."
    able = "There is 1." if work.able == 1 else f"There are {work.able}."
    return (
        f"Each needs {people} with the role {work.roles} who did no earlier step of it, so "
        f"{work.needed + work.barred} in all. {able}"
    )


def run_step(run: RunFacts) -> Step:
    left = run.left
    active = min(left + run.outdated, run.unfinished) if run.is_active else 0
    if run.is_active and run.unfinished and not active:  # It does again what was done.
        active = min(run.done, run.unfinished)
        run = replace(run, done=run.done - active)
        left = active
    stuck, reasons, action = _stuck_run(run, left, active)
    in_progress = 0 if run.silence else active
    waiting = max(0, left - in_progress - stuck)
    later = waiting if run.waits_for else 0
    outdated = max(0, run.outdated - max(0, in_progress + stuck - left))
    is_waiting = bool(run.waits_for and left and not reasons)
    return Step(
        run.key, run.label, MODELS, run.noun,
        done=min(run.done, run.total) - run.outdated,
        in_progress=in_progress,
        waiting=waiting - later,
        stuck=stuck,
        later=later,
        outdated=outdated,
        left_out=run.left_out,
        reasons=(*reasons, *((run.waits_for,) if is_waiting else ()), *run.notes),
        action=None if later and not stuck and not in_progress else action,
        run=run.kind,
        is_optional=run.is_optional,
    )  # fmt: skip


def _stuck_run(run: RunFacts, left: int, active: int) -> tuple[int, tuple[str, ...], Action | None]:
    see = Action(f"See run {run.run}", "inference:run", (run.run,))
    if run.is_active:
        if not run.silence:
            return 0, (), see
        return active, (run.silence,), see
    if left and run.is_failed:
        return left, (f"Run {run.run} failed: {run.reason}",), see
    if left and run.failed:
        failed = min(left, run.failed)
        return failed, (f"Run {run.run} failed for {counted(run.failed, run.noun)}.",), see
    if left and not run.has_model and not run.waits_for:
        return left, ("No model in use can do this.",), Action("Models", "inference:models")
    new = Action(f"New {run.label.lower()} run", "inference:new_run", query=run.query)
    is_due = left or run.outdated or 0 < run.left_out == run.total
    return 0, (), new if is_due else None


def counted(number: int, noun: Noun) -> str:
    return f"{number:,} {noun[number != 1]}"

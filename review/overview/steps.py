"""Steps, how they follow from counts of people's and models' work, and which comes next. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from review.overview.facts import Facts, Noun, RunFacts, WorkFacts

CLIPS, VIDEOS = ("clip", "clips"), ("video", "videos")
PEOPLE, MODELS, ADMIN = "people", "models", "admin"


@dataclass(frozen=True)
class Action:
    """A button: its words, and the page with the keys in its address after the project's."""

    label: str
    page: str
    keys: tuple[object, ...] = ()
    query: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Step:
    """One step with its counts. `later`: what earlier steps have not reached yet. `who` does it:
    people, models, or an admin. `reasons`: why something is stuck, or what to know. The pace of
    `work` or `run` predicts when it is done; `places`: the number of people's submissions left.
    `after`: the key of the step of people's work whose results `later` waits for. `comes_last`:
    only when nothing else is left.
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
    reasons: tuple[str, ...] = ()
    action: Action | None = None
    work: str = ""
    run: str = ""
    places: int = 0
    after: str = ""
    is_optional: bool = False
    comes_last: bool = False

    @property
    def left(self) -> int:
        return self.in_progress + self.waiting + self.stuck + self.later

    @property
    def total(self) -> int:
        return self.done + self.left

    @property
    def state(self) -> str:
        """Return the state in a word, which is a badge's key."""
        if self.stuck:
            return "stuck"
        if self.in_progress:
            return "in progress"
        if self.waiting:
            return "waiting"
        if self.later or not self.total:
            return "later"
        return "done"


@dataclass(frozen=True)
class Lane:
    """Steps in order. Only the first lane decides when the project is done."""

    title: str
    steps: tuple[Step, ...]


def next_step(lanes: Sequence[Lane]) -> Step | None:
    """Return the step that needs an admin: in each lane the first that is stuck or that an admin or
    a model can begin, else the first of people's work, and a release last.
    """
    for lane in lanes:
        steps = [step for step in lane.steps if step.action and not step.is_optional]
        begun = [step for step in steps if not step.comes_last]
        for chosen in (
            (step for step in begun if step.stuck or (step.waiting and step.who != PEOPLE)),
            (step for step in begun if step.waiting),
            (step for step in steps if step.comes_last and (step.waiting or step.stuck)),
        ):
            if step := next(iter(chosen), None):
                return step
    return None


def people_step(
    facts: Facts, kind: str, title: str, noun: Noun, of: int = 0, after: str = ""
) -> Step:
    """Return a step of people's work; `of` is how many will pass it, where each does, `after` the
    step that they come from."""
    work = facts.work[kind]
    later = max(0, of - work.open - work.done)
    stuck, reasons, action = missing_people(work)
    held = min(work.held, work.open)
    stuck = min(stuck, work.open - held)
    return Step(
        kind, title, PEOPLE, noun,
        done=work.done,
        in_progress=held,
        waiting=work.open - held - stuck,
        stuck=stuck,
        later=later or work.waiting,
        reasons=reasons,
        action=action if work.open else None,
        work=kind,
        places=work.places + (later or work.waiting) * work.needed,
        after=after,
    )  # fmt: skip


def missing_people(work: WorkFacts) -> tuple[int, tuple[str, ...], Action]:
    members = Action("Members", "annotate:members")
    if work.open and not work.able:
        return work.open, (f"Nobody has the role {work.roles}.",), members
    if work.open and work.able < work.needed:
        who = f"{work.able} member may" if work.able == 1 else f"{work.able} members may"
        sentence = f"Each needs {work.needed} people, and {who} do it, by the role {work.roles}."
        return work.open, (sentence,), members
    if work.stranded:
        sentence = f"{work.stranded} skipped by everybody who may do it."
        return work.stranded, (sentence,), Action("See who skipped", "review:activity")
    return 0, (), Action("Open work", "annotate:my_work")


def run_step(run: RunFacts) -> Step:
    left = max(0, run.total - run.done)
    active = min(left, run.unfinished) if run.is_active else 0
    stuck, reasons, action = _stuck_run(run, left, active)
    in_progress = 0 if run.silence else active
    waiting = left - in_progress - stuck
    later = waiting if run.waits_for else 0
    return Step(
        run.key, run.label, MODELS, run.noun,
        done=min(run.done, run.total),
        in_progress=in_progress,
        waiting=waiting - later,
        stuck=stuck,
        later=later,
        reasons=reasons or ((run.waits_for,) if run.waits_for and left else ()),
        action=None if later and not stuck else action,
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
    return 0, (), new if left else None


def counted(number: int, noun: Noun) -> str:
    return f"{number:,} {noun[number != 1]}"

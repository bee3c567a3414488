"""The steps that every protocol can have: import, release and comparisons. Pure."""

from __future__ import annotations

from dataclasses import replace

from review.overview.board import Board
from review.overview.facts import Facts, Votes
from review.overview.steps import (
    ADMIN,
    CLIPS,
    PEOPLE,
    VIDEOS,
    Action,
    State,
    Step,
    counted,
    missing_people,
)

FILES, UPLOADS = ("file", "files"), ("upload", "uploads")


def import_step(board: Board) -> Step:
    facts = board.facts
    files = facts.imports
    by_cutting = sum(run.left_out for run in facts.runs if run.key == "segment")
    left_out = files.videos - facts.videos - by_cutting
    step = Step(
        "import", "Import", ADMIN, VIDEOS,
        done=files.videos - left_out,
        in_progress=files.running,
        stuck=files.failed + files.stopped,
        left_out=left_out,
        dismissed=files.dismissed,
        action=Action("Upload videos", "annotate:upload"),
    )  # fmt: skip
    see = Action("See the imports", "annotate:imports")
    if step.stuck:
        reasons = []
        if files.failed:
            failed, again = counted(files.failed, FILES), "it" if files.failed == 1 else "them"
            reasons.append(f"{failed} failed to import. Import {again} again, or dismiss {again}.")
        if files.stopped:
            uploads = counted(files.stopped, UPLOADS)
            reasons.append(f"{uploads} stopped. Choose the same file again, or cancel the upload.")
        return replace(step, reasons=tuple(reasons), action=see)
    if files.running:
        return replace(step, action=see)
    if not files.videos:
        begin = "No video is here yet. Upload files, or import them from addresses."
        return replace(step, needs_start=True, reasons=(begin,))
    if step.state == State.LEFT_OUT:
        back = "Every video is left out. Take one back on its page, or import others."
        return replace(step, reasons=(back,))
    return step


def without_small(step: Step, facts: Facts) -> Step:
    """Add the clips that are too short or too small for the project, if there are any."""
    if not facts.small:
        return step
    reason = f"{counted(facts.small, CLIPS)} left out by the limits: {facts.why_small}."
    step = replace(step, left_out=facts.small, reasons=(*step.reasons, reason))
    if step.state == State.LEFT_OUT:
        return replace(step, action=Action("Change the limits", "annotate:project_settings"))
    return step


def release(board: Board) -> Step:
    """Return the release. Where it comes last, it waits for the required steps before it."""
    facts, plan = board.facts, board.protocol.release
    before = list(board.steps.values()) if plan.is_last else []
    check = board.steps[plan.check] if plan.check else None
    fresh = max(0, facts.complete - facts.released)
    reasons = []
    first = next((step for step in before if not (step.is_settled or step.is_optional)), None)
    waits = first is not None and fresh > 0
    if check and waits and not check.is_settled:
        begun = "isn’t finished" if check.total else "hasn’t begun"
        reasons.append(f"{check.title} {begun}: people have to check first.")
    elif first and waits:
        reasons.append(f"{first.title} comes first.")
    if facts.unsigned:
        wait = "waits" if facts.unsigned == 1 else "wait"
        reasons.append(f"{counted(facts.unsigned, CLIPS)} {wait} for sign-offs.")
    if facts.complete and not facts.has_license:
        reasons.append("The project states no license.")
    if facts.complete and facts.unlicensed:
        reasons.append(
            f"The license of {counted(facts.unlicensed, VIDEOS)} of the project is unknown."
        )
    title = f"Release {facts.release}" if facts.release else "Release"
    build = Action("Build a release", "review:release_studio")
    return Step(
        "release", title, ADMIN, plan.noun,
        done=min(facts.released, facts.complete) if facts.complete else facts.released,
        waiting=0 if waits else fresh,
        later=(fresh if waits else 0) + facts.unsigned,
        reasons=tuple(reasons),
        action=build if facts.complete and not waits else None,
    )  # fmt: skip


def _left_out(votes: Votes) -> tuple[str, ...]:
    """Return a sentence on how many votes of an ended round the leaderboard counts, unless it
    counts all.
    """
    if votes.counted is None or votes.counted == votes.votes:
        return ()
    return (
        "Repeats and replaced votes are left out here. "
        f"{votes.counted:,} of them count; Leaderboard → Votes says why the others don’t.",
    )


def model_captions(board: Board) -> Step:
    votes = board.facts.votes
    return Step(
        "model-captions", "Model captions", ADMIN, ("set", "sets"),
        done=votes.sets,
        needs_start=not votes.sets,
        action=Action("Add model captions", "review:report_page", ("caption-sets",)),
        is_optional=True,
    )  # fmt: skip


def compare(board: Board) -> Step:
    votes, work = board.facts.votes, board.facts.work["compare"]
    may_open = votes.sets >= 2 and not votes.is_open
    if not votes.is_open:
        needs = ("A round needs two sets of model captions.",)
        return Step(
            "compare", "Compare", ADMIN, ("vote", "votes"),
            done=votes.votes,
            needs_start=may_open and not votes.round,
            reasons=_left_out(votes) if may_open or votes.round else needs,
            action=Action("Open a round", "review:comparisons") if may_open else None,
            is_optional=True,
        )  # fmt: skip
    left = max(0, votes.planned - votes.votes)
    if votes.votes and not left:
        end = "All votes are cast. Ending the round counts those that still wait to be counted."
        return Step(
            "compare", f"Compare, round {votes.round}", ADMIN, ("vote", "votes"),
            done=votes.votes,
            needs_start=True,
            reasons=(end,),
            action=Action("End the round", "review:comparisons"),
        )  # fmt: skip
    stuck, reasons, action = missing_people(replace(work, open=left, stranded=0))
    held = min(work.held, left)
    stuck = min(stuck, left)
    return Step(
        "compare", f"Compare, round {votes.round}", PEOPLE, ("vote", "votes"),
        done=votes.votes,
        in_progress=0 if stuck else held,
        waiting=left - stuck - (0 if stuck else held),
        stuck=stuck,
        reasons=reasons,
        action=action,
        work="compare",
        places=left,
    )  # fmt: skip

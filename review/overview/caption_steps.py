"""The steps by which models write captions and people check them, from those before. Pure."""

from __future__ import annotations

from dataclasses import replace

from review.overview.board import Board
from review.overview.facts import Facts
from review.overview.steps import (
    ADMIN,
    CLIPS,
    VIDEOS,
    Action,
    State,
    Step,
    counted,
    people_step,
    skipped,
)

MODEL_CAPTIONS = ("model caption", "model captions")
UNSCORED = "No clip has a model caption."


def segment(board: Board) -> Step:
    step = board.run("segment")
    return skipped(step, "The clips were imported one by one.") if step.is_optional else step


def dynamics(board: Board) -> Step:
    facts = board.facts
    if board.steps["segment"].is_optional and not facts.work["dynamics"].all:
        return skipped(_dynamics(facts), "No video was cut here.")
    return _dynamics(facts)


def theme(board: Board) -> Step:
    """Return the step as skipped, if captions are written without themes."""
    step, caption = board.run("theme"), board.run("caption")
    has_begun = bool(caption.done or caption.outdated or caption.in_progress)
    if has_begun and not (step.done or step.in_progress):
        return replace(step, is_skipped=True, waiting=0, stuck=0, later=0)
    return step


def score(board: Board) -> Step:
    """Human captions are neither scored nor refined."""
    return _if_scored(board, replace(board.run("score"), noun=MODEL_CAPTIONS))


def verify(board: Board) -> Step:
    """Return the check of a sample of the model captions, which an admin hands out."""
    step = people_step(board.facts, "verify", "Verify", ("caption", "captions"))
    if not board.facts.work["verify"].all and board.steps["score"].state == State.DONE:
        step = replace(
            step,
            who=ADMIN,
            needs_start=True,
            reasons=("Nobody has been given a caption to verify yet.",),
            action=Action("Start a study", "review:report_page", ("threshold",)),
        )
    return _if_scored(board, step)


def threshold(board: Board) -> Step:
    return _if_scored(board, _threshold(board.facts, board.steps["score"]))


def refine(board: Board) -> Step:
    step = replace(board.run("refine"), noun=MODEL_CAPTIONS)
    if _is_unscored(board):
        return _if_scored(board, step)
    if board.steps["threshold"].done and board.steps["score"].is_settled and not step.total:
        return skipped(step, "Every scored caption reaches the threshold.")
    return step


def hand(board: Board) -> Step:
    step = people_step(board.facts, "hand", "Write by hand", CLIPS)
    if board.steps["refine"].is_settled and not step.total:
        return skipped(step, "No caption has to be written by hand.")
    return step


def fuse(board: Board) -> Step:
    step = board.run("fuse")
    if board.steps["hand"].is_settled and not step.total:
        return skipped(step, "No video is cut into clips.")
    return step


def rate(board: Board) -> Step:
    step = people_step(board.facts, "rate", "Rate", ("caption", "captions"))
    if "fuse" in board.steps and not step.total and board.steps["fuse"].done:
        action = Action("Start a rating study", "review:report_page", ("ratings",))
        return replace(step, action=action, is_optional=True, needs_start=True)
    return step


def _is_unscored(board: Board) -> bool:
    """Return whether all captions are there, and none is a model's."""
    facts_of_run = board.run("score")
    return board.steps["caption"].is_settled and not facts_of_run.total


def _if_scored(board: Board, step: Step) -> Step:
    return skipped(step, UNSCORED) if _is_unscored(board) and not step.done else step


def _dynamics(facts: Facts) -> Step:
    step = people_step(facts, "dynamics", "Check dynamics", VIDEOS)
    if not facts.undecided:
        return step
    number = facts.undecided
    verb = "is" if number == 1 else "are"
    return replace(
        step,
        done=max(0, step.done - number),
        stuck=step.stuck + number,
        reasons=(*step.reasons, f"{counted(number, VIDEOS)} {verb} undecided: people disagree."),
        action=Action("Undecided videos", "annotate:disputed_videos"),
    )


def _threshold(facts: Facts, score: Step) -> Step:
    scores = facts.scores
    is_due = scores.threshold is None and score.state == State.DONE
    reasons: tuple[str, ...] = ()
    if is_due:
        reasons = (f"No threshold is adopted. Refine would use {scores.default:g}.",)
    elif scores.threshold is not None:
        reasons = (f"{scores.threshold:g} for {scores.name}.",)
    adopt = Action("Adopt a threshold", "review:report_page", ("threshold",))
    return Step(
        "threshold", "Adopt a threshold", ADMIN, ("threshold", "thresholds"),
        done=int(scores.threshold is not None),
        waiting=int(is_due),
        later=int(scores.threshold is None and not is_due),
        reasons=reasons,
        action=adopt if is_due or scores.threshold is not None else None,
    )  # fmt: skip

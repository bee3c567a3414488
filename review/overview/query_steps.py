"""The steps from labels to verified triplets. Pure."""

from __future__ import annotations

from dataclasses import replace

from review.modifications.runs import WRITE_MODIFICATIONS
from review.overview.board import Board
from review.overview.steps import ADMIN, CLIPS, MODELS, VIDEOS, Action, Step, people_step
from review.pairs.comparison import COMPARE_LABELS
from review.triplets.sets import GENERATE_TRIPLETS

REJECTED = "Every judged pair was rejected. Compare labels again with other limits."


def labels(board: Board) -> Step:
    facts, labeled = board.facts, board.facts.queries.labeled
    step = Step(
        "labels", "Import labeled clips", ADMIN, CLIPS,
        done=labeled,
        needs_start=facts.videos > 0 and not labeled,
    )  # fmt: skip
    if not facts.videos:
        return step
    reasons = () if labeled else ("No clip has a label yet.",)
    action = Action("Import labeled clips", "annotate:dataset")
    return replace(step, action=action, reasons=reasons)


def split_videos(board: Board) -> Step:
    facts = board.facts
    missing = facts.queries.without_split
    return Step(
        "split-videos", "Split the videos", ADMIN, VIDEOS,
        done=facts.videos - missing if facts.queries.labeled else 0,
        waiting=missing,
        action=Action("Split the videos", "review:split_videos") if missing else None,
    )  # fmt: skip


def compare_labels(board: Board) -> Step:
    queries, judged = board.facts.queries, board.facts.work["pair"]
    is_rejected = judged.done > 0 and not (judged.open or judged.waiting or queries.directions)
    step = Step(
        "compare-labels", "Compare labels", ADMIN, ("label pair", "label pairs"),
        done=queries.pairs,
        needs_start=(queries.labeled > 0 and not queries.pairs) or is_rejected,
        reasons=(REJECTED,) if is_rejected else (),
        action=Action("Compare labels", "review:label_pairs") if queries.labeled else None,
    )  # fmt: skip
    return _worked_on(step, board, COMPARE_LABELS)


def pair(board: Board) -> Step:
    step = people_step(board.facts, "pair", "Judge label pairs", ("label pair", "label pairs"))
    if board.facts.queries.pairs and not board.facts.work["pair"].all:
        action = Action("Hand out label pairs", "review:label_pairs")
        return replace(step, who=ADMIN, needs_start=True, action=action)
    return step


def write_texts(board: Board) -> Step:
    queries = board.facts.queries
    missing = queries.without_text
    step = Step(
        "write-texts", "Write modification texts", MODELS, ("text", "texts"),
        done=max(0, queries.directions - missing),
        waiting=missing,
        action=Action("Write texts", "review:modifications") if missing else None,
    )  # fmt: skip
    return _worked_on(step, board, WRITE_MODIFICATIONS)


def modify(board: Board) -> Step:
    return people_step(board.facts, "modify", "Accept texts", ("text", "texts"))


def triplets(board: Board) -> Step:
    queries = board.facts.queries
    is_due = queries.accepted > 0 and not (queries.triplets or queries.is_generating)
    is_stopped = bool(queries.reason)
    step = Step(
        "triplets", "Generate triplets", ADMIN, ("triplet", "triplets"),
        done=queries.triplets,
        in_progress=int(queries.is_generating),
        needs_start=is_due and not is_stopped,
        stuck=int(is_stopped),
        reasons=(queries.reason,) if is_stopped else (),
        action=Action("Generate triplets", "review:triplets") if queries.accepted else None,
    )  # fmt: skip
    return _worked_on(step, board, GENERATE_TRIPLETS)


def triplet(board: Board) -> Step:
    step = people_step(board.facts, "triplet", "Verify triplets", ("query", "queries"))
    if board.facts.queries.triplets and not board.facts.work["triplet"].all:
        action = Action("Hand out queries", "review:triplets")
        reasons = ("Nobody has been given a query to verify yet.",)
        return replace(step, who=ADMIN, needs_start=True, action=action, reasons=reasons)
    return step


def _worked_on(step: Step, board: Board, kind: str) -> Step:
    """Return the step as in progress, if a job of this kind does it now."""
    job = board.facts.queries.jobs.get(kind)
    if job is None:
        return step
    return replace(
        step,
        in_progress=max(1, step.waiting),
        waiting=0,
        needs_start=False,
        action=Action("See the job", "annotate:job", (job,)),
    )

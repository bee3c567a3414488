"""The lanes of a protocol with their counts: how each step counts and explains itself. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from annotate.kinds import is_kind, kind_facts
from annotate.protocols import protocol as data
from annotate.protocols import protocol_of
from review.overview import caption_steps, query_steps
from review.overview.board import Board, Build
from review.overview.facts import Facts
from review.overview.shared_steps import (
    compare,
    import_step,
    model_captions,
    release,
    without_small,
)
from review.overview.steps import CLIPS, Lane, Step, people_step

STEPS: dict[str, Build] = {
    "import": import_step,
    "release": release,
    "model-captions": model_captions,
    "compare": compare,
    "segment": caption_steps.segment,
    "dynamics": caption_steps.dynamics,
    "theme": caption_steps.theme,
    "caption": lambda board: board.run("caption"),
    "score": caption_steps.score,
    "verify": caption_steps.verify,
    "threshold": caption_steps.threshold,
    "refine": caption_steps.refine,
    "hand": caption_steps.hand,
    "fuse": caption_steps.fuse,
    "rate": caption_steps.rate,
    "labels": query_steps.labels,
    "split-videos": query_steps.split_videos,
    "compare-labels": query_steps.compare_labels,
    "pair": query_steps.pair,
    "write-texts": query_steps.write_texts,
    "modify": query_steps.modify,
    "triplets": query_steps.triplets,
    "triplet": query_steps.triplet,
}


def lanes_of(facts: Facts) -> list[Lane]:
    """Return the lanes of the project's protocol."""
    board = Board(facts, protocol_of(facts.protocol))
    return [Lane(lane.title, tuple(_built(board, lane))) for lane in board.protocol.lanes]


def can_count(plan: data.Step) -> bool:
    """Return whether the board can count a step with this key."""
    return is_kind(plan.key) or plan.key in STEPS or plan.key.startswith("embed-")


def _built(board: Board, lane: data.Lane) -> Iterator[Step]:
    for plan in lane.steps:
        if _is_shown(board.facts, plan):
            step = _step(board, plan)
            board.steps[plan.key] = step
            yield step


def _is_shown(facts: Facts, plan: data.Step) -> bool:
    """Return whether the step is one of this project: an optional one if somebody uses it, a run if
    it has been counted."""
    if plan.key.startswith("embed-"):
        return any(run.key == plan.key for run in facts.runs)
    if plan.is_optional and plan.key not in STEPS:
        return bool(facts.work[plan.key].all or (plan.key == "signoff" and facts.sign_offs))
    return True


def _step(board: Board, plan: data.Step) -> Step:
    if plan.key in STEPS:
        return STEPS[plan.key](board)
    if plan.is_on_each_clip:
        step = board.work_on_each_clip(plan, _title(plan))
        return without_small(step, board.facts) if plan.opens else step
    if is_kind(plan.key):
        return people_step(board.facts, plan.key, _title(plan), ("text", "texts"))
    return _embedding(board.run(plan.key), board.facts)


def _title(plan: data.Step) -> str:
    kind = kind_facts(plan.key)
    return kind.step_title or kind.label


def _embedding(step: Step, facts: Facts) -> Step:
    """Add why more captions than clips are embedded, if so."""
    if step.run != "embed" or step.noun == CLIPS or step.total <= facts.clips:
        return step
    return replace(step, reasons=(*step.reasons, "Earlier captions of a clip count, too."))

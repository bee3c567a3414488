"""The train triplets that a set's caps leave, counted before any is made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from annotate.models import Video
from review.modifications.models import Modification
from review.triplets.caps import Caps, balance, share_of_largest
from review.triplets.possible import LabeledClips


@dataclass(frozen=True)
class Step:
    """The train triplets after a cap, in how many directions, and how many it leaves out.
    `largest` is the share of the largest directions.
    """

    name: str
    triplets: int
    directions: int
    left_out: int
    largest: float | None


@dataclass(frozen=True)
class TrainPlan:
    """`kept`: the triplets of each direction, by modification."""

    steps: list[Step]
    kept: dict[int, int]


def plan_train(
    clips: LabeledClips,
    modifications: Sequence[Modification],
    caps: Caps,
    *,
    is_apart: bool,
    seed: int,
) -> TrainPlan:
    targets = {
        modification.pk: clips.count_targets(modification, Video.Split.TRAIN, is_apart=is_apart)
        for modification in modifications
    }
    numbers = {key: sum(counts) for key, counts in targets.items()}
    steps = [_step("All possible", numbers, numbers)]
    of_queries = {key: caps.of_queries(counts) for key, counts in targets.items()}
    of_directions = caps.of_directions(of_queries)
    in_all = balance(of_directions, caps.triplets, seed)
    for name, cap, before, after in (
        ("Targets per train query", caps.per_query, numbers, of_queries),
        ("Train triplets per direction", caps.per_direction, of_queries, of_directions),
        ("Train triplets in all", caps.triplets, of_directions, in_all),
    ):
        if cap:
            steps.append(_step(f"{name}: {cap:,}", before, after))
    return TrainPlan(steps, in_all)


def _step(name: str, before: dict[int, int], after: dict[int, int]) -> Step:
    kept = [number for number in after.values() if number]
    triplets = sum(kept)
    return Step(name, triplets, len(kept), sum(before.values()) - triplets, share_of_largest(kept))

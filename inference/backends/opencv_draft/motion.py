"""A shot's motion: what its steps have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from inference.backends.opencv_draft.steps import Step

Vector = tuple[float, float]

DRIFT = 0.015  # picture widths a second; slower motion is the measurement's own error
SHAKE = 0.03  # picture widths a second, for motion without a net direction
PULL = 0.04  # growth a second; slower zoom is the measurement's own error
STEADY = 0.7  # share of the path of all steps that the distance covers at least
COURSE_STEPS = 9  # steps needed to distinguish the thirds of a shot
MAX_STEPS = 0.5  # share of the steps that must be measured for a statement about the shot
UNCHANGED = 0.002  # share of the picture; less is coding noise


@dataclass(frozen=True)
class Motion:
    """Means over a shot's steps, which are `seconds` apart; units as in Step.

    `picture`: motion of the whole picture, (0, 0) if it stays in place, None if unknown. `wanders`:
    its direction changes. `zoom`: 0 if the picture keeps its size. `changed`: share of the picture
    that also changes within a step; 0 if it is only noise. `thirds`: how that is spread over left,
    middle and right. `when`: how it is spread over the first, second and last third of the shot;
    None with too few steps. `object`: its motion relative to the picture; None without a main
    direction.
    """

    seconds: float
    picture: Vector | None
    wanders: bool
    zoom: float
    changed: float
    thirds: tuple[float, float, float]
    when: tuple[float, float, float] | None
    object: Vector | None

    @property
    def still(self) -> bool:
        return self.changed == 0 and self.zoom == 0 and self.picture in (None, (0.0, 0.0))


def sum_up(steps: Sequence[Step]) -> Motion | None:
    """Average the steps; return None without measured steps."""
    if not steps:
        return None
    shifts = [step.picture for step in steps if step.picture is not None]
    fitted = len(shifts) >= MAX_STEPS * len(steps)
    picture, wanders = _drift(shifts) if fitted else (None, False)
    zooms = [step.zoom for step in steps if step.picture is not None]
    changed = _mean(steps, lambda step: step.changed)
    if changed < UNCHANGED:
        changed = 0.0
    return Motion(
        seconds=_mean(steps, lambda step: step.seconds),
        picture=picture,
        wanders=wanders,
        zoom=_pull(zooms) if fitted else 0.0,
        changed=changed,
        thirds=_spread(steps),
        when=_course(steps),
        object=_direction(steps) if changed else None,
    )


def _mean(steps: Sequence[Step], figure: Callable[[Step], float]) -> float:
    return float(np.mean([figure(step) for step in steps]))


def _drift(shifts: Sequence[Vector]) -> tuple[Vector, bool]:
    """Return the mean shift (0, 0 if it is negligible), and whether its direction changes."""
    vectors = np.array(shifts)
    way = float(np.linalg.norm(vectors, axis=1).mean())
    if way < DRIFT:
        return (0.0, 0.0), False
    mean = vectors.mean(axis=0)
    wanders = float(np.linalg.norm(mean)) < STEADY * way
    if wanders and way < SHAKE:
        return (0.0, 0.0), False
    return (float(mean[0]), float(mean[1])), wanders


def _pull(zooms: Sequence[float]) -> float:
    way, mean = float(np.abs(zooms).mean()), float(np.mean(zooms))
    return mean if way >= PULL and abs(mean) >= STEADY * way else 0.0


def _spread(steps: Sequence[Step]) -> tuple[float, float, float]:
    """Return the change in the left, middle and right third; it sums to 1, or is all 0 without
    change.
    """
    weighted = np.array([[step.changed * third for third in step.thirds] for step in steps])
    total = float(weighted.sum()) or 1.0
    left, middle, right = weighted.sum(axis=0) / total
    return float(left), float(middle), float(right)


def _course(steps: Sequence[Step]) -> tuple[float, float, float] | None:
    """Return the change in each third of the shot; it sums to 1 if anything changes. Steps are
    evenly spaced.
    """
    if len(steps) < COURSE_STEPS:
        return None
    changed = np.array([step.changed for step in steps])
    first, second, last = (float(part.mean()) for part in np.array_split(changed, 3))
    total = first + second + last or 1.0
    return first / total, second / total, last / total


def _direction(steps: Sequence[Step]) -> Vector | None:
    """Return the mean motion of what changes, weighted by its amount; None without a main
    direction.
    """
    moving = [(step.object, step.changed) for step in steps if step.object is not None]
    if len(moving) < MAX_STEPS * len(steps):
        return None
    vectors, weights = (np.array(part) for part in zip(*moving, strict=True))
    way = float((np.linalg.norm(vectors, axis=1) * weights).sum() / weights.sum())
    x, y = (vectors * weights[:, None]).sum(axis=0) / weights.sum()
    if way < DRIFT or float(np.hypot(x, y)) < STEADY * way:
        return None
    return float(x), float(y)

"""A caption made only of measured facts, without a model.

It gives the length of a clip, its cuts, its colors and their places, its brightness, contrast and
sharpness, and how much of it moves in which direction. It never says what is shown: no thing,
person or action is recognized. Faces are left out because OpenCV 5 ships no trained detector, and
this backend downloads nothing.

Motion can only be measured between close frames. Caption runs therefore sample by SAMPLING,
whatever other models get; about frames further apart, the text doesn't mention motion, and speaks
of views instead of shots. Fades and dissolves don't count as cuts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2

from inference.backends.opencv_draft.facts import MAX_SIDE, measure_clip, shrink
from inference.backends.opencv_draft.pictures import look_at
from inference.backends.opencv_draft.words import write, write_frame, write_theme
from inference.backends.protocols import (
    BackendError,
    CaptionRequest,
    ClipFrames,
    Frames,
    Generation,
    ModelSettings,
)
from inference.sampling import MEASURED

__all__ = [
    "MAX_SIDE",
    "SAMPLING",
    "OpenCVDraft",
    "describe",
    "describe_frame",
    "describe_theme",
    "load",
]

# Detects every shot of at least a quarter of a second in a clip of up to 30 seconds.
SAMPLING = MEASURED


class OpenCVDraft:
    def caption(
        self, requests: Sequence[CaptionRequest], generation: Generation
    ) -> list[str | BackendError]:
        """Describe each clip. The prompt and `generation` are ignored: the measurements are always
        the same.
        """
        return [_attempt(describe, request.clip) for request in requests]

    def name_themes(self, clips: Sequence[ClipFrames]) -> list[str | BackendError]:
        """Return a phrase of measured facts, which names no topic."""
        return [_attempt(describe_theme, clip) for clip in clips]


def load(settings: ModelSettings) -> OpenCVDraft:
    """Return the backend, which loads nothing; every backend takes `settings`."""
    return OpenCVDraft()


def describe(clip: ClipFrames) -> str:
    """Return paragraphs separated by an empty line: the clip's, and one per shot if it has several.

    Raises ValueError if `clip` breaks the contract of ClipFrames.
    """
    return write(measure_clip(clip))


def describe_frame(frame: Frames) -> str:
    """Describe a frame, RGB of shape (height, width, 3)."""
    height, width = frame.shape[:2]
    return write_frame(look_at(shrink(frame[None])), width / height)


def describe_theme(clip: ClipFrames) -> str:
    """Return a phrase instead of paragraphs. Raises ValueError like `describe`."""
    return write_theme(measure_clip(clip))


def _attempt(say: Callable[[ClipFrames], str], clip: ClipFrames) -> str | BackendError:
    try:
        return say(clip)
    except (ValueError, cv2.error) as error:
        return BackendError("not_measured", f"The clip could not be measured. {error}")

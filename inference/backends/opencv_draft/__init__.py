"""A caption made only of measured facts, without a model.

It says how long a clip is, where it is cut, which colors it has and where, how bright, contrasty
and sharp it is, how much of it moves and which way. It never says what is shown: no thing, person
or deed is recognized. Faces are left out because OpenCV 5 ships no trained detector, and this
backend downloads nothing.

Motion can only be measured between frames that lie close together. Caption runs therefore sample
by SAMPLING, whatever other models are given; of frames that lie further apart the text keeps
silent about motion, and speaks of views instead of shots. Fades and dissolves are no hard cuts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2

from inference.backends.opencv_draft.facts import LONGEST_SIDE, measure_clip, shrink
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
    "LONGEST_SIDE",
    "SAMPLING",
    "OpenCVDraft",
    "describe",
    "describe_frame",
    "describe_theme",
    "load",
]

# Sees every shot of a quarter of a second in a clip of up to 30 seconds.
SAMPLING = MEASURED


class OpenCVDraft:
    def caption(
        self, requests: Sequence[CaptionRequest], generation: Generation
    ) -> list[str | BackendError]:
        """The prompt and `generation` change nothing: what is measured is always the same."""
        return [_attempt(describe, request.clip) for request in requests]

    def name_themes(self, clips: Sequence[ClipFrames]) -> list[str | BackendError]:
        """Return a phrase of measured facts, which names no topic."""
        return [_attempt(describe_theme, clip) for clip in clips]


def load(settings: ModelSettings) -> OpenCVDraft:
    """There is nothing to load; `settings` is what every backend takes."""
    return OpenCVDraft()


def describe(clip: ClipFrames) -> str:
    """Paragraphs apart by an empty line: the clip's, and each shot's where it has several.

    Raise ValueError where `clip` is not as ClipFrames promises.
    """
    return write(measure_clip(clip))


def describe_frame(frame: Frames) -> str:
    """`frame`: RGB, shape (height, width, 3)."""
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

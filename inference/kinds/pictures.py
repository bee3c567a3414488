"""The frames of a clip, for all kinds of run."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from annotate import file_store
from annotate.errors import ItemFailed
from annotate.models import Clip
from inference.backends.protocols import ClipFrames
from inference.frames import ClipUnreadableError, read_clip
from inference.sampling import Sampling


@dataclass(frozen=True)
class ClipSource:
    """The location of a clip's frames, as plain data for a thread."""

    path: Path
    start_frame: int
    end_frame: int
    fps: Fraction

    @classmethod
    def of(cls, clip: Clip) -> ClipSource:
        return cls(
            file_store.local_file(clip.video.playback_file),
            clip.start_frame,
            clip.end_frame,
            clip.video.fps,
        )

    def read(self, sampling: Sampling, *, longest_side: int | None = None) -> ClipFrames:
        """Raises ItemFailed if the frames can't be read."""
        try:
            return read_clip(
                self.path,
                self.start_frame,
                self.end_frame,
                self.fps,
                sampling,
                longest_side=longest_side,
            )
        except ClipUnreadableError as error:
            raise ItemFailed(error.code, str(error)) from error

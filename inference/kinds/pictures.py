"""The frames of a clip, for all kinds of run."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from annotate import file_store
from annotate.corpus.services.clip_files import cut_clip
from annotate.corpus.signed_clips import signed_address
from annotate.errors import ItemFailed
from annotate.media.errors import MediaError
from annotate.models import Clip
from inference.backends.clip_forms import reads_addresses
from inference.backends.protocols import ClipFrames, ModelSettings
from inference.frames import ClipUnreadableError, read_clip
from inference.sampling import Sampling

ONE_FRAME = Sampling("middle", count=1)


@dataclass(frozen=True)
class ClipSource:
    """The location of a clip's frames, as plain data for a thread. `address`: where the model's
    server reads the clip itself; `fault`: why it can't.
    """

    path: Path
    start_frame: int
    end_frame: int
    fps: Fraction
    address: str = ""
    fault: ItemFailed | None = None

    @classmethod
    def of(cls, clip: Clip, model: ModelSettings | None = None) -> ClipSource:
        """Return the source of the clip, for this model. For a server that reads addresses, cut the
        clip into a file of its own; so call this outside any transaction.
        """
        source = cls(
            file_store.local_file(clip.video.playback_file),
            clip.start_frame,
            clip.end_frame,
            clip.video.fps,
        )
        if model is None or not reads_addresses(model):
            return source
        try:
            if not clip.spans_its_video:
                cut_clip(clip)
        except MediaError as error:
            return replace(source, fault=error)
        return replace(source, address=signed_address(clip))

    def read(self, sampling: Sampling, *, longest_side: int | None = None) -> ClipFrames:
        """Return the frames; of a clip with an address only one, which isn't sent. Raises
        ItemFailed if they can't be read.
        """
        if self.fault:
            raise self.fault
        try:
            clip = read_clip(
                self.path,
                self.start_frame,
                self.end_frame,
                self.fps,
                ONE_FRAME if self.address else sampling,
                longest_side=longest_side,
            )
        except ClipUnreadableError as error:
            raise ItemFailed(error.code, str(error)) from error
        return replace(clip, address=self.address)

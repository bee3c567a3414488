"""Decodes the sampled frames of a clip from its video's playback file, and keeps only those in
memory.

The playback file has a constant frame rate: frame n is shown at n/fps, so its timestamp identifies
it. This module loads PyAV, so web processes import `inference.sampling` instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from av import VideoFrame
from av.container import InputContainer
from av.error import FFmpegError
from av.video.reformatter import VideoReformatter
from av.video.stream import VideoStream
from numpy.typing import NDArray

from annotate.media.decoding import choose_video, exact
from annotate.media.errors import MediaError
from inference.backends.protocols import ClipFrames
from inference.sampling import Sampling

# Playback files have a keyframe every 1 to 6 seconds, so for larger gaps seeking is usually faster
# than decoding.
SEEK_SECONDS = 2
# A timestamp further from n/fps than this share of a frame means another frame rate.
TOLERANCE = Fraction(1, 4)
MAX_REORDERED = 16  # frames, in H.264


class ClipUnreadableError(Exception):
    """The clip's frames can't be read; `str(error)` says why and how to fix it."""

    code = "clip_unreadable"


def read_clip(
    path: Path,
    start_frame: int,
    end_frame: int,
    fps: Fraction,
    sampling: Sampling,
    *,
    longest_side: int | None = None,
) -> ClipFrames:
    """Return the frames of [start_frame, end_frame) that `sampling` selects, RGB.

    `fps` is the playback file's. Pictures whose longer side is above `longest_side` are scaled down
    to it. Raises ValueError for an empty range, and ClipUnreadableError for a file that is missing,
    damaged, too short, or has another frame rate.
    """
    if not 0 <= start_frame < end_frame:
        raise ValueError(f"Frames [{start_frame}, {end_frame}) are not a clip: they are empty.")
    fps = exact(fps)
    numbers = sampling.numbers(end_frame - start_frame, fps)
    distinct = sorted(set(numbers))
    frame_numbers = [start_frame + number for number in distinct]
    pictures: NDArray[np.uint8] | None = None
    try:
        converter = VideoReformatter()  # one for all frames: building its tables takes longest
        with av.open(str(path)) as container:
            for place, frame in enumerate(_pick(container, frame_numbers, fps)):
                picture = _picture(converter, frame, longest_side)
                if pictures is None:
                    pictures = np.empty((len(frame_numbers), *picture.shape), np.uint8)
                pictures[place] = picture
    except FileNotFoundError as error:
        raise ClipUnreadableError(
            "The playback file is missing from the media folder. Restore it from a backup."
        ) from error
    except FFmpegError as error:
        raise ClipUnreadableError(
            f"The playback file can't be decoded: {error.strerror}. Restore it from a backup."
        ) from error
    except MediaError as error:
        raise ClipUnreadableError(
            "The playback file holds no picture that can be decoded. Restore it from a backup."
        ) from error
    assert pictures is not None
    if len(numbers) > len(distinct):  # The last frames of a short clip are repeated.
        pictures = pictures[[distinct.index(number) for number in numbers]]
    return ClipFrames(pictures, numbers, end_frame - start_frame, float(fps))


def _pick(
    container: InputContainer, frame_numbers: Sequence[int], fps: Fraction
) -> Iterator[VideoFrame]:
    """Yield the frames numbered `wanted`, in increasing order; raises
    ClipUnreadableError at a gap.
    """
    stream = choose_video(container)
    reach = max(1, int(SEEK_SECONDS * fps))
    numbered: Iterator[tuple[int, VideoFrame]] = iter(())
    seen: int | None = None
    for number in frame_numbers:
        if seen is None or number - seen > reach:
            _seek(container, stream, number, fps)
            numbered = _number(container, stream, fps)
        numbered_frame = next((pair for pair in numbered if pair[0] >= number), None)
        if numbered_frame is None:
            raise ClipUnreadableError(
                f"The playback file ends before frame {number}. Restore it from a backup."
            )
        seen, frame = numbered_frame
        if seen > number:
            raise ClipUnreadableError(
                f"The playback file has no frame {number}. Restore it from a backup."
            )
        yield frame


def _seek(container: InputContainer, stream: VideoStream, number: int, fps: Fraction) -> None:
    """Seek to a keyframe at or before the frame."""
    # The index is in decoding order, in which B-frames come after frames that are shown later.
    early = max(0, number - MAX_REORDERED) if stream.codec_context.has_b_frames else number
    container.seek(int(early / fps / exact(stream.time_base)), stream=stream, backward=True)


def _number(
    container: InputContainer, stream: VideoStream, fps: Fraction
) -> Iterator[tuple[int, VideoFrame]]:
    for frame in container.decode(stream):
        if frame.pts is None:
            raise ClipUnreadableError(
                "The playback file has no time stamps. Restore it from a backup."
            )
        place = frame.pts * exact(frame.time_base) * fps
        number = round(place)
        if abs(place - number) > TOLERANCE:
            raise ClipUnreadableError(
                f"The playback file does not have {float(fps):.6g} frames a second. "
                "Restore it from a backup."
            )
        yield number, frame


def _picture(
    converter: VideoReformatter, frame: VideoFrame, longest_side: int | None
) -> NDArray[np.uint8]:
    """Return RGB of shape (height, width, 3)."""
    scale = min(Fraction(1), Fraction(longest_side or 10**6, max(frame.width, frame.height)))
    picture = converter.reformat(
        frame,
        format="rgb24",
        width=max(1, round(frame.width * scale)),
        height=max(1, round(frame.height * scale)),
        interpolation="AREA",
        threads=1,
    )
    return np.asarray(picture.to_ndarray(), np.uint8)

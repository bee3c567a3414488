"""A clip as parts of a message: pictures, pictures with their times, or a video."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import av
import numpy as np
from PIL import Image

from inference.backends.clip_forms import CLIP_FORMS
from inference.backends.protocols import BackendError, ClipFrames, Frames

PICTURES, TIMED_PICTURES, VIDEO, ADDRESS = CLIP_FORMS
JPEG_QUALITY = 85
MAX_VIDEO_BYTES = 20 * 1024 * 1024
# H.264 takes even sides only.
EVEN = 2


def clip_parts(
    clip: ClipFrames, form: str, *, max_frames: int, longest_side: int
) -> Iterator[dict[str, Any]]:
    """Yield the parts that show the clip, with at most `max_frames` frames, evenly spread, whose
    longer side has at most `longest_side` pixels. Timed pictures follow their second in the clip as
    Qwen3-VL writes it. By its address, the server reads the clip and chooses the frames itself; a
    clip without one is sent as a video. Raises BackendError for a video of more than
    MAX_VIDEO_BYTES.
    """
    if form == ADDRESS and clip.address:
        yield {"type": "video_url", "video_url": {"url": clip.address}}
        return
    chosen = evenly(len(clip.frames), max_frames)
    pictures = [shrunk(clip.frames[place], longest_side) for place in chosen]
    seconds = [clip.numbers[place] / clip.fps for place in chosen]
    if form in {VIDEO, ADDRESS}:
        video = _mp4(pictures, _rate(seconds))
        yield {"type": "video_url", "video_url": {"url": _data_url("video/mp4", video)}}
        return
    for second, picture in zip(seconds, pictures, strict=True):
        if form == TIMED_PICTURES:
            yield {"type": "text", "text": f"<{second:.1f} seconds>"}
        yield {"type": "image_url", "image_url": {"url": jpeg_url(picture)}}


def pictures_in(messages: Sequence[Mapping[str, Any]]) -> int:
    """Return how many pictures the messages of a request show."""
    contents = [message["content"] for message in messages]
    parts = [part for content in contents if not isinstance(content, str) for part in content]
    return sum(part["type"] == "image_url" for part in parts)


def evenly(frames: int, most: int) -> list[int]:
    """Return the middles of `most` equal parts, or every frame if there are fewer."""
    count = min(frames, most)
    return [(2 * part + 1) * frames // (2 * count) for part in range(count)]


def shrunk(frame: Frames, longest_side: int) -> Image.Image:
    picture = Image.fromarray(frame)
    picture.thumbnail((longest_side, longest_side))
    return picture


def jpeg_url(picture: Image.Image) -> str:
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=JPEG_QUALITY)
    return _data_url("image/jpeg", file.getvalue())


def _rate(seconds: list[float]) -> Fraction:
    """Return the frames per second of evenly spread frames; 1 for a single one."""
    if len(seconds) < 2 or seconds[-1] <= seconds[0]:
        return Fraction(1)
    return Fraction((len(seconds) - 1) / (seconds[-1] - seconds[0])).limit_denominator(1001)


def _mp4(pictures: list[Image.Image], rate: Fraction) -> bytes:
    width, height = (side - side % EVEN for side in pictures[0].size)
    file = io.BytesIO()
    with av.open(file, "w", format="mp4") as container:
        stream = container.add_stream("libx264", rate=rate, options={"preset": "veryfast"})
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        for picture in pictures:
            cropped = np.asarray(picture)[:height, :width]
            container.mux(stream.encode(av.VideoFrame.from_ndarray(cropped, format="rgb24")))
        container.mux(stream.encode(None))
    if file.tell() > MAX_VIDEO_BYTES:
        raise BackendError(
            "too_much",
            f"The clip is {file.tell() // 1024**2} MiB as a video, and at most "
            f"{MAX_VIDEO_BYTES // 1024**2} are sent. Lower the number of frames or their longest "
            "side, or send the clip as a video by address.",
        )
    return file.getvalue()


def _data_url(kind: str, content: bytes) -> str:
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"

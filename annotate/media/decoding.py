"""The streams of a file that are meant, and their frames."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, TypeVar

from av import AudioFrame, Packet, VideoFrame
from av.audio.stream import AudioStream
from av.container import InputContainer
from av.error import FFmpegError
from av.stream import Disposition
from av.video.stream import VideoStream

from annotate.media.containers import is_broadcast, read_packets
from annotate.media.errors import MediaError

AnyStream = TypeVar("AnyStream", VideoStream, AudioStream)


def choose_video(container: InputContainer) -> VideoStream:
    """Return the main picture; raise MediaError if no picture can be decoded.

    That is the default one; of several the largest; of equally large ones that with most frames.
    """
    moving = [
        stream
        for stream in container.streams.video
        if not stream.disposition & Disposition.attached_pic
    ]
    if not moving:
        if container.streams.audio:
            raise MediaError(
                "audio_only", "The file has sound but no video. Choose the file with the picture."
            )
        raise MediaError("not_a_video", "The file has no video. Export it as MP4 (H.264).")
    best = _choose(moving, lambda stream: stream.width * stream.height)
    if best is None:
        raise MediaError(
            "unknown_codec", "The video's codec can't be read. Export it as MP4 (H.264)."
        )
    best.thread_type = "AUTO"
    return best


def choose_audio(container: InputContainer) -> AudioStream | None:
    """Return the main soundtrack that can be decoded: the default one, of several the one with
    most channels."""
    return _choose(container.streams.audio, lambda stream: stream.codec_context.channels)


def _choose(
    streams: tuple[AnyStream, ...] | list[AnyStream], size: Callable[[AnyStream], int]
) -> AnyStream | None:
    readable = [stream for stream in streams if stream.codec_context is not None]
    return max(
        readable,
        key=lambda s: (bool(s.disposition & Disposition.default), size(s), s.frames),
        default=None,
    )


def decode(
    container: InputContainer,
    video: VideoStream,
    *,
    on_other: Callable[[Packet[Any]], None] = lambda packet: None,
) -> Iterator[VideoFrame]:
    """Yield the frames of the picture, and give the other packets to `on_other`.

    A recording of a broadcast may begin with pictures that can't be decoded, and end in the middle
    of one. Raises MediaError for any other picture that is damaged.
    """
    count, broken = 0, False
    for packet in read_packets(container, video):
        if packet.stream is not video:
            on_other(packet)
            continue
        if broken and packet.size:
            raise _damaged(count)
        try:
            frames = video.decode(packet)
        except FFmpegError:
            frames, broken = [], count > 0
        for frame in frames:
            if frame.is_corrupt:
                broken = count > 0
                continue
            count += 1
            yield frame
    if broken and not is_broadcast(container):
        raise _damaged(count)


def _damaged(count: int) -> MediaError:
    return MediaError(
        "damaged",
        f"The file is damaged: frame {count} can't be decoded. "
        "Copy or download it again, or export it again as MP4 (H.264).",
    )


def exact(rational: Fraction | None) -> Fraction:
    """Return a fraction of FFmpeg, one that a readable stream always has."""
    assert rational is not None
    return Fraction(rational.numerator, rational.denominator)


def frame_length(frame: VideoFrame | AudioFrame) -> Fraction:
    """Return the frame's duration in seconds, 0 if the file states none."""
    return frame.duration * exact(frame.time_base) if frame.duration else Fraction(0)

"""Decoded frames with exact times."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from av import AudioFrame, Packet, VideoFrame
from av.audio.stream import AudioStream
from av.container import InputContainer
from av.error import FFmpegError
from av.stream import Disposition
from av.video.stream import VideoStream

from annotate.media.errors import MediaError


def choose_video(container: InputContainer) -> VideoStream:
    """Return the first video stream; raise MediaError if no stream can be decoded."""
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
    if moving[0].codec_context is None:
        raise MediaError(
            "unknown_codec", "The video's codec can't be read. Export it as MP4 (H.264)."
        )
    moving[0].thread_type = "AUTO"
    return moving[0]


def choose_audio(container: InputContainer) -> AudioStream | None:
    """Return the first soundtrack that can be decoded."""
    return next((s for s in container.streams.audio if s.codec_context is not None), None)


class VideoDecoder:
    """Turns the packets of a video stream into (time in seconds, frame), with times in order."""

    def __init__(self, stream: VideoStream) -> None:
        self.stream = stream
        self.count = 0
        self.last = Fraction(-(10**9))
        self._last_ticks: int | None = None
        self._tick = exact(stream.time_base)

    def decode(self, packet: Packet[Any]) -> Iterator[tuple[Fraction, VideoFrame]]:
        """Yield the frames that the packet completes; raise MediaError for a damaged one."""
        try:
            frames = self.stream.decode(packet)
        except FFmpegError as error:
            if self.count:
                raise self._damaged() from error
            return  # A broadcast recording can begin in the middle of a group of pictures.
        for frame in frames:
            if frame.is_corrupt:
                raise self._damaged()
            self._advance(frame)
            self.count += 1
            yield self.last, frame

    def _advance(self, frame: VideoFrame) -> None:
        """Set `last` to the frame's time, which is never before the last one."""
        ticks = frame.pts if frame.pts is not None else frame.dts
        if ticks is None:
            rate = self.stream.average_rate
            time = self.last + 1 / Fraction(rate) if self.count and rate else Fraction(0)
        elif self._last_ticks is not None and ticks <= self._last_ticks:
            return
        else:
            self._last_ticks = ticks
            time = ticks * self._tick
        self.last = max(self.last, time)

    def _damaged(self) -> MediaError:
        return MediaError(
            "damaged",
            f"The file is damaged: frame {self.count} can't be decoded. "
            "Copy or download it again, or export it again as MP4 (H.264).",
        )


def exact(rational: Fraction | None) -> Fraction:
    """Return a fraction of FFmpeg, one that a readable stream always has."""
    assert rational is not None
    return Fraction(rational.numerator, rational.denominator)


def frame_length(frame: VideoFrame | AudioFrame) -> Fraction:
    """Return the frame's duration in seconds, 0 if the file states none."""
    return frame.duration * exact(frame.time_base) if frame.duration else Fraction(0)

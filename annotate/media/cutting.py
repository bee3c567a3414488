"""Cut frames of a playback file into a file of their own, exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
from av import Packet, VideoFrame
from av.container import InputContainer, OutputContainer
from av.error import FFmpegError
from av.video.stream import VideoStream

from annotate.media.containers import create_mp4
from annotate.media.copying import rewrite
from annotate.media.decoding import choose_audio, choose_video, exact
from annotate.media.errors import MediaError
from annotate.media.files import fresh_file
from annotate.media.normalize import add_video, read_colors
from annotate.media.sound import Soundtrack

# Lower than the playback file's, so that encoding again loses hardly anything.
CUT_CRF = 16
MAX_REORDERED = 16  # frames, in H.264
MISSING = "The playback file is missing from the media folder. Restore it from a backup."


def cut_frames(
    playback: Path,
    target: Path,
    start: int,
    end: int,
    fps: Fraction,
    *,
    on_frame: Callable[[int], None] = lambda number: None,
) -> None:
    """Write the frames [start, end) of a playback file of `fps` to `target`, completely or not
    at all.

    The new file is a playback file, too: H.264, MP4, frame n shown from n/fps on, with the sound of
    the same time. If the range begins with a keyframe and its frames can be decoded without others,
    as where a video was cut, their packets are copied; else it is encoded again. `on_frame` gets
    the number of each frame done, from 1, and may end the work by raising. Raises ValueError
    for an empty range, and MediaError for a file that is missing, damaged or too short.
    """
    if not 0 <= start < end:
        raise ValueError(f"Frames [{start}, {end}) are not a clip.")
    with fresh_file(target) as temporary:
        try:
            written = _cut(playback, temporary, start, end, fps, on_frame)
        except FileNotFoundError as error:
            raise MediaError("damaged", MISSING) from error
        except FFmpegError as error:
            raise MediaError(
                "damaged",
                f"The playback file can't be decoded: {error.strerror}. Restore it from a backup.",
            ) from error
        if written != end - start:
            raise MediaError(
                "damaged",
                f"The playback file has {written} of the frames {start} to {end - 1}. Restore "
                "it from a backup.",
            )
        rewrite(temporary)


def _cut(
    playback: Path,
    target: Path,
    start: int,
    end: int,
    fps: Fraction,
    on_frame: Callable[[int], None],
) -> int:
    """Return the number of frames written."""
    order = _copyable_order(playback, start, end, fps)
    with av.open(str(playback)) as container, create_mp4(target) as output:
        source, audio = choose_video(container), choose_audio(container)
        part: _Copied | _Encoded = (
            _Copied(output, source, start, fps, order)
            if order
            else _Encoded(output, source, start, end, fps)
        )
        sound = Soundtrack(output, audio, start / fps, (end - start) / fps) if audio else None
        _seek(container, source, start, fps)
        is_heard, written = audio is None, 0
        for packet in container.demux([stream for stream in (source, audio) if stream]):
            if packet.stream is source:
                for written in part.add(packet):
                    on_frame(written)
            elif sound and not is_heard:
                is_heard = (
                    packet.pts is not None and packet.pts * exact(packet.time_base) * fps >= end
                )
                if not is_heard:
                    sound.add_packet(packet)
            if part.is_done and is_heard:
                break
        part.finish()
        if sound:
            sound.finish()
    return written


def _copyable_order(playback: Path, start: int, end: int, fps: Fraction) -> list[int]:
    """Return the index in the range of each of its packets; empty if they can't be copied.

    The first must be a keyframe, and no packet of another frame may come between the others: then
    each frame needs only packets of the range.
    """
    order: list[int] = []
    with av.open(str(playback)) as container:
        source = choose_video(container)
        _seek(container, source, start, fps)
        for packet in container.demux(source):
            if not packet.size or packet.pts is None:
                break
            number = _number(packet, fps)
            if order or (packet.is_keyframe and number >= start):
                if not (start <= number < end and (order or number == start)):
                    break
                order.append(number - start)
                if len(order) == end - start:
                    return order
    return []


class _Copied:
    """Copies the packets of the range, which begins with a keyframe, to `output`."""

    def __init__(
        self,
        output: OutputContainer,
        source: VideoStream,
        start: int,
        fps: Fraction,
        order: Sequence[int],
    ) -> None:
        self.output, self.start, self.fps, self.order = output, start, fps, order
        self.stream = output.add_stream_from_template(source)
        self.stream.time_base = 1 / fps
        self.stream.metadata.clear()
        self.count = 0
        # The time between sending and showing a packet, so that none comes too late.
        self.delay = max(number - place for number, place in enumerate(order))

    @property
    def is_done(self) -> bool:
        return self.count == len(self.order)

    def add(self, packet: Packet[Any]) -> Iterator[int]:
        """Take the next packet of the source, and yield the number of frames done."""
        if self.is_done or not (self.count or _number(packet, self.fps) == self.start):
            return
        packet.stream, packet.time_base = self.stream, 1 / self.fps
        packet.pts, packet.dts = self.order[self.count], self.count - self.delay
        packet.duration = 1
        self.output.mux(packet)
        self.count += 1
        yield self.count

    def finish(self) -> None:
        pass


class _Encoded:
    """Decodes the frames of the range, and encodes them to `output`."""

    def __init__(
        self, output: OutputContainer, source: VideoStream, start: int, end: int, fps: Fraction
    ) -> None:
        self.output, self.source, self.start, self.end, self.fps = output, source, start, end, fps
        size = source.width, source.height
        self.stream = add_video(output, fps, size, read_colors(source), crf=CUT_CRF)
        self.is_done = False

    def add(self, packet: Packet[Any]) -> Iterator[int]:
        """Take the next packet of the source, and yield the number of frames done."""
        if self.is_done:
            return
        for frame in self.source.decode(packet):
            number = _number(frame, self.fps)
            if self.start <= number < self.end:
                frame.pts, frame.time_base = number - self.start, 1 / self.fps
                frame.pict_type = 0
                self.output.mux(self.stream.encode(frame))
                yield number - self.start + 1
            self.is_done = self.is_done or number >= self.end - 1

    def finish(self) -> None:
        self.output.mux(self.stream.encode(None))


def _seek(container: InputContainer, source: VideoStream, start: int, fps: Fraction) -> None:
    """Seek to a keyframe at or before the frame."""
    # The index is in decoding order, in which B-frames come after frames that are shown later.
    early = max(0, start - MAX_REORDERED)
    container.seek(int(early / fps / exact(source.time_base)), stream=source, backward=True)


def _number(timed: Packet[Any] | VideoFrame, fps: Fraction) -> int:
    return round(exact(timed.time_base) * (timed.pts or 0) * fps)

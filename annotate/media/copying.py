"""Make a playback file by copying packets, if a browser can step through the source.

Only the first frame is decoded here. From it and the packets, `find_copyable` says whether copying
is safe. Whether other frames are interlaced or damaged is checked when the copy is decoded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

from av import Packet, VideoFrame
from av.audio.stream import AudioStream
from av.bitstream import BitStreamFilterContext
from av.container import OutputContainer
from av.error import FFmpegError
from av.video.stream import VideoStream

from annotate.media.containers import create_mp4, open_container, sniff_container
from annotate.media.copied_sound import CopiedSound, SoundCheck, SoundPlan
from annotate.media.decoding import choose_audio, choose_video, exact
from annotate.media.normalize import HD_HEIGHT, MAX_SIDE, SMPTE170M, UNSPECIFIED, Playback
from annotate.media.orientation import read_orientation
from annotate.media.probe import Limits, PacketEnds, check_all_there, check_frame_count
from annotate.media.ready import is_note_of_x264
from annotate.media.sound import Soundtrack
from annotate.media.timing import find_constant_rate

# Longer gaps make steps backwards slow. Videos on YouTube have a keyframe at least every 5 s.
MAX_KEYFRAME_SECONDS = 6
# Containers whose H.264 packets an MP4 file can contain unchanged.
CONTAINERS = frozenset({"mp4", "matroska", "flv"})
PIXEL_FORMATS = frozenset({"yuv420p", "yuvj420p"})
IDR, SUPPLEMENT, SEQUENCE_PARAMETERS, PICTURE_PARAMETERS = (
    5,
    6,
    7,
    8,
)  # kinds of units in H.264, table 7-1
READ_UNITS = (SUPPLEMENT, SEQUENCE_PARAMETERS, PICTURE_PARAMETERS)


@dataclass(frozen=True)
class Copyable:
    """How to copy the packets of a source.

    Packet k is shown as frame `order[k]`. `start` is the time of the first frame in the source's
    clock, in seconds. `sound` is None if the sound can't be copied. `has_notes`: the packets have
    supplemental information other than x264's note about itself.
    """

    container: str
    fps: Fraction
    order: list[int]
    start: Fraction
    sound: SoundPlan | None = None
    has_notes: bool = False


def find_copyable(source: Path, limits: Limits) -> Copyable | None:
    """Read all packets and return how to copy them, or None if the source must be encoded.

    Before anything is decoded, raise MediaError for more frames than `limits` allows, and for a
    file whose end is missing.
    """
    container_name = sniff_container(source)
    with open_container(source, container_name) as container:
        stream = choose_video(container)
        copyable = container_name in CONTAINERS and _is_playable(stream)
        first_frame, sound = _FirstFrame(stream), SoundCheck(choose_audio(container))
        units = _Units(stream.codec_context.extradata or b"") if copyable else None
        ticks: list[int] = []
        keyframes: list[int] = []
        count, ends = 0, PacketEnds()
        try:
            for packet in container.demux():
                ends.add(packet)
                if packet.stream is sound.stream and units is not None:
                    sound.add(packet)
                if packet.stream is not stream or not packet.size:
                    continue
                count += 1
                check_frame_count(count, stream.width, stream.height, limits)
                if units is None:
                    continue
                if packet.pts is None or not units.are_safe(packet):
                    units = None
                    continue
                first_frame.add(packet)
                if packet.is_keyframe:
                    keyframes.append(len(ticks))
                ticks.append(packet.pts)
            if units is not None:
                first_frame.add(None)
        except FFmpegError:
            return None  # Decoding it will find the fault.
        if units is None or not ticks or not container.duration or not first_frame.is_upright():
            return None
        check_all_there(Fraction(container.duration, 1_000_000), ends.last, container)
        declared = stream.average_rate and Fraction(stream.average_rate)
        tick = exact(stream.time_base)
        laid_out = _lay_out(container_name, ticks, tick, keyframes, declared, limits)
        if laid_out is None:
            return None
        return replace(laid_out, sound=sound.plan(laid_out.start), has_notes=units.have_notes)


def copy_packets(source: Path, target: Path, copyable: Copyable) -> Playback:
    """Write the source's packets to an MP4 file in which frame n is shown from n/fps on."""
    fps, frames = copyable.fps, len(copyable.order)
    # The time between sending and showing a packet, so that none comes too late.
    delay = max(number - place for number, place in enumerate(copyable.order))
    with (
        open_container(source, sniff_container(source)) as container,
        create_mp4(target) as output,
    ):
        video, audio = choose_video(container), choose_audio(container)
        stream = output.add_stream_from_template(video)
        stream.time_base = tick = 1 / fps
        stream.metadata.clear()
        duration = frames / fps
        sound = _add_sound(output, audio, copyable, duration)
        units = BitStreamFilterContext(_describe_filter(video), video, stream)
        numbers = iter(enumerate(copyable.order))
        for packet in container.demux([stream for stream in (video, audio) if stream]):
            if packet.stream is not video:
                if sound:
                    sound.add_packet(packet)
            elif packet.size:
                number, place = next(numbers)
                for copied in units.filter(packet):
                    copied.stream, copied.time_base = stream, tick
                    copied.pts, copied.dts, copied.duration = place, number - delay, 1
                    output.mux(copied)
        if sound:
            sound.finish()
    return Playback(fps, frames, video.width, video.height, duration, sound is not None)


def _add_sound(
    output: OutputContainer, source: AudioStream | None, copyable: Copyable, duration: Fraction
) -> CopiedSound | Soundtrack | None:
    if source is None:
        return None
    if copyable.sound is None:
        return Soundtrack(output, source, copyable.start, duration)
    return CopiedSound(output, source, copyable.sound, duration)


def _describe_filter(stream: VideoStream) -> str:
    """Return the changes to the packets, which leave the pictures unchanged.

    Supplemental information may contain a place, a time or a name. If a small picture doesn't state
    its colors, Chromium reads them as BT.601 and Firefox as BT.709.
    """
    filters = [f"filter_units=remove_types={SUPPLEMENT}"]
    if stream.codec_context.colorspace == UNSPECIFIED and stream.height < HD_HEIGHT:
        numbers = ("colour_primaries", "transfer_characteristics", "matrix_coefficients")
        filters.append("h264_metadata=" + ":".join(f"{name}={SMPTE170M}" for name in numbers))
    return ",".join(filters)


def _is_playable(stream: VideoStream) -> bool:
    """Return whether browsers play what the header describes: H.264, 8 bits, 4:2:0, square
    pixels.
    """
    sides = stream.width, stream.height
    return (
        stream.codec_context.name == "h264"
        and stream.pix_fmt in PIXEL_FORMATS
        and (stream.sample_aspect_ratio or 1) == 1
        and max(sides) <= MAX_SIDE
        and all(side and side % 2 == 0 for side in sides)
    )


class _FirstFrame:
    """Decodes packets up to the first frame, which says how to show all frames."""

    def __init__(self, stream: VideoStream) -> None:
        self._stream = stream
        self._stream.thread_type = "NONE"  # Threads would decode more frames than this one.
        self._damaged = False
        self.frame: VideoFrame | None = None

    def add(self, packet: Packet[Any] | None) -> None:
        """Take the next packet, None after the last one."""
        if self.frame is None and not self._damaged:
            try:
                self.frame = next(iter(self._stream.decode(packet)), None)
            except FFmpegError:
                self._damaged = True

    def is_upright(self) -> bool:
        """Return whether the frame is shown as it is stored, neither rotated nor cropped."""
        return (
            self.frame is not None
            and read_orientation(self.frame) == (0, False)
            and (self.frame.width, self.frame.height) == (self._stream.width, self._stream.height)
        )


def _lay_out(
    container: str,
    ticks: list[int],
    tick: Fraction,
    keyframes: list[int],
    declared: Fraction | None,
    limits: Limits,
) -> Copyable | None:
    ranked = sorted(range(len(ticks)), key=ticks.__getitem__)
    in_order = [ticks[number] * tick for number in ranked]
    fps = find_constant_rate(in_order, declared)
    if len(set(ticks)) < len(ticks) or not fps or not limits.min_fps <= fps <= limits.max_fps:
        return None
    order = [0] * len(ticks)
    for place, number in enumerate(ranked):
        order[number] = place
    # A frame that is decoded after a keyframe must not be shown before it, or seeking fails.
    if keyframes[:1] != [0] or any(order[number] != number for number in keyframes):
        return None
    gaps = (after - before for before, after in pairwise([*keyframes, len(ticks)]))
    if max(gaps) > MAX_KEYFRAME_SECONDS * fps:
        return None
    return Copyable(container, fps, order, in_order[0])


class _Units:
    """Reads the units of packets whose decoder is set up by `extradata` (ISO/IEC 14496-15)."""

    def __init__(self, extradata: bytes) -> None:
        self.extradata = extradata
        self.is_avc = len(extradata) > 6 and extradata[0] == 1
        self.length_size = (extradata[4] & 3) + 1 if self.is_avc else 0
        self.have_notes = False

    def are_safe(self, packet: Packet[Any]) -> bool:
        """Return whether the packet is complete, and decodes the same wherever decoding begins."""
        if not self.is_avc or packet.is_corrupt or packet.is_discard:
            return False
        if packet.has_sidedata("new_extradata"):
            return False
        kinds = set()
        try:
            for kind, unit in self._split(bytes(packet)):
                kinds.add(kind)
                if kind == SUPPLEMENT and not is_note_of_x264(unit):
                    self.have_notes = True
                parameters = kind in (SEQUENCE_PARAMETERS, PICTURE_PARAMETERS)
                if parameters and unit not in self.extradata:
                    return False
        except ValueError:
            return False
        return not packet.is_keyframe or IDR in kinds

    def _split(self, data: bytes) -> Iterator[tuple[int, bytes]]:
        position = 0
        while position < len(data):
            start = position + self.length_size
            end = start + int.from_bytes(data[position:start], "big")
            if not start < end <= len(data):
                raise ValueError("a unit that ends outside its packet")
            kind = data[start] & 31
            yield kind, data[start:end] if kind in READ_UNITS else b""
            position = end

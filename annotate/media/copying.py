"""Make a playback file by copying packets, if a browser can step through the source.

From the header, the first frame and the packets, `find_copyable` says whether copying may be safe.
Whether other frames are interlaced, damaged or of another size is checked when the copy is decoded.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

from av import Packet
from av.bitstream import BitStreamFilterContext
from av.container import InputContainer
from av.error import FFmpegError
from av.video.stream import VideoStream

from annotate.media.containers import create_mp4, name_container, open_container, read_packets
from annotate.media.copied_sound import CopiedSound, SoundCheck, SoundPlan
from annotate.media.decoding import choose_audio, choose_video, exact
from annotate.media.files import fresh_file
from annotate.media.filters import HD_HEIGHT, HDR, MAX_SIDE, UNSPECIFIED, read_orientation
from annotate.media.normalize import SMPTE170M, Playback
from annotate.media.probe import NO_LIMITS, Limits, check_frame_count
from annotate.media.sound import Soundtrack
from annotate.media.timing import find_constant_rate

# Longer gaps make steps backwards slow. Videos on YouTube have a keyframe at least every 5 s.
MAX_KEYFRAME_SECONDS = 6
# Containers whose H.264 packets an MP4 file can contain unchanged.
CONTAINERS = frozenset({"mp4", "matroska", "flv"})
PIXEL_FORMATS = frozenset({"yuv420p", "yuvj420p"})
# Kinds of units in H.264, table 7-1.
IDR, SUPPLEMENT, PARAMETERS = 5, 6, (7, 8)


@dataclass(frozen=True)
class Copyable:
    """How to copy the packets of a source.

    Packet k is shown as frame `order[k]`. `start` is the time of the first frame in the source's
    clock, in seconds. `sound` is None if the sound can't be copied.
    """

    container: str
    fps: Fraction
    order: list[int]
    start: Fraction
    sound: SoundPlan | None


def find_copyable(source: Path, limits: Limits) -> Copyable | None:
    """Read all packets and return how to copy them, or None if the source must be encoded.

    Before anything but the first frame is decoded, raise MediaError for more frames than `limits`
    allows, and for a file whose end is missing.
    """
    with open_container(source) as container:
        video, sound = choose_video(container), SoundCheck(choose_audio(container))
        units = _Units(video) if _is_playable(container, video, source) else None
        ticks: list[int] = []
        keyframes: list[int] = []
        count = 0
        for packet in read_packets(container, video):
            if packet.stream is sound.stream and units:
                sound.add(packet)
            if packet.stream is not video or not packet.size:
                continue
            count += 1
            check_frame_count(count, video.width, video.height, limits)
            if units is None or packet.pts is None or not units.are_safe(packet):
                units = None
                continue
            if packet.is_keyframe:
                keyframes.append(len(ticks))
            ticks.append(packet.pts)
        if units is None or not ticks:
            return None
        declared = video.average_rate and Fraction(video.average_rate)
        tick = exact(video.time_base)
        start = min(ticks) * tick
        ranked = sorted(range(len(ticks)), key=ticks.__getitem__)
        fps = find_constant_rate([ticks[number] * tick - start for number in ranked], declared)
        if len(set(ticks)) < len(ticks) or not fps or not limits.min_fps <= fps <= limits.max_fps:
            return None
        order = [0] * len(ticks)
        for place, number in enumerate(ranked):
            order[number] = place
        if not _can_seek(order, keyframes, fps):
            return None
        return Copyable(name_container(container), fps, order, start, sound.plan(start))


def copy_packets(source: Path, target: Path, copyable: Copyable) -> Playback:
    """Write the source's packets to an MP4 file in which frame n is shown from n/fps on."""
    fps, frames = copyable.fps, len(copyable.order)
    # The time between sending and showing a packet, so that none comes too late.
    delay = max(number - place for number, place in enumerate(copyable.order))
    with open_container(source) as container, create_mp4(target) as output:
        video, audio = choose_video(container), choose_audio(container)
        stream = output.add_stream_from_template(video)
        stream.time_base = tick = 1 / fps
        stream.metadata.clear()
        duration = frames / fps
        sound: CopiedSound | Soundtrack | None = None
        if audio and copyable.sound:
            sound = CopiedSound(output, audio, copyable.sound, duration)
        elif audio:
            sound = Soundtrack(output, audio, copyable.start, duration)
        colors = _stated_colors(video)
        # The filter sets the codec of the stream anew, so its colors come after.
        units = BitStreamFilterContext(_describe_filter(colors), video, stream)
        context = stream.codec_context
        context.color_primaries, context.color_trc, context.colorspace = colors
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


def rewrite(playback: Path) -> None:
    """Copy the packets of a new playback file, as an import of it does, so that it comes in again
    with the same bytes."""
    copyable = find_copyable(playback, NO_LIMITS)
    if copyable:
        with fresh_file(playback) as temporary:
            copy_packets(playback, temporary, copyable)


def _stated_colors(stream: VideoStream) -> tuple[int, int, int]:
    """Return the primaries, transfer and matrix that the copy states.

    If a small picture doesn't state its own, Chromium reads them as BT.601 and Firefox as BT.709.
    """
    context = stream.codec_context
    if context.colorspace == UNSPECIFIED and stream.height < HD_HEIGHT:
        return SMPTE170M, SMPTE170M, SMPTE170M
    return context.color_primaries, context.color_trc, context.colorspace


def _describe_filter(colors: tuple[int, int, int]) -> str:
    """Return the changes to the packets, which leave the pictures unchanged: supplemental
    information may contain a place, a time or a name."""
    names = ("colour_primaries", "transfer_characteristics", "matrix_coefficients")
    stated = (f"{name}={number}" for name, number in zip(names, colors, strict=True))
    filters = [f"filter_units=remove_types={SUPPLEMENT}"]
    if set(colors) != {UNSPECIFIED}:
        filters.append("h264_metadata=" + ":".join(stated))
    return ",".join(filters)


def _is_playable(container: InputContainer, stream: VideoStream, source: Path) -> bool:
    """Return whether browsers play what the header and the first frame describe: H.264, 8 bits,
    4:2:0, square pixels, upright, neither cropped nor HDR.
    """
    sides = stream.width, stream.height
    return (
        name_container(container) in CONTAINERS
        and stream.codec_context.name == "h264"
        and stream.pix_fmt in PIXEL_FORMATS
        and stream.codec_context.color_trc not in HDR
        and (stream.sample_aspect_ratio or 1) == 1
        and max(sides) <= MAX_SIDE
        and all(side and side % 2 == 0 for side in sides)
        and _is_upright(source, sides)
    )


def _is_upright(source: Path, sides: tuple[int, int]) -> bool:
    with open_container(source) as container:
        video = choose_video(container)
        video.thread_type = "NONE"  # Threads would decode more frames than this one.
        try:
            frame = next(container.decode(video), None)
        except FFmpegError:
            return False
        return frame is not None and (
            read_orientation(frame) == (0, False) and (frame.width, frame.height) == sides
        )


def _can_seek(order: list[int], keyframes: list[int], fps: Fraction) -> bool:
    """Return whether a frame that is decoded after a keyframe is never shown before it, and
    keyframes are near enough."""
    if keyframes[:1] != [0] or any(order[number] != number for number in keyframes):
        return False
    gaps = (after - before for before, after in pairwise([*keyframes, len(order)]))
    return max(gaps) <= MAX_KEYFRAME_SECONDS * fps


class _Units:
    """Reads the units of packets whose decoder is set up by `extradata` (ISO/IEC 14496-15)."""

    def __init__(self, stream: VideoStream) -> None:
        self.extradata = stream.codec_context.extradata or b""
        self.is_avc = len(self.extradata) > 6 and self.extradata[0] == 1

    def are_safe(self, packet: Packet[Any]) -> bool:
        """Return whether the packet is complete, and decodes the same wherever decoding begins."""
        if not self.is_avc or packet.is_corrupt or packet.is_discard:
            return False
        if packet.has_sidedata("new_extradata"):
            return False
        data, position, kinds = bytes(packet), 0, set()
        while position < len(data):
            start = position + (self.extradata[4] & 3) + 1
            end = start + int.from_bytes(data[position:start], "big")
            if not start < end <= len(data):
                return False
            kinds.add(kind := data[start] & 31)
            if kind in PARAMETERS and data[start:end] not in self.extradata:
                return False
            position = end
        return not packet.is_keyframe or IDR in kinds

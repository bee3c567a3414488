"""One playback format for every video: H.264 and AAC in MP4, frame n shown from n/fps on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

import av
from av import AudioFrame, Packet, VideoFrame
from av.container import InputContainer, OutputContainer
from av.error import FFmpegError
from av.video.reformatter import ColorRange, Colorspace
from av.video.stream import VideoStream

from annotate.media.containers import open_container, sniff_container
from annotate.media.decoding import VideoDecoder, choose_audio, choose_video
from annotate.media.errors import MediaError
from annotate.media.files import fresh_file
from annotate.media.orientation import turn
from annotate.media.probe import Probe, probe
from annotate.media.sound import Soundtrack

MAX_SIDE = 1920
REPORT_SECONDS, REPORT_FRACTION = 0.5, 0.02
UNSPECIFIED = 2  # "no colour space stated", in H.273 and so in FFmpeg
HD_HEIGHT = 720

Progress = Callable[[float], None]


@dataclass(frozen=True)
class Playback:
    """The normalised file; `duration` is frames / fps, in seconds."""

    fps: Fraction
    frames: int
    width: int
    height: int
    duration: Fraction
    has_audio: bool


def normalise(
    source: Path, target: Path, *, probed: Probe | None = None, on_progress: Progress | None = None
) -> Playback:
    """Write the playback file of `source` to `target`, whole or not at all.

    A constant frame rate keeps every frame; a variable one is resampled, so that frame n is what
    the source shows at n/fps. `probed` spares a second look at the file. `on_progress` is given
    the fraction done; what it raises ends the work and leaves nothing behind.
    """
    source, target = Path(source), Path(target)
    probed = probed or probe(source)
    with fresh_file(target) as temporary:
        playback = _transcode(source, temporary, probed, _Reporter(on_progress))
        found = _count_frames(temporary)
        if found != playback.frames:
            raise RuntimeError(f"wrote {playback.frames} frames but the file holds {found}")
    return playback


def _transcode(source: Path, target: Path, probed: Probe, report: _Reporter) -> Playback:
    fps = probed.playback_fps
    frames = max(1, round(probed.duration * fps)) if probed.variable_frame_rate else probed.frames
    duration = frames / fps
    with (
        open_container(source, sniff_container(source)) as container,
        av.open(
            str(target),
            "w",
            format="mp4",
            options={"movflags": "+faststart", "fflags": "+bitexact"},
        ) as output,
    ):
        # The length of the index depends on both streams, so both exist before the first frame.
        size = _playback_size(container, probed)
        stream = _add_video(output, fps, size)
        audio = choose_audio(container)
        sound = Soundtrack(output, audio, probed.start, duration) if audio else None
        shown = _pace(_decode(container, sound), probed, fps, frames)
        for number, frame in enumerate(shown):
            picture = _redraw(frame, probed, size)
            picture.pts, picture.time_base = number, 1 / fps
            picture.pict_type = 0
            output.mux(stream.encode(picture))
            report((number + 1) / frames)
        output.mux(stream.encode(None))
        if sound:
            sound.finish()
    report(1.0)
    return Playback(fps, frames, *size, duration, sound is not None)


def _playback_size(container: InputContainer, probed: Probe) -> tuple[int, int]:
    """Return the even (width, height) with square pixels, the longer side at most MAX_SIDE."""
    aspect = choose_video(container).sample_aspect_ratio or 1
    if probed.rotation % 180:
        aspect = 1 / Fraction(aspect)
    width, height = Fraction(probed.width), Fraction(probed.height)
    if aspect > 1:
        width *= aspect
    else:
        height /= aspect
    scale = min(Fraction(1), MAX_SIDE / max(width, height))
    return _even(width * scale), _even(height * scale)


def _even(length: Fraction) -> int:
    return max(2, round(length / 2) * 2)


def _add_video(output: OutputContainer, fps: Fraction, size: tuple[int, int]) -> VideoStream:
    stream = output.add_stream("libx264", rate=fps, options={"crf": "20", "preset": "fast"})
    stream.width, stream.height = size
    stream.pix_fmt = "yuv420p"
    stream.time_base = 1 / fps
    context = stream.codec_context
    context.gop_size = max(1, int(fps))
    # B-frames would need an edit list, which moves frame n away from n/fps in some players.
    context.max_b_frames = 0
    context.colorspace = Colorspace.ITU709
    context.color_range = ColorRange.MPEG
    return stream


def _decode(
    container: InputContainer, sound: Soundtrack | None
) -> Iterator[tuple[Fraction, VideoFrame]]:
    """Yield (time, frame) of the video and hand the sound on as it passes by."""
    decoder = VideoDecoder(choose_video(container))
    audio = choose_audio(container)
    for packet in container.demux([stream for stream in (decoder.stream, audio) if stream]):
        if packet.stream is decoder.stream:
            yield from decoder.decode(packet)
        elif sound:
            _add_sound(sound, packet)


def _add_sound(sound: Soundtrack, packet: Packet[Any]) -> None:
    try:
        frames = packet.decode()
    except FFmpegError:
        return  # A broken packet of sound becomes silence; the picture is what must be whole.
    for frame in frames:
        if isinstance(frame, AudioFrame):
            sound.add(frame)


def _pace(
    timed: Iterator[tuple[Fraction, VideoFrame]], probed: Probe, fps: Fraction, frames: int
) -> Iterator[VideoFrame]:
    """Yield the source frame that each of the `frames` output frames shows."""
    if probed.variable_frame_rate:
        shown = _hold(timed, probed.start, fps)
        yield from islice(shown, frames)
        return
    count = 0
    for _, frame in timed:
        count += 1
        yield frame
    if count != frames:
        raise MediaError(
            "damaged", f"The file gave {count} frames where {frames} were counted. Upload it again."
        )


def _hold(
    timed: Iterator[tuple[Fraction, VideoFrame]], start: Fraction, fps: Fraction
) -> Iterator[VideoFrame]:
    """Show each frame until the next one's time has come, the last one for ever."""
    number, held = 0, None
    for now, frame in timed:
        while held is not None and start + number / fps < now:
            yield held
            number += 1
        held = frame
    while held is not None:
        yield held


def _redraw(frame: VideoFrame, probed: Probe, size: tuple[int, int]) -> VideoFrame:
    """Return the frame upright, in playback size and colours."""
    width, height = size if probed.rotation % 180 == 0 else size[::-1]
    stated = frame.colorspace != UNSPECIFIED or frame.format.is_rgb
    guess = Colorspace.ITU709 if frame.height >= HD_HEIGHT else Colorspace.ITU601
    picture = frame.reformat(
        width,
        height,
        "yuv420p",
        src_colorspace=None if stated else guess,
        dst_colorspace=Colorspace.ITU709,
        dst_color_range=ColorRange.MPEG,
        interpolation="BICUBIC",
    )
    return turn(picture, probed.rotation, probed.mirrored)


def _count_frames(path: Path) -> int:
    with av.open(str(path)) as container:
        return sum(1 for packet in container.demux(container.streams.video[0]) if packet.size)


class _Reporter:
    """Calls `on_progress` no more often than is useful."""

    def __init__(self, on_progress: Progress | None) -> None:
        self.on_progress = on_progress
        self.fraction = 0.0
        self.moment = time.monotonic()

    def __call__(self, fraction: float) -> None:
        now = time.monotonic()
        due = (
            fraction - self.fraction >= REPORT_FRACTION
            or now - self.moment >= REPORT_SECONDS
            or self.fraction < fraction == 1
        )
        if self.on_progress and due:
            self.fraction, self.moment = fraction, now
            self.on_progress(fraction)

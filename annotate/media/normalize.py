"""Encode the playback file of a source: H.264, AAC, MP4, with frame n shown from n/fps on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from pathlib import Path

import av
from av import VideoFrame
from av.container import InputContainer, OutputContainer
from av.video.reformatter import ColorRange, Colorspace
from av.video.stream import VideoStream

from annotate.media.containers import create_mp4, open_container, sniff_container
from annotate.media.decoding import VideoDecoder, choose_audio, choose_video
from annotate.media.errors import MediaError
from annotate.media.files import fresh_file
from annotate.media.orientation import turn
from annotate.media.probe import Probe, probe
from annotate.media.sound import Soundtrack

MAX_SIDE = 1920
PLAYBACK_CRF = 20
REPORT_SECONDS, REPORT_FRACTION = 0.5, 0.02
HD_HEIGHT = 720
# Numbers of H.273, which FFmpeg uses, too.
BT709, UNSPECIFIED, SMPTE170M = 1, 2, 6
UNSTATED = (0, UNSPECIFIED, 3)
# Matrix -> its primaries and transfer.
MATRICES = {BT709: (1, 1), 5: (5, 6), SMPTE170M: (6, 6), 7: (7, 7), 9: (9, 14)}

Progress = Callable[[float], None]


@dataclass(frozen=True)
class Playback:
    """The playback file; `duration` is frames / fps, in seconds."""

    fps: Fraction
    frames: int
    width: int
    height: int
    duration: Fraction
    has_audio: bool


def normalize(
    source: Path,
    target: Path,
    *,
    probed: Probe | None = None,
    on_progress: Progress | None = None,
    on_picture: Callable[[VideoFrame], None] = lambda picture: None,
) -> Playback:
    """Encode the playback file of `source` to `target`, completely or not at all.

    A source with a constant frame rate keeps every frame; one with a variable rate is resampled, so
    that frame n shows the source at n/fps. `probed` saves probing the file again. `on_progress`
    gets the fraction done, and `on_picture` each frame before it is encoded; both can abort by
    raising, and then no file is left.
    """
    source, target = Path(source), Path(target)
    probed = probed or probe(source)
    with fresh_file(target) as temporary:
        playback = _transcode(source, temporary, probed, Reporter(on_progress), on_picture)
        written = count_frames(temporary)
        if written != playback.frames:
            raise RuntimeError(f"wrote {playback.frames} frames but the file holds {written}")
    return playback


def count_playback_frames(probed: Probe) -> int:
    """Return the number of frames in the playback file of this source."""
    if not probed.variable_frame_rate:
        return probed.frames
    return max(1, round(probed.duration * probed.playback_fps))


def _transcode(
    source: Path,
    target: Path,
    probed: Probe,
    report: Reporter,
    on_picture: Callable[[VideoFrame], None],
) -> Playback:
    fps, frames = probed.playback_fps, count_playback_frames(probed)
    duration = frames / fps
    with (
        open_container(source, sniff_container(source)) as container,
        create_mp4(target) as output,
    ):
        # The length of the index depends on both streams, so both exist before the first frame.
        size = _playback_size(container, probed)
        colors = read_colors(choose_video(container))
        stream = add_video(output, fps, size, colors)
        audio = choose_audio(container)
        sound = Soundtrack(output, audio, probed.start, duration) if audio else None
        pictures = _pace(_decode(container, sound), probed, fps, frames)
        for number, frame in enumerate(pictures):
            picture = _redraw(frame, probed, size)
            on_picture(picture)
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


@dataclass(frozen=True)
class Colors:
    """The brightness and color that the file states for browsers, by the numbers of H.273."""

    matrix: int
    primaries: int
    transfer: int


def read_colors(stream: VideoStream) -> Colors:
    """Return the colors that the source states, else those that browsers assume.

    The playback file states all three, because browsers guess all of them if one is missing.
    """
    context = stream.codec_context
    matrix = context.colorspace
    if matrix not in MATRICES:
        matrix = BT709 if stream.height >= HD_HEIGHT else SMPTE170M
    primaries, transfer = MATRICES[matrix]
    return Colors(
        matrix,
        primaries if context.color_primaries in UNSTATED else context.color_primaries,
        transfer if context.color_trc in UNSTATED else context.color_trc,
    )


def add_video(
    output: OutputContainer,
    fps: Fraction,
    size: tuple[int, int],
    colors: Colors,
    *,
    crf: int = PLAYBACK_CRF,
) -> VideoStream:
    """Add the video of a playback file. A lower `crf` is a better picture in a larger file."""
    options = {"crf": str(crf), "preset": "fast"}
    stream = output.add_stream("libx264", rate=fps, options=options)
    stream.width, stream.height = size
    stream.pix_fmt = "yuv420p"
    stream.time_base = 1 / fps
    context = stream.codec_context
    context.gop_size = max(1, int(fps))
    # B-frames would need an edit list, which moves frame n away from n/fps in some players.
    context.max_b_frames = 0
    context.colorspace = colors.matrix
    context.color_primaries, context.color_trc = colors.primaries, colors.transfer
    context.color_range = ColorRange.MPEG
    return stream


def _decode(
    container: InputContainer, sound: Soundtrack | None
) -> Iterator[tuple[Fraction, VideoFrame]]:
    """Yield (time, frame) of the video, and add the packets of the sound to `sound`."""
    decoder = VideoDecoder(choose_video(container))
    audio = choose_audio(container)
    for packet in container.demux([stream for stream in (decoder.stream, audio) if stream]):
        if packet.stream is decoder.stream:
            yield from decoder.decode(packet)
        elif sound:
            sound.add_packet(packet)


def _pace(
    timed: Iterator[tuple[Fraction, VideoFrame]], probed: Probe, fps: Fraction, frames: int
) -> Iterator[VideoFrame]:
    """Yield the source frame that each of the `frames` output frames shows."""
    if probed.variable_frame_rate:
        pictures = _hold(timed, probed.start, fps)
        yield from islice(pictures, frames)
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
    """Repeat each frame until the time of the next one, and the last one forever."""
    number, held = 0, None
    for now, frame in timed:
        while held is not None and start + number / fps < now:
            yield held
            number += 1
        held = frame
    while held is not None:
        yield held


def _redraw(frame: VideoFrame, probed: Probe, size: tuple[int, int]) -> VideoFrame:
    """Return the frame upright, in playback size and colors."""
    width, height = size if probed.rotation % 180 == 0 else size[::-1]
    # Only RGB is converted: another matrix than the source's would tint grays.
    matrix = None
    if frame.format.is_rgb:
        matrix = Colorspace.ITU709 if frame.height >= HD_HEIGHT else Colorspace.ITU601
    picture = frame.reformat(
        width,
        height,
        "yuv420p",
        dst_colorspace=matrix,
        dst_color_range=ColorRange.MPEG,
        interpolation="BICUBIC",
    )
    return turn(picture, probed.rotation, probed.mirrored)


def count_frames(path: Path) -> int:
    with av.open(str(path)) as container:
        return sum(1 for packet in container.demux(container.streams.video[0]) if packet.size)


class Reporter:
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

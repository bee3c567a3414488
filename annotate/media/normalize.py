"""Encode the playback file of a source: H.264, AAC, MP4, with frame n shown from n/fps on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import repeat
from pathlib import Path
from typing import Any

from av import Packet, VideoFrame
from av.container import OutputContainer
from av.video.reformatter import ColorRange
from av.video.stream import VideoStream

from annotate.media.containers import create_mp4, is_broadcast, open_container
from annotate.media.decoding import choose_audio, choose_video, decode
from annotate.media.errors import MediaError
from annotate.media.files import fresh_file
from annotate.media.filters import HD_HEIGHT, UNSPECIFIED, Redrawing, playback_size
from annotate.media.probe import Probe, probe
from annotate.media.sound import Soundtrack

PLAYBACK_CRF = 20
# Numbers of H.273, which FFmpeg uses, too.
BT709, SMPTE170M = 1, 6
UNSTATED = (0, UNSPECIFIED, 3)
# Matrix -> its primaries and transfer.
MATRICES = {BT709: (1, 1), 5: (5, 6), SMPTE170M: (6, 6), 7: (7, 7), 9: (9, 14)}


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
    on_progress: Callable[[float], None] = lambda done: None,
    on_picture: Callable[[VideoFrame], None] = lambda picture: None,
) -> Playback:
    """Encode the playback file of `source` to `target`, completely or not at all.

    A source with a constant frame rate keeps every frame; one with a variable rate is resampled.
    `probed` saves probing the file again. `on_progress` gets the fraction done after each frame,
    and `on_picture` each frame before it is encoded; both can abort by raising, and then no file is
    left.
    """
    source, target = Path(source), Path(target)
    probed = probed or probe(source)
    with fresh_file(target) as temporary:
        return _transcode(source, temporary, probed, on_progress, on_picture)


def _transcode(
    source: Path,
    target: Path,
    probed: Probe,
    on_progress: Callable[[float], None],
    on_picture: Callable[[VideoFrame], None],
) -> Playback:
    fps, frames = probed.playback_fps, probed.playback_frames
    duration = frames / fps
    with open_container(source) as container, create_mp4(target) as output:
        video, audio = choose_video(container), choose_audio(container)
        aspect = Fraction(video.sample_aspect_ratio or 1)
        upright = 1 / aspect if probed.rotation % 180 else aspect
        size = playback_size((probed.width, probed.height), upright)
        # The length of the index depends on both streams, so both exist before the first frame.
        stream = add_video(output, fps, size, SDR if probed.hdr else read_colors(video))
        sound = audio and Soundtrack(
            output,
            audio,
            probed.start,
            duration,
            moves=probed.moves,
            may_jump=is_broadcast(container),
        )

        def on_other(packet: Packet[Any]) -> None:
            if sound and packet.stream is audio:
                sound.add_packet(packet)

        redrawing = Redrawing(
            size, (probed.rotation, probed.mirrored), aspect, interlaced=probed.interlaced > 0
        )
        drawn = redrawing.draw_all(decode(container, video, on_other=on_other))
        number = 0
        for picture in _pace(drawn, probed):
            on_picture(picture)
            picture.pts, picture.time_base = number, 1 / fps
            picture.pict_type = 0
            output.mux(stream.encode(picture))
            number += 1
            on_progress(number / frames)
        if number != frames:
            raise MediaError(
                "damaged",
                f"The file gave {number} frames where {frames} were expected. Upload it again.",
            )
        output.mux(stream.encode(None))
        if sound:
            sound.finish()
    return Playback(fps, frames, *size, duration, sound is not None)


def _pace(drawn: Iterator[tuple[int, VideoFrame]], probed: Probe) -> Iterator[VideoFrame]:
    """Yield each frame of the source as often as the playback file shows it."""
    ends = [*probed.places[1:], probed.playback_frames]
    for number, picture in drawn:
        # A file that gives more frames than before ends the import.
        times = ends[number] - probed.places[number] if number < len(ends) else 1
        yield from repeat(picture, times)


@dataclass(frozen=True)
class Colors:
    """The brightness and color that the file states for browsers, by the numbers of H.273."""

    matrix: int
    primaries: int
    transfer: int


SDR = Colors(BT709, BT709, BT709)


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

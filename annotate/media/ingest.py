"""Make the playback file and the pictures of a source file: copy it if that is safe, or encode it.

Each source is decoded once if its packets are copied, and twice if it is encoded: the check, the
pictures, the shots and the frame hashes share one pass.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Self

from av import VideoFrame
from av.error import FFmpegError

from annotate.media.copying import Copyable, copy_packets, find_copyable, rewrite
from annotate.media.errors import MediaError
from annotate.media.files import fresh_file
from annotate.media.filters import MAX_SIDE
from annotate.media.frame_hashes import FrameHashes
from annotate.media.normalize import Playback, normalize
from annotate.media.pictures import Filmstrip, Pictures
from annotate.media.probe import Limits, Probe, check_bytes, probe
from annotate.media.shots import ContentValues, place_shots

# Called with the current step and its progress, 0 to 1.
OnStep = Callable[[str, float], None]


@dataclass(frozen=True)
class Targets:
    """The paths of the new files."""

    playback: Path
    poster: Path
    filmstrip: Path


@dataclass(frozen=True)
class Ingested:
    """The results for a source; `conversions` has what was changed in its pictures: the kind, as
    in `annotate.corpus.conversions`, and a sentence. `shots` has the first frame of each shot,
    including 0; `frame_hashes` is the text that `FrameHashes` makes.
    """

    probe: Probe
    playback: Playback
    conversions: dict[str, str]
    filmstrip: Filmstrip
    shots: list[int]
    frame_hashes: str


class _NotCopiedError(Exception):
    """The copy can't be played, so the source must be encoded."""


def ingest(
    source: Path,
    targets: Targets,
    limits: Limits,
    *,
    on_step: OnStep = lambda step, done: None,
) -> Ingested:
    """Check the whole source by decoding it, and write its playback file, poster and filmstrip.

    Raises MediaError for a refused file. `on_step` is called for each percent, and may end the work
    by raising.
    """
    on_step = _by_percent(on_step)
    check_bytes(source, limits)
    copyable = find_copyable(source, limits)
    if copyable is not None:
        try:
            return _copy(source, targets, limits, copyable, on_step)
        except _NotCopiedError:
            pass
    return _encode(source, targets, limits, on_step)


def _by_percent(on_step: OnStep) -> OnStep:
    last: tuple[str, int] | None = None

    def report(step: str, done: float) -> None:
        nonlocal last
        if (step, int(100 * done)) != last:
            last = step, int(100 * done)
            on_step(step, done)

    return report


def _copy(
    source: Path, targets: Targets, limits: Limits, copyable: Copyable, on_step: OnStep
) -> Ingested:
    """Copy the packets, and check the copy by decoding it to its end, as browsers do."""
    frames = len(copyable.order)
    with fresh_file(targets.playback) as temporary:
        try:
            playback = copy_packets(source, temporary, copyable)
        except FFmpegError as error:
            raise _NotCopiedError from error
        with _Watcher(frames, copyable.fps) as watcher:

            def check(frame: VideoFrame) -> None:
                size = frame.width, frame.height
                if frame.interlaced_frame or size != (playback.width, playback.height):
                    raise _NotCopiedError
                watcher.add(frame)
                on_step("Reading", watcher.number / frames)

            try:
                # The source's own size has been checked; the copy's sound may be longer.
                probed = probe(temporary, replace(limits, max_bytes=1 << 62), on_frame=check)
            except MediaError as error:
                if error.code not in ("damaged", "truncated"):
                    raise
                raise _NotCopiedError from error
            if (probed.frames, probed.playback_fps) != (frames, copyable.fps):
                raise _NotCopiedError
            filmstrip, shots, hashes = watcher.finish(targets)
    probed = replace(
        probed,
        container=copyable.container,
        start=copyable.start,
        size=source.stat().st_size,
    )
    return Ingested(probed, playback, {}, filmstrip, shots, hashes)


def _encode(source: Path, targets: Targets, limits: Limits, on_step: OnStep) -> Ingested:
    on_step("Reading", 0)
    probed = probe(source, limits)
    with (
        fresh_file(targets.playback) as temporary,
        _Watcher(probed.playback_frames, probed.playback_fps) as watcher,
    ):
        playback = normalize(
            source,
            temporary,
            probed=probed,
            on_progress=lambda done: on_step("Converting", done),
            on_picture=watcher.add,
        )
        rewrite(temporary)
        filmstrip, shots, hashes = watcher.finish(targets)
    conversions = _describe_conversions(probed, playback)
    return Ingested(probed, playback, conversions, filmstrip, shots, hashes)


def _describe_conversions(probed: Probe, playback: Playback) -> dict[str, str]:
    lost = (
        f"{probed.dropped:,} of {probed.frames:,} source frames are not shown"
        if probed.dropped
        else f"all {probed.frames:,} source frames are shown"
    )
    times = "once" if probed.restarts == 1 else f"{probed.restarts:,} times"
    sentences = {
        "restarted": (
            probed.restarts,
            f"The clock of the file starts again {times}; the parts follow each other.",
        ),
        "resampled": (
            probed.variable_frame_rate,
            f"The frame rate varies: resampled to {float(playback.fps):.5g} frames/s, {lost}.",
        ),
        "tone_mapped": (probed.hdr, f"HDR ({probed.hdr}) was tone-mapped to BT.709."),
        "deinterlaced": (
            probed.interlaced,
            f"{probed.interlaced:,} of {probed.frames:,} frames were interlaced and are whole "
            "pictures now.",
        ),
        "letterboxed": (
            probed.resized,
            f"{probed.resized:,} of {probed.frames:,} frames have another size; they are shown "
            "whole, with bars where their shape differs.",
        ),
        "scaled": (
            max(probed.width, probed.height) > MAX_SIDE,
            f"Scaled down from {probed.width} × {probed.height} to "
            f"{playback.width} × {playback.height}.",
        ),
    }
    return {kind: sentence for kind, (applies, sentence) in sentences.items() if applies}


class _Watcher(AbstractContextManager["_Watcher"]):
    """Draws pictures, finds shots and hashes frames, given each frame of the playback file."""

    def __init__(self, frames: int, fps: Fraction) -> None:
        self.number = 0
        self._pictures = Pictures(frames, fps)
        self._contents = ContentValues()
        self._hashes = FrameHashes(frames)

    def __enter__(self) -> Self:
        self._contents.__enter__()
        return self

    def __exit__(self, *raised: object) -> None:
        self._contents.__exit__(*raised)

    def add(self, frame: VideoFrame) -> None:
        self._pictures.add(frame)
        self._contents.add(frame)
        self._hashes.add(frame)
        self.number += 1

    def finish(self, targets: Targets) -> tuple[Filmstrip, list[int], str]:
        """Write the pictures; return the filmstrip, each shot's first frame, and the hashes."""
        filmstrip = self._pictures.save(targets.poster, targets.filmstrip)
        shots = place_shots(self._contents.finish())
        return filmstrip, shots, self._hashes.finish()

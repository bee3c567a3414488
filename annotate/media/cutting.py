"""Cut frames of a playback file into a file of their own, exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import av
from av import VideoFrame
from av.container import InputContainer
from av.error import FFmpegError
from av.video.stream import VideoStream

from annotate.media.containers import create_mp4
from annotate.media.decoding import choose_audio, choose_video, exact
from annotate.media.errors import MediaError
from annotate.media.files import fresh_file
from annotate.media.normalize import add_video, count_frames, read_colors
from annotate.media.sound import Soundtrack

# Below the playback file's own, so that encoding once more loses hardly anything.
CUT_CRF = 16
MOST_REORDERED = 16  # frames, in H.264
MISSING = (
    "The playback file is missing from the media folder. Restore it from the backup, or import the "
    "video again."
)


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
    the same time. It is encoded again, because a copy could only begin at a keyframe. `on_frame`
    gets the number of each frame done, from 1, and may end the work by raising. Raises ValueError
    for an empty range, and MediaError for a file that is missing, damaged or too short.
    """
    if not 0 <= start < end:
        raise ValueError(f"Frames [{start}, {end}) are no clip.")
    with fresh_file(target) as temporary:
        try:
            _cut(playback, temporary, start, end, fps, on_frame)
        except FileNotFoundError as error:
            raise MediaError("damaged", MISSING) from error
        except FFmpegError as error:
            raise MediaError(
                "damaged",
                f"The playback file can't be decoded: {error.strerror}. Import the video again.",
            ) from error
        written = count_frames(temporary)
        if written != end - start:
            raise MediaError(
                "damaged",
                f"The playback file has {written} of the frames {start} to {end - 1}. Import the "
                "video again.",
            )


def _cut(
    playback: Path,
    target: Path,
    start: int,
    end: int,
    fps: Fraction,
    on_frame: Callable[[int], None],
) -> None:
    with (
        av.open(str(playback)) as container,
        create_mp4(target) as output,
    ):
        source = choose_video(container)
        size = source.width, source.height
        stream = add_video(output, fps, size, read_colors(source), crf=CUT_CRF)
        audio = choose_audio(container)
        sound = Soundtrack(output, audio, start / fps, (end - start) / fps) if audio else None
        for number, frame in _read(container, source, sound, start, end, fps):
            frame.pts, frame.time_base = number - start, 1 / fps
            frame.pict_type = 0
            output.mux(stream.encode(frame))
            on_frame(number - start + 1)
        output.mux(stream.encode(None))
        if sound:
            sound.finish()


def _read(
    container: InputContainer,
    source: VideoStream,
    sound: Soundtrack | None,
    start: int,
    end: int,
    fps: Fraction,
) -> Iterator[tuple[int, VideoFrame]]:
    """Yield the numbered frames of the range, and add the packets of its sound to `sound`."""
    # The index is in decoding order, in which B-frames come after frames that are shown later.
    early = max(0, start - MOST_REORDERED)
    container.seek(int(early / fps / exact(source.time_base)), stream=source, backward=True)
    audio = choose_audio(container) if sound else None
    is_seen, is_heard = False, audio is None
    for packet in container.demux([stream for stream in (source, audio) if stream]):
        if packet.stream is audio:
            assert sound is not None
            is_heard = is_heard or (
                packet.pts is not None and packet.pts * exact(packet.time_base) * fps >= end
            )
            if not is_heard:
                sound.add_packet(packet)
        elif not is_seen:
            for frame in source.decode(packet):
                number = round(exact(frame.time_base) * (frame.pts or 0) * fps)
                if start <= number < end:
                    yield number, frame
                is_seen = is_seen or number >= end - 1
        if is_seen and is_heard:
            return

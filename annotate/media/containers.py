"""Recognize a file's container by its bytes, and open its streams, only here."""

import struct
from pathlib import Path
from typing import BinaryIO

import av
from av.container import InputContainer, OutputContainer
from av.error import FFmpegError

from annotate.media.errors import MediaError

# Container -> the only FFmpeg demuxer that may read it. Unlike hls, concat, dash or image2, none of
# these opens a second file.
DEMUXERS = {
    "mp4": "mov",
    "matroska": "matroska",
    "avi": "avi",
    "mpeg": "mpeg",
    "mpegts": "mpegts",
    "flv": "flv",
    "asf": "asf",
}
MP4_BOXES = {b"ftyp", b"moov", b"mdat", b"free", b"skip", b"wide", b"pnot", b"uuid", b"styp"}
PLAYLISTS = (b"#extm3u", b"#ext-x-", b"ffconcat", b"[playlist]", b"<asx", b"<smil", b"<mpd")
TS_PACKET = 188
EBML, SEGMENT = b"\x1a\x45\xdf\xa3", b"\x18\x53\x80\x67"


def sniff_container(path: Path) -> str:
    """Return the container's name; raise MediaError for a cut file or a container we refuse."""
    size = path.stat().st_size
    if not size:
        raise MediaError("empty", "The file is empty. Copy or download it again.")
    with path.open("rb") as file:
        head = file.read(4096)
        container = _recognize(head)
        if _is_cut(container, file, size):
            raise MediaError(
                "truncated",
                "The file ends too early: its last part is missing. Copy or download it again.",
            )
    return container


def open_container(path: Path, container: str) -> InputContainer:
    """Open the file with only the demuxer of its container."""
    demuxer = DEMUXERS[container]
    try:
        return av.open(
            # An absolute path, so that a name is never taken for a protocol ("http:...").
            str(path.absolute()),
            format=demuxer,
            options={"protocol_whitelist": "file", "format_whitelist": _whitelist(demuxer)},
            metadata_errors="replace",
        )
    except FFmpegError as error:
        raise MediaError(
            "damaged",
            "The file's header can't be read. Export the video again, as MP4 (H.264).",
        ) from error


def create_mp4(path: Path) -> OutputContainer:
    """Open a new MP4 file with its index first, whose bytes depend only on the content."""
    options = {"movflags": "+faststart", "fflags": "+bitexact"}
    return av.open(str(path), "w", format="mp4", options=options)


def _whitelist(demuxer: str) -> str:
    """Return the list of names that FFmpeg compares, such as "matroska,webm"."""
    return f"{demuxer},{av.ContainerFormat(demuxer, 'r').name}"


def _recognize(head: bytes) -> str:
    if head[4:8] in MP4_BOXES:
        return "mp4"
    if head.startswith(EBML):
        return "matroska"
    if head.startswith(b"RIFF") and head[8:12] == b"AVI ":
        return "avi"
    if head.startswith(b"\x00\x00\x01\xba"):
        return "mpeg"
    if head.startswith(b"FLV\x01"):
        return "flv"
    if head.startswith(b"\x30\x26\xb2\x75\x8e\x66\xcf\x11"):
        return "asf"
    if len(head) > 2 * TS_PACKET and head[0] == head[TS_PACKET] == head[2 * TS_PACKET] == 0x47:
        return "mpegts"
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if text.startswith(PLAYLISTS) or b"<mpd" in text or b"#extm3u" in text:
        raise MediaError(
            "playlist",
            "This is a playlist that points to other files, not a video. Upload the video itself.",
        )
    raise MediaError(
        "not_a_video",
        "This is not a video file, whatever its name says. Export the video as MP4 (H.264).",
    )


def _is_cut(container: str, file: BinaryIO, size: int) -> bool:
    """Return whether the container says that bytes are missing at its end."""
    if container == "mp4":
        return _mp4_is_cut(file, size)
    if container == "matroska":
        return _matroska_is_cut(file, size)
    if container == "avi":
        file.seek(4)
        return 8 + int.from_bytes(file.read(4), "little") > size
    return False


def _mp4_is_cut(file: BinaryIO, size: int) -> bool:
    """Walk the top-level boxes: each must fit in the file, and one must be the index (moov)."""
    position, has_index = 0, False
    while position + 8 <= size:
        file.seek(position)
        length, kind = struct.unpack(">I4s", file.read(8))
        if length == 1:
            extended = file.read(8)
            length = struct.unpack(">Q", extended)[0] if len(extended) == 8 else 0
        elif length == 0:
            length = size - position
        has_index |= kind == b"moov"
        if length < 8:
            break
        position += length
    return position > size or not has_index


def _matroska_is_cut(file: BinaryIO, size: int) -> bool:
    """Compare the length that the segment states with the file; a live recording states none."""
    file.seek(0)
    position = 0
    while position < size:
        file.seek(position)
        kind = file.read(4)
        length, width = _ebml_length(file.read(8))
        if length is None or kind not in (EBML, SEGMENT):
            return False
        position += 4 + width + length
        if kind == SEGMENT:
            return position > size
    return True


def _ebml_length(data: bytes) -> tuple[int | None, int]:
    """Return a Matroska length, or None if it is unknown, and the number of bytes read."""
    if not data or not data[0]:
        return None, 0
    width = 9 - data[0].bit_length()
    value = int.from_bytes(data[:width], "big") & ((1 << 7 * width) - 1)
    return (None if value == (1 << 7 * width) - 1 else value), width

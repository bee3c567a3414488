"""Open a file with a demuxer that opens no other file, and refuse one that ends too early."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from errno import EINVAL
from pathlib import Path
from typing import Any, BinaryIO

import av
from av import ContainerFormat, Packet, logging
from av.container import InputContainer, OutputContainer
from av.error import FFmpegError
from av.stream import Stream

from annotate.media.errors import MediaError

# FFmpeg's demuxers of containers and streams of video. Unlike hls, concat, dash, imf, image2, sdp
# or vobsub, none of these opens a second file; none reads a text or a still picture.
DEMUXERS = (
    "mov", "matroska", "avi", "mpeg", "mpegts", "flv", "live_flv", "kux", "asf", "asf_o", "ogg",
    "mxf", "gxf", "lxf", "dv", "nut", "nsv", "rm", "ivr", "wtv", "ty", "pva", "ivf", "dhav",
    "cine", "swf", "gif", "h261", "h263", "h264", "hevc", "vvc", "evc", "obu", "av1", "mpegvideo",
    "m4v", "mjpeg", "mpjpeg", "vc1", "vc1test", "dirac", "dnxhd", "cavsvideo", "avs2", "avs3",
    "yuv4mpegpipe",
)  # fmt: skip
OPTIONS = {"protocol_whitelist": "file", "format_whitelist": ",".join(DEMUXERS)}
PLAYLISTS = (b"#extm3u", b"#ext-x-", b"ffconcat", b"[playlist]", b"<asx", b"<smil", b"<mpd")
MAX_PARTS = 2_000_000  # the tags of FLV in hours of recording
EBML, SEGMENT = b"\x1a\x45\xdf\xa3", b"\x18\x53\x80\x67"
ASF = bytes.fromhex("3026b2758e66cf11a6d900aa0062ce6c")


def open_container(path: Path) -> InputContainer:
    """Open the file; raise MediaError for a kind that isn't read, and for a file that was cut."""
    if not path.stat().st_size:
        raise MediaError("empty", "The file is empty. Copy or download it again.")
    with path.open("rb") as file:
        if _is_cut(file):
            raise _truncated("its last part is missing")
        # By number: a name with a suffix is taken for a hint, one with a colon for a protocol.
        address = f"/dev/fd/{file.fileno()}"
        try:
            return av.open(address, options=OPTIONS, metadata_errors="replace")
        except FFmpegError as error:
            raise _refusal(file, address, error.errno) from error


def name_container(container: InputContainer) -> str:
    """Return FFmpeg's first name of the container, but mp4 for mov."""
    name = container.format.name.partition(",")[0]
    return "mp4" if name == "mov" else name


def is_broadcast(container: InputContainer) -> bool:
    """Return whether the container has no index, may begin and end anywhere, and may have its clock
    set anew."""
    return name_container(container) in {"mpeg", "mpegts"}


def read_packets(container: InputContainer, video: Stream) -> Iterator[Packet[Any]]:
    """Yield all packets of the file; raise MediaError if they end before its index."""
    latest, is_whole = -(10**18), True
    try:
        for packet in container.demux():
            if packet.size:
                is_whole = not packet.is_corrupt
            if packet.stream is video and packet.dts is not None:
                latest = max(latest, packet.dts, packet.pts or packet.dts)
            yield packet
    except FFmpegError as error:
        raise _truncated("a part can't be read") from error
    index = video.index_entries
    ends_early = len(index) > 0 and index[-1].timestamp > latest
    if ends_early or not (is_whole or is_broadcast(container)):
        raise _truncated("its packets end before its index says")


def create_mp4(path: Path) -> OutputContainer:
    """Open a new MP4 file with its index first, whose bytes depend only on the content."""
    options = {"movflags": "+faststart", "write_btrt": "0", "fflags": "+bitexact"}
    return av.open(str(path), "w", format="mp4", options=options)


def _truncated(why: str) -> MediaError:
    return MediaError("truncated", f"The file ends too early: {why}. Copy or download it again.")


def _refusal(file: BinaryIO, address: str, number: int | None) -> MediaError:
    file.seek(0)
    head = file.read(4096)
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if text.startswith(PLAYLISTS) or b"<mpd" in text or b"#extm3u" in text:
        return MediaError(
            "playlist",
            "This is a playlist that points to other files, not a video. Upload the video itself.",
        )
    if number == EINVAL and (kind := _name_kind(address)):
        return MediaError(
            "not_a_video",
            f"The file is of the kind “{kind}”, which isn't read. Export it as MP4 (H.264).",
        )
    if _choose_walk(head):
        return MediaError(
            "damaged",
            "The file's header can't be read. Export the video again, as MP4 (H.264).",
        )
    return MediaError(
        "not_a_video",
        "This is not a video file, whatever its name says. Export the video as MP4 (H.264).",
    )


def _name_kind(address: str) -> str:
    """Return FFmpeg's name for the kind of a file that it recognizes but may not read."""
    level = logging.get_level()
    logging.set_level(logging.DEBUG)
    try:
        with logging.Capture() as lines:
            av.open(address, options=OPTIONS)
    except FFmpegError:
        names = [name for _, name, line in lines if line.startswith(f"Format {name} probed")]
        name = ContainerFormat(names[0].partition(",")[0], "r").long_name if names else ""
        return name.removeprefix("piped ").removesuffix(" sequence")
    finally:
        logging.set_level(level)
    return ""


# Reads the header of a part: (type, bytes until what it holds, bytes of that). None: no such part,
# or one that doesn't state its length.
Header = tuple[bytes, int, int]
Walk = Callable[[bytes], Header | None]


def _is_cut(file: BinaryIO) -> bool:
    """Walk the outermost parts of the file: each must fit, and one must be the index."""
    walk = _choose_walk(file.read(64))
    if walk is None:
        return False
    size, position, kinds = file.seek(0, 2), 0, set()
    for _ in range(MAX_PARTS):
        file.seek(position)
        header = walk(file.read(24)) if position < size else None
        if header is None:
            break
        kinds.add(header[0])
        position += sum(header[1:])
    index, slack = NEEDED.get(walk, ((), 0))
    return position > size + slack or (bool(index) and kinds.isdisjoint(index))


def _choose_walk(head: bytes) -> Walk | None:
    if head[4:8] in {b"ftyp", b"moov", b"mdat", b"free", b"skip", b"wide", b"pnot", b"styp"}:
        return _mp4_box
    if head.startswith(EBML):
        return _matroska_element
    if head.startswith(b"RIFF") and head[8:12] == b"AVI ":
        return _avi_chunk
    if head.startswith(b"FLV\x01"):
        return _flv_tag
    return _asf_object if head.startswith(ASF) else None


def _mp4_box(head: bytes) -> Header | None:
    length, kind = struct.unpack(">I4s", head[:8].ljust(8, b"\0"))
    if length == 1 and len(head) >= 16:
        return kind, 16, max(0, int.from_bytes(head[8:16], "big") - 16)
    return (kind, 8, length - 8) if length >= 8 and _is_code(kind) else None


def _matroska_element(head: bytes) -> Header | None:
    """A live recording states no length."""
    if head[:4] not in (EBML, SEGMENT) or not (first := head[4:5].strip(b"\0")):
        return None
    width = 9 - first[0].bit_length()
    most = (1 << 7 * width) - 1
    length = int.from_bytes(head[4 : 4 + width], "big") & most
    return head[:4], 4 + width, 0 if length == most else length


def _avi_chunk(head: bytes) -> Header | None:
    """The file as a whole is entered, since its length is often wrong, as is the list of headers,
    which may hold an index."""
    kind, length = struct.unpack("<4sI", head[:8].ljust(8, b"\0"))
    if kind == b"RIFF" or head[8:12] in (b"hdrl", b"strl"):
        return kind, 12, 0
    return (kind, 8, length + length % 2) if _is_code(kind) else None


def _flv_tag(head: bytes) -> Header | None:
    if head.startswith(b"FLV"):
        return b"FLV", 13, 0
    return (head[:1], 15, int.from_bytes(head[1:4], "big")) if head[0] in (8, 9, 18) else None


def _asf_object(head: bytes) -> Header | None:
    """The header and the data, whose identifiers end alike."""
    length = int.from_bytes(head[16:24], "little")
    return (head[:16], 24, length - 24) if head[4:16] == ASF[4:] and length >= 24 else None


def _is_code(kind: bytes) -> bool:
    return all(0x20 <= byte < 0x7F for byte in kind)


# The parts of which a file needs one, and how many bytes may be missing at its end.
NEEDED: dict[Walk, tuple[set[bytes], int]] = {
    _mp4_box: ({b"moov"}, 0),
    _matroska_element: ({SEGMENT}, 0),
    _avi_chunk: ({b"idx1", b"indx"}, 1),
    _flv_tag: (set(), 4),
}

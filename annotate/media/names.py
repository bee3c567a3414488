"""Check the file names that people send."""

import unicodedata
from pathlib import PurePosixPath

from annotate.media.errors import MediaError
from annotate.text.file_names import is_reserved_name

EXTENSIONS = (
    ".mp4", ".mov", ".m4v", ".mkv", ".webm", ".avi", ".mpg", ".mpeg", ".ts", ".flv", ".wmv", ".3gp",
    ".3g2", ".asf", ".dv", ".f4v", ".gif", ".m2ts", ".m2v", ".mts", ".mxf", ".nut", ".ogv", ".rm",
    ".rmvb", ".vob", ".wtv",
)  # fmt: skip
MAX_BYTES = 200

# Characters that change how a name is displayed, such as a right-to-left override.
BIDI_MARKS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def check_file_name(name: str) -> str:
    """Return the file name in NFC; raise MediaError if it is unsafe to store or show."""
    name = unicodedata.normalize("NFC", name)
    if not name.strip():
        raise _refuse("The file has no name. Give it one, such as clip.mp4.")
    if "/" in name or "\\" in name:
        raise _refuse("The file name has a slash. Give a name without folders, such as clip.mp4.")
    if any(_is_control(character) for character in name):
        raise _refuse("The file name has invisible characters. Rename the file.")
    if ".." in name:
        raise _refuse("The file name has two dots in a row. Rename the file with single dots.")
    if name.startswith("."):
        raise _refuse("The file name starts with a dot. Rename the file.")
    if len(name.encode()) > MAX_BYTES:
        raise _refuse(
            f"The file name is {len(name)} characters ({len(name.encode())} bytes) long. "
            f"Shorten it to {MAX_BYTES} bytes, which is {MAX_BYTES} English letters."
        )
    path = PurePosixPath(name)
    if path.suffix.lower() not in EXTENSIONS or not path.stem.strip():
        raise _refuse(f"The file name has no suffix of a video. Accepted: {' '.join(EXTENSIONS)}.")
    if is_reserved_name(name):
        raise _refuse(f"Windows reserves the name {path.stem!r} for a device. Rename the file.")
    return name


def _is_control(character: str) -> bool:
    return unicodedata.category(character) in {"Cc", "Cs", "Zl", "Zp"} or character in BIDI_MARKS


def _refuse(message: str) -> MediaError:
    return MediaError("bad_name", message)

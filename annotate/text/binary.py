"""Name the kind of a binary file that somebody chose as a text file. Pure."""

from __future__ import annotations

import re

MAX_LENGTH = 512  # bytes that tell the kind
SAVE = "Save its content as text in UTF-8."
UNPACK = "Unpack it and choose the text in it."

# First bytes, what they are, and what to do, if that says more than to choose another file. None
# of them begins a text.
KINDS = (
    (
        rb"\x89PNG\r|\xff\xd8\xff|GIF8[79]a|RIFF....WEBP|II\*\0|MM\0\*|\0...ftyp(avif|heic|mif1)",
        "a picture, not a text",
        "",
    ),
    (
        rb"\0...(ftyp|moov|mdat|free|skip|wide|pnot|styp)|\x1aE\xdf\xa3|RIFF....AVI |FLV\x01|OggS\0"
        rb"|0&\xb2u\x8ef\xcf\x11|\0\0\x01[\xb3\xba]|G.{187}G",
        "a video, not a text",
        "Upload it under Corpus → Upload videos.",
    ),
    (rb"RIFF....WAVE|ID3[\x02-\x04]|fLaC\0", "a sound file, not a text", ""),
    (rb"%PDF-", "a PDF", SAVE),
    (rb"PK\x03\x04", "an Office file, or a ZIP with another suffix", SAVE),
    (rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Office file", SAVE),
    (rb"\x1f\x8b\x08|BZh[1-9]1AY|7z\xbc\xaf|Rar!\x1a|\xfd7zXZ\0", "a packed file", UNPACK),
)


def refusal(data: bytes, choose: str = "Choose another file.") -> str:
    """Return what a binary file is and what to do instead, which `choose` says where its kind
    doesn't; "" for a file of no known kind."""
    for beginning, kind, what_to_do in KINDS:
        if re.match(beginning, data, re.DOTALL):
            return f"This is {kind}. {what_to_do or choose}"
    return ""

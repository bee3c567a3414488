"""Text that every database can store. Pure."""

from __future__ import annotations

import re

# Characters that PostgreSQL can't store or that are not valid text.
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def is_storable(text: str) -> bool:
    """Return whether the text has no character of UNSTORABLE, quickly for long texts."""
    try:
        return "\0" not in text and (text.isascii() or bool(text.encode()))
    except UnicodeEncodeError:
        return False


def storable(text: str) -> str:
    """Return the text with unstorable characters replaced by the replacement character."""
    return UNSTORABLE.sub("\ufffd", text.replace("\r\n", "\n"))

"""Text that every database can store. Pure."""

from __future__ import annotations

import re

# Characters that PostgreSQL can't store, or that aren't valid text.
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def storable(text: str) -> str:
    """Return the text with unstorable characters replaced by the replacement character."""
    return UNSTORABLE.sub("\ufffd", text.replace("\r\n", "\n"))

"""Text that every database can store. Pure."""

from __future__ import annotations

import re

# Not stored by PostgreSQL, or not valid text at all.
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def storable(text: str) -> str:
    """The text with what no database stores replaced by the sign for an unreadable character."""
    return UNSTORABLE.sub("\ufffd", text.replace("\r\n", "\n"))

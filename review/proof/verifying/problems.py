"""Problems of a folder."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """`where`: a file, or a file and a key in it, after #."""

    where: str
    message: str

    def __str__(self) -> str:
        return f"{printable(self.where)}: {printable(self.message)}"


class Unreadable(Exception):
    """A file can't be read in its format; the message says why."""


def printable(text: str) -> str:
    """Return text from a folder without what would control a terminal."""
    return "".join(sign if sign.isprintable() else f"\\x{ord(sign):02x}" for sign in text)

"""Text that LaTeX prints as it is."""

from __future__ import annotations

import re
import unicodedata

_ESCAPED = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    # After the end of a line these would be its arguments.
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
}
_SPECIAL = re.compile("|".join(map(re.escape, _ESCAPED)))
_SPACES = re.compile(r"\s+")


def escaped(text: str) -> str:
    """`text` as LaTeX prints it: nothing in it is a command, a comment or the end of a line."""
    return _SPECIAL.sub(lambda found: _ESCAPED[found[0]], one_line(text))


def one_line(text: str) -> str:
    """Without control and other unseen characters, among them those that turn the direction of what
    is read."""
    seen = (
        " " if unicodedata.category(sign) in ("Cc", "Cf", "Zl", "Zp") else sign for sign in text
    )
    return _SPACES.sub(" ", "".join(seen)).strip()

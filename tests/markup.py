"""Markup without the line breaks that only its writer sees."""

from __future__ import annotations

import re


def squeezed(markup: str) -> str:
    """Return the markup with each run of white space as one space, and none beside a tag."""
    return re.sub(r"\s*([<>])\s*", r"\1", re.sub(r"\s+", " ", markup))


def shows(markup: str, fragment: str) -> bool:
    """Return whether the markup holds the fragment, wherever its writer broke the lines."""
    return squeezed(fragment) in squeezed(markup)

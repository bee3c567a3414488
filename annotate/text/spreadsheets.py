"""Cells of CSV that a spreadsheet shows and never runs. Pure."""

from __future__ import annotations

import re

# How a cell begins that a spreadsheet takes for a formula; the last four are = + - @ in wide forms.
_FORMULA = r"[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]"
_TO_GUARD, _GUARDED = re.compile(f"'*{_FORMULA}"), re.compile(f"'+{_FORMULA}")


def guarded(cell: str) -> str:
    """The cell with an apostrophe before it where a spreadsheet would take it for a formula.

    Cells that look guarded already get another, so that `unguarded` gives back each exactly.
    """
    return f"'{cell}" if _TO_GUARD.match(cell) else cell


def unguarded(cell: str) -> str:
    """The inverse of `guarded`; any other cell stays as it is."""
    return cell[1:] if _GUARDED.match(cell) else cell

"""Cells of CSV that a spreadsheet shows and never runs. Pure."""

from __future__ import annotations

import re

# Beginnings of cells that a spreadsheet takes for a formula; the last four are = + - @ in wide
# forms.
_FORMULA = r"[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]"
_TO_GUARD, _GUARDED = re.compile(f"'*{_FORMULA}"), re.compile(f"'+{_FORMULA}")


def guarded(cell: str) -> str:
    """Return the cell with an apostrophe before it if a spreadsheet would take it for a formula.

    Cells that look guarded already get another, so that `unguarded` restores each exactly.
    """
    return f"'{cell}" if _TO_GUARD.match(cell) else cell


def unguarded(cell: str) -> str:
    """Return the original of a `guarded` cell; any other cell stays unchanged."""
    return cell[1:] if _GUARDED.match(cell) else cell

"""Tables in LaTeX with the rules of booktabs, and text that LaTeX prints literally."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

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
RULE = r"    \midrule"
UNDEFINED = "--"


def latex_text(
    caption: str, columns: str, rows: Iterable[str], *, comments: Iterable[str], needs: str
) -> str:
    """Return a file with one table. `needs`: the packages that it uses."""
    above = [*comments, f"Needs {needs}."]
    lines = [*(f"% {line}" for line in above), *table_lines(caption, columns, rows)]
    return "\n".join(lines) + "\n"


def simulated(text: str, is_simulated: bool) -> str:
    """Return the text with a warning if it is about made-up labels."""
    return f"SIMULATED, made-up labels. {text}" if is_simulated else text


def table_lines(caption: str, columns: str, rows: Iterable[str]) -> Iterator[str]:
    """Yield a table. `columns`: the letters of their alignment; `rows`: lines, with RULEs."""
    yield from (
        r"\begin{table}",
        r"  \centering",
        rf"  \caption{{{escaped(caption)}}}",
        rf"  \begin{{tabular}}{{{columns}}}",
        r"    \toprule",
        *rows,
        r"    \bottomrule",
        r"  \end{tabular}",
        r"\end{table}",
    )


def row_line(cells: Iterable[str]) -> str:
    """Return a line of a table; the cells are LaTeX already."""
    line = " &".join(f" {cell}" if cell else "" for cell in cells)
    return rf"   {line} \\"


def escaped(text: str) -> str:
    """Return `text` so that LaTeX prints it literally: without commands, comments or line ends."""
    return _SPECIAL.sub(lambda match: _ESCAPED[match[0]], one_line(text))


def one_line(text: str) -> str:
    """Return the text without control and invisible characters, including those that change the
    direction of writing."""
    seen = (
        " " if unicodedata.category(sign) in ("Cc", "Cf", "Zl", "Zp") else sign for sign in text
    )
    return _SPACES.sub(" ", "".join(seen)).strip()

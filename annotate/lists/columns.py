"""The columns of a list, which each person chooses. Pure.

The choice is in a cookie, so that the server draws the list as the person left it. `?columns=` in
the address, as a saved view has it, comes before the cookie.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

PARAMETER = "columns"


@dataclass(frozen=True)
class Column:
    """`is_wide`: a phone hides it, and says so."""

    name: str
    label: str
    is_wide: bool = False


@dataclass(frozen=True)
class ChosenColumns:
    every: Sequence[Column]
    names: frozenset[str]

    @property
    def query(self) -> str:
        """Return the choice as the address names it."""
        return ".".join(column.name for column in self.every if column.name in self.names) or "none"

    @property
    def _wide(self) -> list[str]:
        return [each.label for each in self.every if each.is_wide and each.name in self.names]

    @property
    def hide_verb(self) -> str:
        return "is" if len(self._wide) == 1 else "are"

    @property
    def hidden_on_phones(self) -> str:
        """Name the chosen columns that a phone hides."""
        labels = self._wide
        return " and ".join([", ".join(labels[:-1]), labels[-1]] if len(labels) > 1 else labels)


def cookie_of(list_name: str) -> str:
    return f"columns-{list_name}"


def read_columns(
    every: Sequence[Column], list_name: str, query: Mapping[str, str], cookies: Mapping[str, str]
) -> ChosenColumns:
    """Return the columns that the address names, or else the cookie; all of them by default."""
    names = {column.name for column in every}
    text = query.get(PARAMETER) or cookies.get(cookie_of(list_name), "")
    return ChosenColumns(every, frozenset(names & set(text.split(".")) if text else names))

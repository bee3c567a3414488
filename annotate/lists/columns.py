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
        return ".".join(column.name for column in self._chosen) or "none"

    @property
    def _chosen(self) -> list[Column]:
        return [column for column in self.every if column.name in self.names]

    @property
    def _wide(self) -> list[str]:
        return [column.label for column in self._chosen if column.is_wide]

    @property
    def hide_verb(self) -> str:
        return "is" if len(self._wide) == 1 else "are"

    @property
    def hidden_on_phones(self) -> str:
        """Name the chosen columns that a phone hides."""
        return _listed(self._wide)

    @property
    def announcement(self) -> str:
        """Say which columns are shown, for people who don't see the table change."""
        if len(self._chosen) == len(self.every):
            return "All columns are shown."
        labels = [column.label for column in self._chosen]
        return f"Columns shown: {_listed(labels)}." if labels else "No optional column is shown."


def _listed(labels: list[str]) -> str:
    return " and ".join([", ".join(labels[:-1]), labels[-1]] if len(labels) > 1 else labels)


def cookie_of(list_name: str) -> str:
    return f"columns-{list_name}"


def read_columns(
    every: Sequence[Column], list_name: str, query: Mapping[str, str], cookies: Mapping[str, str]
) -> ChosenColumns:
    """Return the columns named by the address, else by the cookie; by default all."""
    names = {column.name for column in every}
    text = query.get(PARAMETER) or cookies.get(cookie_of(list_name), "")
    return ChosenColumns(every, frozenset(names & set(text.split(".")) if text else names))

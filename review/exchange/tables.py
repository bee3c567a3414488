"""Tables that a project writes as CSV and reads again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from annotate.datasets.faults import NO_ROWS, Faults, LeftOut
from annotate.models import Project, User
from annotate.text.storable import UNSTORABLE

# The place of a row in its file, and its cells by column.
Row = tuple[str, dict[str, str]]
MAX_NAME_LENGTH = 60


@dataclass(frozen=True)
class Choices:
    """`set_number`: the triplet set of query verdicts, the newest if None. `as_drafts`: accepted
    texts are imported as proposals, which people decide about. `skips_bad`: rows with an error are
    left out and the others imported.
    """

    set_number: int | None = None
    as_drafts: bool = False
    skips_bad: bool = False


@dataclass(frozen=True)
class Plan:
    """What an import would do. `new`: the rows that it would store; `store` stores them.
    `left_out`: rows with an error."""

    new: int
    sentences: list[str]
    store: Callable[[User | None], None]
    left_out: LeftOut = NO_ROWS


@dataclass(frozen=True)
class Table:
    """`rows` yields the cells of `columns`, in an order that a fresh project repeats. `plan` checks
    all rows of a file against the project, adds what must be fixed to the faults, and stores
    nothing. A file needs the first `needed` columns only.
    """

    key: str
    title: str
    about: str
    columns: tuple[str, ...]
    needed: int
    empty: str
    rows: Callable[[Project, Choices], Iterable[Sequence[object]]]
    plan: Callable[[Project, Sequence[Row], Faults, Choices], Plan]

    @property
    def needed_columns(self) -> tuple[str, ...]:
        return self.columns[: self.needed]


def counted(number: int, singular: str, plural: str) -> str:
    return f"{number:,} {singular if number == 1 else plural}"


def is_storable(where: str, cells: dict[str, str], faults: Faults) -> bool:
    """Return whether no cell has a character that a database refuses."""
    refused = [name for name, cell in cells.items() if UNSTORABLE.search(cell)]
    for name in refused:
        faults.add(where, name, "It contains a character that can't be stored. Remove it.")
    return not refused


def is_annotator(where: str, name: str, faults: Faults) -> bool:
    """Return whether this can name an otherwise unknown person."""
    if 0 < len(name) <= MAX_NAME_LENGTH:
        return True
    faults.add(where, "annotator", f"Name the annotator in 1 to {MAX_NAME_LENGTH} characters.")
    return False


def numbers_for(people: Iterable[int], taken: Iterable[str]) -> dict[int, str]:
    """Return a number instead of a name for each person, in this order, without the numbers of
    imported verdicts.
    """
    names, keys = set(taken), dict.fromkeys(people)
    free = (str(n) for n in range(1, len(keys) + len(names) + 1) if str(n) not in names)
    return dict(zip(keys, free, strict=False))

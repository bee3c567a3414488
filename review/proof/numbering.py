"""Replace the keys of people, and of items that nobody must recognize, by numbers."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from review.reports.answers import by_rater
from review.reports.plain import Row, RowsMadeAnew, Table

USER, LABEL = "user:", "label:"
_RATER = re.compile(r"user:\d+|label:.*", re.DOTALL)


def numbered(table: Table, people: Mapping[Any, Any]) -> Table:
    """Return the table with numbers in its columns `people` and `numbered`, in the same order."""
    columns = list(table.columns)
    changes = {columns.index(name): people for name in table.people}
    for name in table.numbered:
        place = columns.index(name)
        keys = sorted({_key(row[place]) for row in table.rows})
        changes[place] = {key: number for number, key in enumerate(keys, 1)}

    def rows() -> Iterator[Row]:
        for row in table.rows:
            yield [
                _changed(value, changes[place]) if place in changes else value
                for place, value in enumerate(row)
            ]

    return Table(columns, RowsMadeAnew(rows))


def people_of(tables: Iterable[Table], result: Any) -> dict[Any, Any]:
    """Return the replacement of each person in the tables and in the stored result: 12 or user:12
    becomes 1 or user:1, and label:Kim, a name in an imported file, becomes label:1."""
    keys = set(_raters_in(result)) | {
        row[place]
        for table in tables
        for name in table.people
        for place in [list(table.columns).index(name)]
        for row in table.rows
    }
    users = sorted(key for key in keys if isinstance(key, int))
    raters = sorted((key for key in keys if isinstance(key, str)), key=by_rater)
    numbers: dict[Any, Any] = {key: number for number, key in enumerate(users, 1)}
    for prefix in (USER, LABEL):
        own = [rater for rater in raters if rater.startswith(prefix)]
        width = len(str(len(own))) if prefix == LABEL else 0  # Labels are sorted as texts.
        numbers |= {rater: f"{prefix}{place:0{width}d}" for place, rater in enumerate(own, 1)}
    return numbers


def renamed(
    value: Any, people: Mapping[Any, Any], fields: Collection[str], *, is_person: bool = False
) -> Any:
    """Return a stored result with the people replaced: in each text that names one, and in the keys
    of `fields`, such as `rater`."""
    if isinstance(value, dict):
        return {
            key: renamed(entry, people, fields, is_person=key in fields)
            for key, entry in sorted(value.items())  # PostgreSQL stores keys in its own order
        }
    if isinstance(value, list):
        return [renamed(entry, people, fields) for entry in value]
    return people.get(value, value) if is_person or isinstance(value, str) else value


def _raters_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict | list):
        for entry in value.values() if isinstance(value, dict) else value:
            yield from _raters_in(entry)
    elif isinstance(value, str) and _RATER.fullmatch(value):
        yield value


def _key(value: Any) -> Any:
    return value[0] if isinstance(value, list | tuple) else value


def _changed(value: Any, numbers: Mapping[Any, Any]) -> Any:
    if isinstance(value, list | tuple):
        return [numbers[value[0]], *value[1:]]
    return numbers[value]

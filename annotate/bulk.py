"""Many rows at once: in batches, and inserted by COPY on PostgreSQL or by one prepared statement on
SQLite.

`bulk_create` makes an object, and adapts each value of each column, for every row, which takes
several times as long as the database needs. Imports of captions have hundreds of thousands of rows.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar

from django.db import connection
from django.db.models import Field, JSONField, Model

Values = Sequence[int | str | None]
BATCH_SIZE = 1000
Item = TypeVar("Item")


def in_batches(items: Iterable[Item], size: int = 500) -> Iterator[list[Item]]:
    """Yield the items in lists of at most `size`, which a statement can name."""
    remaining = iter(items)
    while batch := list(islice(remaining, size)):
        yield batch


def insert_rows(
    model: type[Model],
    columns: Sequence[str],
    rows: Iterable[Values],
    same: Mapping[str, Any],
) -> None:
    """Insert rows of `columns`, whose values are whole numbers or texts (JSON as text), within the
    transaction of the caller. `same`: the values of columns that all rows share. Other columns have
    their defaults. No signal is sent. PostgreSQL stores rows while `rows` makes further ones, which
    therefore doesn't use the connection."""
    fields = {
        field.attname: field
        for field in model._meta.concrete_fields
        if field.attname not in columns and (not field.primary_key or field.attname in same)
    }
    shared = [
        _prepared(field, same[name] if name in same else field.get_default())
        for name, field in fields.items()
    ]
    column_of = {field.attname: str(field.column) for field in model._meta.concrete_fields}
    names = [column_of[name] for name in (*columns, *fields)]
    table = connection.ops.quote_name(model._meta.db_table)
    into = f"{table} ({', '.join(map(connection.ops.quote_name, names))})"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with connection.wrap_database_errors, cursor.copy(f"COPY {into} FROM STDIN") as copy:
                for row in rows:
                    copy.write_row((*row, *shared))
        else:
            places = ", ".join(["%s"] * len(names))
            values: Iterator[Any] = ((*row, *shared) for row in rows)
            # Django keeps the rows of a call in memory.
            while batch := list(islice(values, BATCH_SIZE)):
                cursor.executemany(f"INSERT INTO {into} VALUES ({places})", batch)


def _prepared(field: Field[Any, Any], value: object) -> object:
    if isinstance(field, JSONField) and value is not None:
        return json.dumps(value, cls=field.encoder)  # Once here, instead of once per row.
    return field.get_db_prep_save(value, connection)


def new_keys(model: type[Model], number: int) -> list[int]:
    """Return the next keys of the model's rows, in ascending order, within the transaction of the
    caller, who has written in it already."""
    key = model._meta.pk
    assert key is not None
    table = model._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT nextval(pg_get_serial_sequence(%s, %s)) FROM generate_series(1, %s)",
                [connection.ops.quote_name(table), key.column, number],
            )
            return [row[0] for row in cursor.fetchall()]
        cursor.execute("SELECT COALESCE(MAX(seq), 0) FROM sqlite_sequence WHERE name = %s", [table])
        [last] = cursor.fetchone()
    return list(range(last + 1, last + 1 + number))

"""SQL as text: conditions of queries, and a few statements."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, TypeVar
from uuid import UUID

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import BooleanField, F, Field, Func, Model
from django.db.models.sql.compiler import SQLCompiler

Row = tuple[Any, ...]
AnyModel = TypeVar("AnyModel", bound=Model)


@dataclass(frozen=True)
class Columns:
    """Columns of a model, in its order, that a statement selects under an alias."""

    alias: str
    model: type[Model]
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        columns = [field.attname for field in self.model._meta.concrete_fields]
        if list(self.names) != [name for name in columns if name in self.names]:
            raise ValueError(f"Name the columns of {self.model.__name__} in their order: {columns}")

    def __str__(self) -> str:
        return ", ".join(f"{self.alias}.{name}" for name in self.names)


def all_columns(alias: str, model: type[Model]) -> Columns:
    """Return every column of a model under an alias."""
    return Columns(alias, model, tuple(field.attname for field in model._meta.concrete_fields))


@dataclass(frozen=True)
class Statement:
    """One statement with a `%(name)s` for each value.

    SQLite, which has only one writer at a time, skips lines that begin with FOR UPDATE.
    """

    sql: str

    def change(self, **values: Any) -> int:
        """Run the statement and return the number of changed rows."""
        with connection.cursor() as cursor:
            cursor.execute(_for_database(self.sql, connection.vendor), _adapted(values))
            return int(cursor.rowcount)

    def rows(self, **values: Any) -> list[Row]:
        with connection.cursor() as cursor:
            cursor.execute(_for_database(self.sql, connection.vendor), _adapted(values))
            return list(cursor.fetchall())

    def row(self, **values: Any) -> Row | None:
        """Return the first row, or None."""
        return next(iter(self.rows(**values)), None)


class Expression(Func):
    """An expression for queries of models as text: cheaper to build than one of Django's nodes.

    `{name}` is a column, or the expression that `values` has for it (such as an OuterRef), and
    `%(name)s` is a value.
    """

    def __init__(self, sql: str, output_field: Field[Any, Any], **values: Any) -> None:
        self.sql, self.values = sql, values
        self.names = tuple(dict.fromkeys(_COLUMN.findall(sql)))
        columns = (values.get(name) or F(name) for name in self.names)
        super().__init__(*columns, output_field=output_field)

    def as_sql(
        self,
        compiler: SQLCompiler,
        connection: BaseDatabaseWrapper,
        function: str | None = None,
        template: str | None = None,
        arg_joiner: str | None = None,
        **extra_context: Any,
    ) -> tuple[str, tuple[Any, ...]]:
        pieces: list[str] = []
        params: list[Any] = []
        columns = dict(zip(self.names, self.get_source_expressions(), strict=True))
        for text, column, value in _PIECE.findall(self.sql):
            pieces.append(text)
            if column:
                of_column, its_params = compiler.compile(columns[column])
                pieces.append(of_column)
                params += its_params
            elif value:
                pieces.append("%s")
                params.append(_for_database_value(self.values[value]))
        return f"({''.join(pieces)})", tuple(params)


class Condition(Expression):
    """An Expression that is true or false for every row, never null."""

    def __init__(self, sql: str, **values: Any) -> None:
        super().__init__(sql, BooleanField(), **values)


_COLUMN = re.compile(r"\{(\w+)\}")
_PIECE = re.compile(r"([^{%]*)(?:\{(\w+)\}|%\((\w+)\)s|$)")


def models_of(row: Row, *parts: Columns) -> list[Any]:
    """Return the models in a row that selects `parts` one after the other.

    Columns that the row lacks are fetched by the model in another query.
    """
    models: list[Any] = []
    start = 0
    for part in parts:
        end = start + len(part.names)
        values = list(row[start:end])
        for place, convert in _converters(part, connection.vendor):
            values[place] = convert(values[place], None, connection)
        models.append(part.model.from_db(connection.alias, part.names, values))
        start = end
    return models


def insert(new: AnyModel) -> AnyModel:
    """Store a new row like `new.save(force_insert=True)`, and give it its key."""
    [[new.pk]] = _insert_into(type(new)).rows(
        **{field.attname: getattr(new, field.attname) for field in _columns_but_key(type(new))}
    )
    new._state.adding, new._state.db = False, connection.alias
    return new


@cache
def _insert_into(model: type[Model]) -> Statement:
    names = [field.attname for field in _columns_but_key(model)]
    return Statement(f"""
        INSERT INTO {model._meta.db_table} ({", ".join(names)})
        VALUES ({", ".join(f"%({name})s" for name in names)})
        RETURNING {model._meta.pk.attname}
    """)


def _columns_but_key(model: type[Model]) -> list[Any]:
    return [field for field in model._meta.concrete_fields if not field.primary_key]


@cache
def _for_database(sql: str, vendor: str) -> str:
    return re.sub(r"(?m)^\s*FOR UPDATE.*$", "", sql) if vendor == "sqlite" else sql


@cache
def _converters(part: Columns, vendor: str) -> list[tuple[int, Any]]:
    """Return the functions that convert the database's values, and the places of their columns."""
    columns = [
        field.cached_col
        for field in part.model._meta.concrete_fields
        if field.attname in part.names
    ]
    return [
        (place, convert)
        for place, column in enumerate(columns)
        for convert in (
            *connection.ops.get_db_converters(column),
            *column.get_db_converters(connection),
        )
    ]


def _adapted(values: dict[str, Any]) -> dict[str, Any]:
    return {name: _for_database_value(value) for name, value in values.items()}


def _for_database_value(value: Any) -> Any:
    match value:
        case datetime():
            return connection.ops.adapt_datetimefield_value(value)
        case dict() | list():
            return connection.ops.adapt_json_value(value, None)
        case UUID() if not connection.features.has_native_uuid_field:
            return value.hex
    return value

"""A condition of queries as SQL text."""

from __future__ import annotations

import re
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import BooleanField, F, Func
from django.db.models.sql.compiler import SQLCompiler

_COLUMN = re.compile(r"\{(\w+)\}")
_PIECE = re.compile(r"([^{%]*)(?:\{(\w+)\}|%\((\w+)\)s|$)")


class Condition(Func):
    """A condition that is true or false for every row, never null, for what models can't say: a
    recursive query. `{name}` is a column, and `%(name)s` is a value.
    """

    def __init__(self, sql: str, **values: str | int) -> None:
        self.sql, self.values = sql, values
        self.names = tuple(dict.fromkeys(_COLUMN.findall(sql)))
        super().__init__(*map(F, self.names), output_field=BooleanField())

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
                params.append(self.values[value])
        return f"({''.join(pieces)})", tuple(params)

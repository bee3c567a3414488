"""Django's expressions and statements, made in less time with the same result.

A tenth of a page's time goes into copies of expressions, which `copy.copy`, which Django uses,
makes by pickle's protocol. Each query with an order compares the columns that it selects, for which
Django binds the arguments of each anew.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, TypeVar

from django.db.backends.sqlite3.base import FORMAT_QMARK_REGEX, SQLiteCursorWrapper
from django.db.models import F
from django.db.models.expressions import BaseExpression, Col
from django.utils.functional import cached_property

Copied = TypeVar("Copied", BaseExpression, F)


def make_expressions_quickly() -> None:
    """From now on, wherever Django makes them."""
    BaseExpression.copy = copied
    F.copy = copied
    Col.identity = cached_property(identity)
    Col.identity.__set_name__(Col, "identity")
    SQLiteCursorWrapper.convert_query = convert_query


def copied(expression: Copied) -> Copied:
    """Copy by attributes."""
    copy = object.__new__(type(expression))
    copy.__dict__.update(expression.__getstate__())
    return copy


def identity(column: Col) -> tuple[Any, ...]:
    """Return what two equal columns have in common, as Django's `identity` does."""
    args, kwargs = column._constructor_args
    return _identity(type(column), *args, **kwargs)


def _identity(
    of_class: type[Col], alias: str, target: Any, output_field: Any = None
) -> tuple[Any, ...]:
    arguments = (("alias", alias), ("target", target), ("output_field", output_field))
    return (of_class, *((name, of_class._identity(value)) for name, value in arguments))


def convert_query(
    cursor: SQLiteCursorWrapper, query: str, *, param_names: list[str] | None = None
) -> str:
    if param_names is None:
        return _with_question_marks(query)
    return query % {name: f":{name}" for name in param_names}


@lru_cache(maxsize=2000)
def _with_question_marks(query: str) -> str:
    return FORMAT_QMARK_REGEX.sub("?", query).replace("%%", "%")

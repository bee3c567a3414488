"""Pages of lists that stay right while rows are added: each begins after the last row seen."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any, TypeVar

from django.core import signing
from django.db.models import Model, Q, QuerySet
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

MAX_ROWS, USUAL_ROWS = 200, 50
SALT = "annotate.api.paging"
M = TypeVar("M", bound=Model)

# name -> columns that make the order total; the last one is the key.
Orders = Mapping[str, tuple[str, ...]]
BY_KEY: Orders = {"id": ("id",)}


class Filters(serializers.Serializer[Any]):
    """The parameters of every list. A list's own filters are added in a subclass."""

    limit = serializers.IntegerField(
        min_value=1, max_value=MAX_ROWS, default=USUAL_ROWS, help_text="Rows per page."
    )
    cursor = serializers.CharField(
        required=False, help_text="Where the page begins. Follow `next` instead of making one."
    )


def order_field(orders: Orders, usual: str = "") -> serializers.ChoiceField:
    """Return the field with which a list is ordered, `-` for descending."""
    names = [name for order in orders for name in (order, f"-{order}")]
    return serializers.ChoiceField(choices=names, default=usual or names[0])


class NewestFirst(Filters):
    """The parameters of a list with the newest first."""

    order = order_field(BY_KEY, "-id")


def page_of(
    request: Request, rows: QuerySet[M], values: Mapping[str, Any], orders: Orders = BY_KEY
) -> tuple[list[M], str | None]:
    """Return one page of rows and the address of the next, None on the last. One query.

    Raises ValidationError for a cursor of another list or order.
    """
    order = values.get("order") or next(iter(orders))
    columns, sign = orders[order.removeprefix("-")], "-" if order.startswith("-") else ""
    limit = values["limit"]
    ordered = rows.order_by(*(sign + column for column in columns))
    if cursor := values.get("cursor"):
        compare = "lt" if sign else "gt"
        ordered = ordered.filter(_after(columns, _read(cursor, request.path, order), compare))
    page = list(ordered[: limit + 1])
    if len(page) <= limit:
        return page, None
    place = [_value(page[limit - 1], column) for column in columns]
    query = request.query_params.copy()
    query["cursor"] = signing.dumps([request.path, order, place], salt=SALT)
    return page[:limit], request.build_absolute_uri(f"{request.path}?{query.urlencode()}")


def _read(cursor: str, path: str, order: str) -> list[Any]:
    try:
        of_path, of_order, place = signing.loads(cursor, salt=SALT)
    except signing.BadSignature:
        of_path = None
    if of_path is None or (of_path, of_order) != (path, order):
        raise ValidationError({"cursor": "This cursor is for another list or order. Leave it out."})
    return list(place)


def _after(columns: Sequence[str], place: Sequence[Any], compare: str) -> Q:
    """Return the condition (a, b) > (x, y), written so that either database uses its index."""
    steps = [
        reduce(
            operator.and_,
            (Q(**{name: value}) for name, value in zip(columns[:n], place[:n], strict=True)),
            Q(**{f"{columns[n]}__{compare}": place[n]}),
        )
        for n in range(len(columns))
    ]
    return reduce(operator.or_, steps) & Q(**{f"{columns[0]}__{compare}e": place[0]})


def _value(row: Model, column: str) -> Any:
    """Return the value of a column, also of a related row: `video__category`."""
    return reduce(getattr, column.split("__"), row)

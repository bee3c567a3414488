"""Expressions and statements that the tests make quickly are those that Django would make."""

import copy

import pytest
from django.db.backends.sqlite3.base import SQLiteCursorWrapper
from django.db.models import Case, Count, Exists, F, OuterRef, Q, Value, When, Window
from django.db.models.expressions import Expression
from django.db.models.functions import Coalesce

from annotate.models import Clip
from tests.quick_expressions import copied

EXPRESSIONS = [
    F("name"),
    OuterRef("pk"),
    Value(3),
    F("name") + 1,
    Count("pk", distinct=True, filter=Q(name="a")),
    Coalesce("name", Value("")),
    Case(When(name="a", then=1), default=2),
    Exists(Clip.objects.filter(pk=OuterRef("pk"))),
    Window(Count("pk"), partition_by="name"),
]


@pytest.mark.parametrize("expression", EXPRESSIONS, ids=lambda one: type(one).__name__)
def test_it_is_what_copy_makes(expression):
    assert type(copied(expression)) is type(expression)
    assert vars(copied(expression)) == vars(copy.copy(expression))


def test_a_change_of_the_copy_leaves_the_original():
    original = Value(3)
    assert original.convert_value  # kept by the expression, and never copied
    changed = original.copy()
    changed.value = 4
    assert (original.value, "convert_value" in vars(changed)) == (3, False)


def test_columns_are_told_apart_by_what_django_tells_them_apart_by():
    identity = vars(Expression)["identity"].func
    pk, name = (Clip._meta.get_field(field) for field in ("id", "name"))
    columns = [pk.get_col("T4"), pk.get_col("U0"), name.get_col("T4"), name.get_col("T4", pk)]
    assert [column.identity for column in columns] == list(map(identity, columns))
    assert len({*columns, pk.get_col("T4")}) == 4


def test_statements_have_the_question_marks_of_sqlite():
    convert = SQLiteCursorWrapper.convert_query
    assert convert(None, "a = %s AND b LIKE '%%s'") == "a = ? AND b LIKE '%s'"
    assert convert(None, "a = %(a)s", param_names=["a"]) == "a = :a"

"""Expressions and statements that the tests make quickly are those that Django would make."""

import copy

import pytest
from django.db import connection
from django.db.backends.sqlite3.base import SQLiteCursorWrapper
from django.db.models import Case, CharField, Count, Exists, F, OuterRef, Q, Value, When, Window
from django.db.models.expressions import Col, Expression
from django.db.models.functions import Coalesce
from django.db.models.lookups import Contains, Exact
from django.db.models.sql import InsertQuery
from django.db.models.sql.compiler import SQLCompiler
from django.test.utils import register_lookup

from annotate.models import Clip, User, WorkItem
from tests import quick_expressions
from tests.cast import make_project, make_video
from tests.quick_expressions import copied, insert_statement

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


@pytest.mark.parametrize(
    "expression", EXPRESSIONS, ids=lambda expression: type(expression).__name__
)
def test_it_is_what_copy_makes(expression):
    assert type(copied(expression)) is type(expression)
    assert vars(copied(expression)) == vars(copy.copy(expression))


def test_a_change_of_the_copy_leaves_the_original():
    original = Value(3)
    assert original.convert_value  # kept by the expression, and never copied
    changed = original.copy()
    changed.value = 4
    assert (original.value, "convert_value" in vars(changed)) == (3, False)


def test_columns_are_told_apart_as_django_does():
    identity = vars(Expression)["identity"].func
    pk, name = (Clip._meta.get_field(field) for field in ("id", "name"))
    columns = [pk.get_col("T4"), pk.get_col("U0"), name.get_col("T4"), name.get_col("T4", pk)]
    assert [column.identity for column in columns] == list(map(identity, columns))
    assert len({*columns, pk.get_col("T4")}) == 4


def test_queries_are_those_of_django(monkeypatch):
    clips = Clip.objects.select_related("video")
    queries = [
        clips.order_by("pk"),
        clips.order_by("video__original_name", "-name"),
        clips.order_by(F("name").desc(), "pk"),
        clips.values("name", length=F("end_frame")).order_by("length"),
        clips.annotate(n=Count("captions")).order_by("n", "pk"),
        clips.alias(n=Count("captions")).order_by("-n"),
        clips.filter(Exists(Clip.objects.filter(video=OuterRef("video")).order_by("name"))),
        Clip.objects.values("pk").union(Clip.objects.values("pk")).order_by("pk"),
        WorkItem.objects.filter(clip__video__project=3),
        User.objects.order_by("?"),
    ]
    quick = [str(query.query) for query in queries]
    monkeypatch.setattr(SQLCompiler, "_order_by_pairs", quick_expressions._order_by_pairs)
    monkeypatch.setattr(SQLCompiler, "compile", quick_expressions._compile)
    monkeypatch.delattr(Col, "select_format")
    assert quick == [str(query.all().query) for query in queries]


def test_a_field_has_the_lookups_of_its_class_and_its_own():
    field = Clip._meta.get_field("name").clone()
    assert field.get_lookup("contains") is Contains
    assert field.get_lookup("nothing") is None
    with register_lookup(field, Exact, lookup_name="contains"):
        assert field.get_lookup("contains") is Exact
        assert CharField().get_lookup("contains") is Contains


def test_statements_have_the_question_marks_of_sqlite():
    convert = SQLiteCursorWrapper.convert_query
    assert convert(None, "a = %s AND b LIKE '%%s'") == "a = ? AND b LIKE '%s'"
    assert convert(None, "a = %(a)s", param_names=["a"]) == "a = :a"


@pytest.mark.parametrize("model", [Clip, User, WorkItem], ids=lambda model: model.__name__)
def test_a_new_row_is_stored_by_the_statement_of_django(model):
    fields = tuple(field for field in model._meta.concrete_fields if not field.primary_key)
    query = InsertQuery(model)
    query.insert_values(fields, [model()])
    compiler = query.get_compiler(connection=connection)
    compiler.returning_fields = returning = model._meta.db_returning_fields
    [(sql, _)] = compiler.as_sql()
    assert insert_statement(model, fields, tuple(returning), "default") == sql


@pytest.mark.django_db
def test_a_new_row_may_have_an_expression_among_its_values():
    video = make_video(make_project())
    clip = Clip.objects.create(
        project=video.project, video=video, name="a", start_frame=0, end_frame=Value(3) + 4,
        duration_ms=9,
    )  # fmt: skip
    assert Clip.objects.get(pk=clip.pk).end_frame == 7

"""An expression that the tests copy is the one that Django would copy."""

import copy

import pytest
from django.db.models import Case, Count, Exists, F, OuterRef, Q, Value, When, Window
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

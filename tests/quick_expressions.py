"""Django's expressions, copied by their attributes: a tenth of a page's time goes into that.

`copy.copy`, which Django uses, takes the way over pickle's protocol for the same result.
"""

from __future__ import annotations

from typing import TypeVar

from django.db.models import F
from django.db.models.expressions import BaseExpression

Copied = TypeVar("Copied", BaseExpression, F)


def copy_expressions_by_attributes() -> None:
    """From now on, do so wherever Django copies an expression."""
    BaseExpression.copy = copied
    F.copy = copied


def copied(expression: Copied) -> Copied:
    copy = object.__new__(type(expression))
    copy.__dict__.update(expression.__getstate__())
    return copy

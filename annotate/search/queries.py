"""Which captions have the searched words, and which can't be found yet."""

from __future__ import annotations

from django.db import connection
from django.db.models import Q, QuerySet

from annotate.models import Caption, Project
from annotate.search.words import Term
from annotate.sql import Condition

# The index comes first, so that a rare word doesn't read all captions of the project.
_POSTGRESQL = """
    {id} IN (
        SELECT s.caption_id FROM annotate_searchablecaption s WHERE s.words @@ %(terms)s::tsquery
    )
"""
_SQLITE = """
    {id} IN (
        SELECT rowid FROM annotate_captionwords WHERE annotate_captionwords MATCH %(terms)s
    )
"""


def with_terms(captions: QuerySet[Caption], terms: list[Term]) -> QuerySet[Caption]:
    """Return the indexed captions with all of the terms; none without terms."""
    if not terms:
        return captions.none()
    if connection.vendor == "postgresql":
        condition = Condition(_POSTGRESQL, terms=" & ".join(map(_for_postgresql, terms)))
    else:
        condition = Condition(_SQLITE, terms=" AND ".join(map(_for_sqlite, terms)))
    return captions.filter(Q(condition))


def waiting_captions() -> QuerySet[Caption]:
    """Return the captions whose words no worker has indexed yet."""
    return Caption.objects.filter(searchable=None)


def count_waiting(project: Project) -> int:
    return waiting_captions().filter(project=project).count()


def _for_postgresql(term: Term) -> str:
    words = [f"'{word}'" for word in term.words]
    return " <-> ".join(words) + (":*" if term.is_beginning else "")


def _for_sqlite(term: Term) -> str:
    return f'"{" ".join(term.words)}"' + (" *" if term.is_beginning else "")

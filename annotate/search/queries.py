"""Which captions have the searched words, and which can't be found yet."""

from __future__ import annotations

from django.db import connection
from django.db.models import QuerySet
from django.db.models.expressions import RawSQL

from annotate.models import Caption, Project
from annotate.search.words import Term

# The index comes first, so that a rare word doesn't read all captions of the project.
_POSTGRESQL = "SELECT caption_id FROM annotate_searchablecaption WHERE words @@ %s::tsquery"
_SQLITE = "SELECT rowid FROM annotate_captionwords WHERE annotate_captionwords MATCH %s"


def with_terms(captions: QuerySet[Caption], terms: list[Term]) -> QuerySet[Caption]:
    """Return the indexed captions with all of the terms; none without terms."""
    if not terms:
        return captions.none()
    if connection.vendor == "postgresql":
        keys = RawSQL(_POSTGRESQL, [" & ".join(map(_for_postgresql, terms))])
    else:
        keys = RawSQL(_SQLITE, [" AND ".join(map(_for_sqlite, terms))])
    return captions.filter(pk__in=keys)


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

"""Sections that features add to pages of features above them in the import order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from django.http import QueryDict

from annotate.models import Membership
from review.reports.results import OldResult

# (membership, query, page's context) -> the context of each section, with its template's name as
# `template`.
MakeSections = Callable[[Membership, QueryDict, Mapping[str, Any]], Sequence[dict[str, Any]]]
_SECTIONS: defaultdict[str, list[MakeSections]] = defaultdict(list)


def add_sections(page: str, make: MakeSections) -> None:
    """Add sections to the page of this key; each feature does so once, when the app is ready."""
    _SECTIONS[page].append(make)


def sections_of(
    page: str, membership: Membership, query: QueryDict, context: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Return the contexts of the sections that were added to a page, without those whose numbers an
    earlier version stored in another shape."""
    sections: list[dict[str, Any]] = []
    for make in _SECTIONS[page]:
        with suppress(OldResult):
            sections += make(membership, query, context)
    return sections

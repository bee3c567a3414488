"""The pages of archived things, and of one thing before it is archived or deleted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.db.models import Model

from annotate.archive.forms import ArchiveForm
from annotate.archive.kinds import ArchiveKind, archive_kind, archive_kinds
from annotate.archive.queries import archived_row, dependents
from annotate.models import Archived, Membership

PAGE_SIZE = 50


@dataclass(frozen=True)
class ArchivedRow:
    archived: Archived
    label: str


def archive_context(
    membership: Membership, kind_name: str, page_number: str | None
) -> dict[str, Any]:
    rows = Archived.objects.filter(project=membership.project).select_related("archived_by")
    if kind_name:
        rows = rows.filter(kind=kind_name)
    page = Paginator(rows, PAGE_SIZE).get_page(page_number)
    return {
        "membership": membership,
        "project": membership.project,
        "page": page,
        "rows": [ArchivedRow(row, _label(row.kind)) for row in page],
        "kinds": archive_kinds(),
        "kind_name": kind_name,
        "query": urlencode({"kind": kind_name}) if kind_name else "",
    }


def thing_context(
    membership: Membership, kind: ArchiveKind[Any], thing: Model, form: ArchiveForm
) -> dict[str, Any]:
    return {
        "membership": membership,
        "project": membership.project,
        "kind": kind,
        "thing": thing,
        "title": kind.title(thing),
        "address": kind.address(thing),
        "archived": archived_row(kind.name, thing.pk),
        "refusal": kind.refusal(thing),
        "dependents": sorted(dependents(kind, thing).items()),
        "form": form,
    }


def _label(name: str) -> str:
    kind = archive_kind(name)
    return kind.label if kind else name

"""Only admins archive and delete."""

from __future__ import annotations

from typing import Any

from django.db.models import Model
from django.http import Http404
from django.shortcuts import get_object_or_404

from annotate.access import UserRequest, member
from annotate.archive.kinds import ArchiveKind, archive_kind
from annotate.models import Membership, Role


def thing(
    request: UserRequest, slug: str, kind_name: str, key: int
) -> tuple[Membership, ArchiveKind[Any], Model]:
    membership = member(request, slug, Role.ADMIN)
    kind = archive_kind(kind_name)
    if kind is None:
        raise Http404("Nothing of this kind can be archived.")
    return membership, kind, get_object_or_404(kind.things(membership.project), pk=key)

"""Imports of human captions, and what refers to their captions."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from hashlib import sha256

from django.db.models import BinaryField, ManyToOneRel, Q, QuerySet
from django.db.models.functions import Substr

from annotate.bulk import in_batches
from annotate.kinds import kinds_with
from annotate.models import Caption, CaptionRank, Project, WorkItem
from annotate.table_names import table_name
from review.elements.models import Extraction
from review.published.models import HumanImport, PublishedCaption

PIECE = 16 * 1024 * 1024


def imports_of(project: Project) -> QuerySet[HumanImport]:
    """Return the finished imports, newest first, without the bytes of the file."""
    imports = HumanImport.objects.filter(project=project).exclude(imported_at=None)
    return imports.select_related("created_by").defer("content").order_by("-imported_at")


def checked_files(project: Project) -> QuerySet[HumanImport]:
    """Return the checked files that wait to be imported, newest first."""
    waiting = HumanImport.objects.filter(project=project, imported_at=None)
    good = waiting.exclude(preview__has_key="faults")
    return good.defer("content").order_by("-created_at", "-pk")


def imported_before(project: Project, name: str, data: bytes) -> HumanImport | None:
    """Return the import of exactly this file under this name, if it was made."""
    imports = HumanImport.objects.filter(project=project, name__iexact=name).defer("content")
    return imports.filter(sha256=sha256(data).hexdigest()).exclude(imported_at=None).first()


def checked_content(human_import: HumanImport) -> bytes:
    """Return the file that was checked. PostgreSQL sends bytes as a text twice as long, which
    stays short in pieces."""
    row = HumanImport.objects.filter(pk=human_import.pk).order_by()
    content = io.BytesIO()
    while True:
        piece = Substr("content", content.tell() + 1, PIECE, output_field=BinaryField())
        if not (part := row.values_list(piece, flat=True).get()):
            return content.getvalue()
        content.write(part)


def uses_of(captions: Sequence[int]) -> list[str]:
    """Return what refers to any of these captions beyond the import that stored them: each kind of
    row with its number, in words. All tables that refer to captions count, including future ones.
    """
    counts: dict[str, int] = {}
    for batch in in_batches(captions):
        for name, number in _uses(batch, captions):
            counts[name] = counts.get(name, 0) + number
    return [f"{number:,} {name}" for name, number in sorted(counts.items()) if number]


def _uses(batch: Sequence[int], captions: Sequence[int]) -> Iterator[tuple[str, int]]:
    for relation in Caption._meta.get_fields(include_hidden=True):
        if not isinstance(relation, ManyToOneRel):
            continue
        model = relation.related_model
        if model in (PublishedCaption, Caption.parents.through):
            continue
        rows = model._base_manager.filter(**{f"{relation.field.name}__in": batch})
        if model is CaptionRank:
            rows = rows.filter(is_chosen=True)
            yield "choices of an admin", rows.count()
        elif model is Extraction:
            # The lists imported with the captions are removed with them.
            yield "checked lists", rows.filter(~Q(model=None, author=None)).count()
        else:
            yield table_name(model, 2), rows.count()
    own = set(captions)
    children = Caption.parents.through.objects.filter(to_caption__in=batch)
    yield (
        "captions made of them",
        sum(key not in own for key in children.values_list("from_caption", flat=True)),
    )
    yield (
        "pieces of work about them",
        WorkItem.objects.filter(
            kind__in=kinds_with("is_about_captions"), subject__in=batch
        ).count(),
    )

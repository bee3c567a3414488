"""Start an import of videos from addresses."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from annotate.imports.addresses import AddressRow, name_in
from annotate.imports.services.batches import open_batch
from annotate.jobs.services.queueing import nudge
from annotate.models import ImportBatch, ImportItem, Project, User


@transaction.atomic
def import_addresses(
    *, project: Project, admin: User | None, rows: Sequence[AddressRow], queue: bool = True
) -> ImportBatch:
    """Store a batch whose files workers download; without `queue` the caller does it."""
    batch = open_batch(project=project, admin=admin)
    ImportItem.objects.bulk_create(
        ImportItem(
            batch=batch,
            position=position,
            name=row.file or name_in(row.url),
            size=0,
            address=row.url,
            category=row.category,
            subcategory=row.subcategory,
            license=row.license,
            source_url=row.source_url,
            state=ImportItem.State.WAITING,
        )
        for position, row in enumerate(rows, 1)
    )
    batch.total = len(rows)
    batch.title = name_in(rows[0].url) if len(rows) == 1 else f"{len(rows)} addresses"
    batch.save(update_fields=["total", "title"])
    if queue:
        nudge(batch)
    return batch

"""Which columns PostgreSQL compresses with lz4."""

import pytest
from django.db import connection

COLUMNS = {
    "annotate_assignment.draft",
    "annotate_caption.checks",
    "annotate_caption.parts",
    "annotate_caption.text",
    "annotate_jobitem.details",
    "annotate_workitem.context",
    "review_capstitem.results",
    "review_humanimport.preview",
    "review_judgereply.reply",
    "review_release.proof",
    "review_release.triplet_facts",
    "review_releasedclip.checked_events",
    "review_releasedclip.checked_objects",
    "review_releasedclip.provenance",
    "review_releasedquery.targets",
    "review_releasedquery.verdicts",
    "review_releasedrecord.values",
    "review_releasedvideo.provenance",
    "review_report.result",
}


@pytest.mark.django_db
@pytest.mark.both_databases
def test_long_texts_are_compressed_with_lz4_also_after_every_later_migration():
    """A migration that changes the type of a column must compress it again."""
    assert _compressed_columns() == (COLUMNS if _has_lz4() else set())


def _has_lz4() -> bool:
    """Return False on SQLite, which compresses nothing, and on a PostgreSQL built without lz4."""
    if connection.vendor != "postgresql":
        return False
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT 'lz4' = ANY (enumvals) FROM pg_settings WHERE name = %s",
            ["default_toast_compression"],
        )
        return bool(cursor.fetchone()[0])


def _compressed_columns() -> set[str]:
    if connection.vendor != "postgresql":
        return set()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT attrelid::regclass || '.' || attname FROM pg_attribute "
            "WHERE attcompression = 'l'"
        )
        return {name for (name,) in cursor.fetchall()}

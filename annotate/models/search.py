"""The captions that are in the search index."""

from __future__ import annotations

from django.db import models

from annotate.models.captions import Caption


class SearchableCaption(models.Model):
    """A caption whose words are in the index: in the column `words` of this row on PostgreSQL, in
    the table `annotate_captionwords` on SQLite. Only `annotate/search` reads and writes them. A
    caption without a row waits for a worker.
    """

    caption = models.OneToOneField(
        Caption, on_delete=models.CASCADE, primary_key=True, related_name="searchable"
    )

    def __str__(self) -> str:
        return f"words of {self.caption_id}"

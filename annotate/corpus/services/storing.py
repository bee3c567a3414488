"""Store many new captions at once, as imports of files do."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from django.utils import timezone

from annotate.bulk import insert_rows, new_keys
from annotate.models import Caption
from annotate.search.services import index_soon

COLUMNS = ("id", "clip_id", "kind", "source", "text", "word_count", "parts", "provenance", "spans")


def store_captions(project_id: int, captions: Sequence[Caption]) -> Sequence[Caption]:
    """Store these unsaved captions without an author, and give them their keys, within the
    transaction of the caller, who has locked the project. A worker indexes their words later."""
    for caption, key in zip(captions, new_keys(Caption, len(captions)), strict=True):
        caption.pk = key
        caption._state.adding = False
    insert_rows(
        Caption,
        COLUMNS,
        (
            (
                caption.pk,
                caption.clip_id,
                str(caption.kind),
                str(caption.source),
                caption.text,
                caption.word_count,
                json.dumps(caption.parts),
                json.dumps(caption.provenance),
                json.dumps(caption.spans) if caption.spans else None,
            )
            for caption in captions
        ),
        {"project_id": project_id, "created_at": timezone.now()},
    )
    index_soon()
    return captions


def link_parents(links: Iterable[tuple[int, int]]) -> None:
    """Store which captions are made from which: (caption, parent)."""
    insert_rows(Caption.parents.through, ("from_caption_id", "to_caption_id"), links, {})

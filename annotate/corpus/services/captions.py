"""The one place that writes captions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotate.corpus.services.precedence import settle_captions
from annotate.models import Assignment, Caption
from annotate.text.words import count_words


def record_captions(
    assignment: Assignment,
    source: str,
    captions: Sequence[dict[str, Any]],
    *,
    parents: Sequence[Caption],
    because: str = "",
) -> list[Caption]:
    """Store an assignment's captions; each is a dict of `kind`, `text` and other fields of the
    model. All descend from `parents`, and have their source's rank unless `because` is given.
    """
    made = [
        Caption.objects.create(
            project_id=assignment.item.project_id,
            clip_id=assignment.item.clip_id,
            source=source,
            word_count=count_words(fields["text"]),
            author=assignment.annotator,
            assignment=assignment,
            **fields,
        )
        for fields in captions
    ]
    if parents:
        link = Caption.parents.through
        link.objects.bulk_create(
            link(from_caption_id=child.pk, to_caption_id=parent.pk)
            for child in made
            for parent in parents
        )
    settle_captions(made, because)
    return made

"""The merged texts of a clip."""

from __future__ import annotations

from annotate.corpus.precedence import with_rank
from annotate.models import Caption, Clip
from annotate.write.queries import _general_caption


def merged_caption(clip: Clip) -> Caption | None:
    return (
        with_rank(
            Caption.objects.filter(
                clip=clip, kind=Caption.Kind.GENERAL, source=Caption.Source.MERGED
            )
        )
        .order_by("-precedence", "-id")
        .first()
    )


def earlier_merged(clip_id: int, caption_id: str) -> Caption | None:
    """Return the clip's merged text with this key. The key comes from a draft, so it can be any
    text.
    """
    return _general_caption(clip_id, caption_id, Caption.Source.MERGED)

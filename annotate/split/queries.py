"""Queries about the split texts of neighboring clips."""

from __future__ import annotations

from annotate.models import Caption, Clip, WorkItem

# Enough to detect a mix-up within a subcategory (CaReBench: 10-20 clips each), limited so that a
# check stays fast in a project that ignores the quota.
NEIGHBORS = 40


def split_neighbors(clip: Clip) -> dict[str, tuple[str, str]]:
    """Return other split clips of the same subcategory: name -> (spatial, temporal) text."""
    if not clip.video.subcategory:
        return {}
    captions = (
        Caption.objects.filter(
            project_id=clip.project_id,
            clip__video__subcategory=clip.video.subcategory,
            clip__work_items__kind=WorkItem.Kind.SPLIT,
            clip__work_items__state=WorkItem.State.DONE,
            kind__in=[Caption.Kind.SPATIAL, Caption.Kind.TEMPORAL],
        )
        .exclude(clip=clip)
        .order_by("-id")
        .values_list("clip__name", "kind", "text")[: 2 * NEIGHBORS]
    )
    texts: dict[str, dict[str, str]] = {}
    for name, kind, text in captions:
        texts.setdefault(name, {}).setdefault(kind, text)
    return {
        name: (own_texts.get(Caption.Kind.SPATIAL, ""), own_texts.get(Caption.Kind.TEMPORAL, ""))
        for name, own_texts in texts.items()
    }

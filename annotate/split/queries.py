"""Queries about the split texts of neighboring clips."""

from __future__ import annotations

from annotate.models import Caption, Clip, WorkItem

# Enough to detect a mix-up within a subcategory (CaReBench: 10-20 clips each), but limited so that
# a check stays fast in a project that ignores the quota.
NEIGHBORS = 40


def split_neighbors(clip: Clip) -> dict[str, tuple[str, str]]:
    """Return other split clips of the same subcategory: short name -> (spatial, temporal)."""
    if not clip.video.subcategory:
        return {}
    newest_first = (
        Caption.objects.filter(
            project_id=clip.project_id,
            clip__video__subcategory=clip.video.subcategory,
            clip__work_items__kind="split",
            clip__work_items__state=WorkItem.State.DONE,
            kind__in=[Caption.Kind.SPATIAL, Caption.Kind.TEMPORAL],
        )
        .exclude(clip=clip)
        .order_by("-id")
        .values_list("clip", "kind", "text")[: 2 * NEIGHBORS]
    )
    texts: dict[int, dict[str, str]] = {}
    for key, kind, text in newest_first:
        texts.setdefault(key, {}).setdefault(kind, text)
    return {
        Clip(pk=key).short_name: (
            own_texts.get(Caption.Kind.SPATIAL, ""),
            own_texts.get(Caption.Kind.TEMPORAL, ""),
        )
        for key, own_texts in texts.items()
    }

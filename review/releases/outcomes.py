"""The releases that contain captions, for My work."""

from __future__ import annotations

from collections.abc import Collection

from review.frozen.models import ReleasedClip, ReleasedScene

_TEXTS = ("caption", "spatial_caption", "temporal_caption")


def first_releases(captions: Collection[int]) -> dict[int, str]:
    """Return the words for the first release of each caption that is in one."""
    parts = [
        *(
            ReleasedClip.objects.filter(**{f"{text}__in": captions})
            .order_by()
            .values_list(text, "release", "release__version")
            for text in _TEXTS
        ),
        ReleasedScene.objects.filter(caption__in=captions)
        .order_by()
        .values_list("caption", "video__release", "video__release__version"),
    ]
    rows = parts[0].union(*parts[1:], all=True)
    first: dict[int, tuple[int, str]] = {}
    for caption, release, version in rows:
        first[caption] = min(first.get(caption, (release, version)), (release, version))
    return {caption: f"Released in {version}" for caption, (_, version) in first.items()}

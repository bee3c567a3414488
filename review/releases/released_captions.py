"""The captions that releases froze, and those that they were made from."""

from __future__ import annotations

from collections.abc import Collection

from annotate.bulk import in_batches
from annotate.models import Caption
from review.frozen.models import Release, ReleasedClip, ReleasedScene

OF_CLIP = ("caption", "spatial_caption", "temporal_caption")


def released_captions(release: Release) -> set[int]:
    """Return the keys of the captions of clips and of whole videos."""
    scenes = ReleasedScene.objects.filter(video__release=release)
    frozen = [
        *(release.clips.order_by().values_list(name, flat=True) for name in OF_CLIP),
        scenes.order_by().values_list("caption", flat=True),
        release.videos.order_by().values_list("full_caption", flat=True),
    ]
    return {key for keys in frozen for key in keys.iterator() if key is not None}


def with_parents(released: set[int]) -> set[int]:
    """Return these captions with all that they were made from."""
    every, new = set(released), set(released)
    while new:
        new = {
            parent
            for batch in in_batches(sorted(new))
            for parent in Caption.parents.through.objects.filter(
                from_caption__in=batch
            ).values_list("to_caption", flat=True)
        } - every
        every |= new
    return every


def taken_down(release: Release) -> frozenset[int]:
    """Return the captions that were taken down since, themselves or with their clip."""
    withdrawn = release.withdrawn
    if not withdrawn:
        return frozenset()
    of_clips = Caption.objects.filter(clip__in=withdrawn.clips).order_by()
    return frozenset([*withdrawn.captions, *of_clips.values_list("pk", flat=True)])


def first_releases(captions: Collection[int]) -> dict[int, str]:
    """Return the words for the first release of each caption that is in one."""
    parts = [
        *(
            ReleasedClip.objects.filter(**{f"{text}__in": captions})
            .order_by()
            .values_list(text, "release", "release__version")
            for text in OF_CLIP
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

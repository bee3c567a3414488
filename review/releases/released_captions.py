"""The captions that a release froze, and those that they were made from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from annotate.models import Caption
from review.frozen.models import Release, ReleasedScene

AT_ONCE = 500
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


def in_batches(keys: Sequence[int]) -> Iterator[Sequence[int]]:
    return (keys[start : start + AT_ONCE] for start in range(0, len(keys), AT_ONCE))

"""Match clips with the names that files from elsewhere use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Set
from unicodedata import normalize

from django.db.models import F

from annotate.datasets.rows import without_suffix
from annotate.models import Clip, Project


def clip_called(given: str, by_name: Mapping[str, int]) -> int | None:
    """Return the clip with this name, exact or else without folder and suffix; None without one."""
    return next((by_name[name] for name in _names(given) if name in by_name), None)


def names_of_clips(project: Project) -> tuple[dict[str, int], Set[int]]:
    """Return the project's clips by each name that a file can use, and the clips that span their
    video."""
    clips = Clip.objects.filter(project=project)
    whole = clips.filter(start_frame=0, end_frame=F("video__frames"))
    file_names = dict(whole.values_list("pk", "video__original_name"))
    by_name: dict[str, int] = dict(clips.values_list("name", "pk"))
    # A clip's name can differ from its file's, and another file can have the same name.
    stems = {pk: without_suffix(name) for pk, name in file_names.items()}
    times = Counter(stems.values())
    for pk, stem in stems.items():
        if times[stem] == 1:
            by_name.setdefault(stem, pk)
    return by_name, file_names.keys()


def _names(given: str) -> Iterator[str]:
    yield given
    # Names are stored composed, but some systems list file names with decomposed accents.
    bare = without_suffix(normalize("NFC", given))
    yield bare
    yield bare.replace("\\", "/").rsplit("/", 1)[-1]

"""Match clips with the names that files from elsewhere use."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from unicodedata import normalize

from django.db.models import F

from annotate.datasets.rows import without_suffix
from annotate.models import Clip, Project

MAX_NAMED = 5


def clip_called(given: str, by_name: Mapping[str, int]) -> int | None:
    """Return the clip with this name, exact or else without folder and suffix; None without one."""
    return next((by_name[name] for name in _names(given) if name in by_name), None)


def names_of_clips(project: Project) -> tuple[dict[str, int], Set[int], dict[str, list[str]]]:
    """Return the project's clips by each name that a file can use, the clips that span their video,
    and the names of the clips that share a file name, by that name."""
    clips = Clip.objects.filter(project=project)
    whole = clips.filter(start_frame=0, end_frame=F("video__frames"))
    file_names = dict(whole.values_list("pk", "video__original_name"))
    by_name: dict[str, int] = dict(clips.values_list("name", "pk"))
    clip_names = {pk: name for name, pk in by_name.items()}
    # A clip's name can differ from its file's, and be that of another file.
    owners: dict[str, set[int]] = defaultdict(set)
    for pk, file_name in file_names.items():
        stem = without_suffix(file_name)
        for name in (file_name, stem):
            owners[name] |= {pk, by_name.get(stem, pk)}
    shared = {}
    for name, pks in owners.items():
        if len(pks) == 1:
            by_name.setdefault(name, *pks)
        else:
            shared[name] = sorted(clip_names[pk] for pk in pks)
    return by_name, file_names.keys(), shared


def shared_name_problem(
    given: str, by_name: Mapping[str, int], shared: Mapping[str, Sequence[str]]
) -> str:
    """Return a sentence that names the clips if the file name belongs to several; else "". The
    exact name of a clip means that clip."""
    if given in by_name:
        return ""
    clips = next((shared[name] for name in _names(given) if name in shared), ())
    if not clips:
        return ""
    more = [f"{len(clips) - MAX_NAMED:,} more"] if len(clips) > MAX_NAMED else []
    listed = " and ".join([*clips[:MAX_NAMED], *more])
    return (
        f"The file name {given[:100]!r} belongs to the clips {listed}. Give the name of the clip, "
        "without a suffix."
    )


def _names(given: str) -> Iterator[str]:
    yield given
    # Names are stored composed, but some systems list file names with decomposed accents.
    bare = without_suffix(normalize("NFC", given))
    yield bare
    yield bare.replace("\\", "/").rsplit("/", 1)[-1]

"""Import vectors of a model that ran elsewhere: a whole file, or nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import PurePath
from typing import BinaryIO, TypeVar

import numpy as np
from django.db import transaction
from numpy.typing import NDArray

from annotate.audit import record_event
from annotate.models import Caption, Clip, Project, User
from annotate.text.storable import storable
from inference.queries import searched_captions
from review.captions.clip_names import clip_called
from review.captions.model_names import checked_model_name
from review.errors import ReviewError
from review.frozen.models import Release, ReleasedClip, ReleasedScene
from review.frozen.names import scene_clips_by_name, whole_clips_by_name
from review.retrieval.models import ImportedVector, VectorSet
from review.retrieval.queries import FURTHER
from review.retrieval.vector_arrays import CLIPS, VectorArray, VectorFile
from review.retrieval.vector_files import open_vectors

Id = str | int
Found = TypeVar("Found")

AT_ONCE = 500
TAKEN = "The name “{}” is or was already taken by other vectors. Choose another."


@dataclass(frozen=True)
class Known:
    """The clips and captions that a file may name. `clips`: name -> key; `captions`: kind -> clip
    -> the captions that the clip's name refers to, the first time, the second time and so on;
    `numbers`: kind -> caption -> clip, for captions named by number.
    """

    clips: Mapping[str, int]
    captions: Mapping[str, Mapping[int, Sequence[int]]]
    numbers: Mapping[str, Mapping[int, int]]
    where: str


def import_vectors(
    *,
    project: Project,
    file: BinaryIO,
    file_name: str,
    name: str,
    release: Release | None = None,
    admin: User | None,
) -> VectorSet:
    """Store the vectors of a file, scaled to length 1. If a `release` is given, only its clips and
    captions are allowed. Raises NameRefused for the name, and ReviewError with a line for the first
    error of each array.
    """
    file.seek(0)
    # Every BinaryIO has readinto, but the type doesn't declare it.
    digest = file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]
    content = open_vectors(file, file_name)
    with transaction.atomic():
        # Run one import at a time, so that two of the same name don't collide.
        project = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
        name = _checked_name(project, name)
        known = _of_release(release) if release else _of_project(project, content.kinds)
        things = _of_each(content.ids, lambda part: _things(part, content, known))
        made = VectorSet.objects.create(
            project=project,
            name=name,
            dimension=content.dimension,
            file_name=storable(PurePath(file_name).name[-200:]),
            sha256=digest,
            created_by=admin,
        )
        _of_each(things, lambda part: _store(made, content.vectors[part], things[part]))
        record_event(
            actor=admin,
            verb="import vectors",
            subject=made,
            project=project,
            after={
                "name": name,
                "release": release.version if release else "",
                **{part: len(about) for part, about in things.items()},
            },
        )
    return made


@transaction.atomic
def remove_vector_set(*, vector_set: VectorSet, admin: User) -> None:
    """Remove the set from the pages; reports made from it stay. Safe to repeat."""
    changed = VectorSet.objects.filter(pk=vector_set.pk, is_used=True).update(is_used=False)
    if changed:
        record_event(
            actor=admin,
            verb="remove vectors",
            subject=vector_set,
            project=vector_set.project,
            before={"name": vector_set.name},
        )


def _checked_name(project: Project, name: str) -> str:
    names = VectorSet.objects.filter(project=project).values_list("name", flat=True)
    return checked_model_name(name, names.order_by(), TAKEN)


def _of_project(project: Project, kinds: Iterable[str]) -> Known:
    captions: dict[str, Mapping[int, Sequence[int]]] = {}
    numbers: dict[str, Mapping[int, int]] = {}
    for kind in kinds:
        of_clips: dict[int, list[int]] = {}
        in_order = searched_captions(project, kind).order_by("pk")
        for clip, caption in in_order.values_list("clip", "pk"):
            of_clips.setdefault(clip, []).append(caption)
        captions[kind] = of_clips
        kinds_of_texts = [kind, *FURTHER.get(kind, ())]
        of_kind = Caption.objects.filter(project=project, kind__in=kinds_of_texts)
        numbers[kind] = dict(of_kind.values_list("pk", "clip"))
    clips = dict(Clip.objects.filter(project=project).values_list("name", "pk"))
    return Known(clips, captions, numbers, "the project")


def _of_release(release: Release) -> Known:
    if release.format == Release.Format.LOVR:
        return _of_scenes(release)
    if release.format == Release.Format.TFCOVR:
        raise ReviewError(
            f"Release {release.version} has triplets and no captions. Import rankings or vectors "
            "of its queries under Retrieval instead."
        )
    clips: dict[str, int] = {}
    captions: dict[str, dict[int, int]] = {"general": {}, "spatial": {}, "temporal": {}}
    rows = ReleasedClip.objects.filter(release=release).values_list(
        "file_name", "clip", "caption", "spatial_caption", "temporal_caption"
    )
    for file_name, clip, *texts in rows.iterator():
        clips[file_name.removesuffix(".mp4")] = clip
        for of_kind, caption in zip(captions.values(), texts, strict=True):
            of_kind[clip] = caption
    return _of_texts(release, clips, captions)


def _of_scenes(release: Release) -> Known:
    """Of a release in LoVR's form, whose names the file gives."""
    wholes = whole_clips_by_name(release)
    scenes = ReleasedScene.objects.filter(video__release=release).order_by()
    videos = release.videos.order_by().filter(full_caption__isnull=False)
    captions = {
        "general": dict(scenes.values_list("clip", "caption")),
        "full_video": {
            wholes[vid]: caption for vid, caption in videos.values_list("vid", "full_caption")
        },
    }
    return _of_texts(release, wholes | scene_clips_by_name(release), captions)


def _of_texts(
    release: Release, clips: Mapping[str, int], texts: Mapping[str, Mapping[int, int]]
) -> Known:
    """Of a release, which has one caption of each kind for a clip."""
    captions = {kind: {clip: [key] for clip, key in one.items()} for kind, one in texts.items()}
    numbers = {kind: {key: clip for clip, key in one.items()} for kind, one in texts.items()}
    return Known(clips, captions, numbers, f"release {release.version}")


def things_in_project(
    project: Project, content: VectorFile
) -> dict[str, list[tuple[int, int | None]]]:
    """Return, for each array of ids, the clip and the caption (None for the clip itself) of each
    row. Raises ReviewError with the first error of each array.
    """
    things = _of_project(project, content.kinds)
    return _of_each(content.ids, lambda part: _things(part, content, things))


def _of_each(parts: Iterable[str], of: Callable[[str], Found]) -> dict[str, Found]:
    """Run each part's check. Raises one ReviewError with the errors of all parts."""
    by_part: dict[str, Found] = {}
    faults: list[str] = []
    for part in parts:
        try:
            by_part[part] = of(part)
        except ReviewError as error:
            faults.append(str(error))
    if faults:
        raise ReviewError("\n".join(faults))
    return by_part


def _things(part: str, content: VectorFile, known: Known) -> list[tuple[int, int | None]]:
    """Return the clip and the caption (None for the clip itself) of each row of ids."""
    rows: dict[tuple[int, int | None], int] = {}
    named: Counter[int] = Counter()  # how often a clip's name came before
    for row, vector_id in enumerate(content.ids[part]):
        clip, caption = _thing(part, row, vector_id, known, named)
        if (clip, caption) in rows:
            before = rows[clip, caption]
            raise refusal(part, row, f"{_shown(vector_id)} is also in row {before + 1}. Keep one.")
        rows[clip, caption] = row
    return list(rows)


def _thing(
    part: str, row: int, vector_id: Id, known: Known, named: Counter[int]
) -> tuple[int, int | None]:
    if part == CLIPS:
        return _clip(part, row, vector_id, known), None
    return _caption(part, row, vector_id, known, named)


def _clip(part: str, row: int, vector_id: Id, known: Known) -> int:
    clip = clip_called(vector_id, known.clips) if isinstance(vector_id, str) else None
    if clip is not None:
        return clip
    raise refusal(
        part, row, f"{known.where} has no clip {_shown(vector_id)}. Give the clip's name."
    )


def _caption(
    part: str, row: int, vector_id: Id, known: Known, named: Counter[int]
) -> tuple[int, int]:
    words = part.replace("_", "-")
    if isinstance(vector_id, int):
        of_number = known.numbers.get(part, {}).get(vector_id)
        if of_number is None:
            raise refusal(
                part,
                row,
                f"{known.where} has no {words} caption with the number {vector_id}. Remove it.",
            )
        return of_number, vector_id
    clip = _clip(part, row, vector_id, known)
    captions = known.captions.get(part, {}).get(clip)
    if not captions:
        raise refusal(
            part, row, f"{_shown(vector_id)} has no {words} caption in {known.where}. Remove it."
        )
    # A name that comes more often than the clip has captions is refused as repeated.
    place = min(named[clip], len(captions) - 1)
    named[clip] += 1
    return clip, captions[place]


def _store(made: VectorSet, vectors: VectorArray, about: list[tuple[int, int | None]]) -> None:
    for first, numbers in vectors.blocks():
        units = unit_rows(vectors.name, first, numbers)
        for start in range(0, len(units), AT_ONCE):
            some = units[start : start + AT_ONCE]
            of_some = about[first + start : first + start + len(some)]
            ImportedVector.objects.bulk_create(
                ImportedVector(
                    vector_set=made, clip_id=clip, caption_id=caption, vector=vector.tobytes()
                )
                for (clip, caption), vector in zip(of_some, some, strict=True)
            )


def unit_rows(name: str, first: int, numbers: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return rows of the array `name` scaled to length 1; `first` is the place of the first.

    Raises ReviewError for a row that has no direction.
    """
    finite = np.isfinite(numbers).all(axis=1)
    if not finite.all():
        row = first + int(np.argmin(finite))
        raise refusal(name, row, "it contains NaN or an infinite number. Embed this item again.")
    # Divide by the largest number first, so that squares neither overflow nor underflow.
    largest = np.abs(numbers).max(axis=1, keepdims=True)
    if not largest.all():
        row = first + int(np.argmin(largest))
        raise refusal(name, row, "all its numbers are 0. Embed this item again.")
    scaled = numbers / largest
    units: NDArray[np.float32] = (
        scaled / np.sqrt(np.square(scaled).sum(axis=1, keepdims=True))
    ).astype("<f4")
    return units


def refusal(array: str, row: int, what: str) -> ReviewError:
    """Return the error's message; rows count from 1, like the lines of a file."""
    return ReviewError(f"{array}, row {row + 1}: {what}")


def _shown(vector_id: Id) -> str:
    return repr(vector_id[:100] if isinstance(vector_id, str) else vector_id)

"""Import vectors of a model that ran elsewhere: a whole file, its good rows, or nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import PurePath
from typing import BinaryIO

from django.db import transaction

from annotate.audit import record_event
from annotate.datasets.faults import Fault
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
from review.retrieval.row_faults import RowFaults, unit_rows
from review.retrieval.vector_arrays import CLIPS, VectorArray, VectorFile
from review.retrieval.vector_files import open_vectors

Id = str | int
Thing = tuple[int, int | None]
"""A clip and its caption, None for the clip itself."""
Things = dict[str, dict[int, Thing]]
"""What each row of each array of ids is the vector of."""

BATCH_SIZE = 500
TAKEN = "The name “{}” is or was already taken by other vectors. Choose another."


@dataclass(frozen=True)
class Catalog:
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
    left_out: list[Fault] | None = None,
    admin: User | None,
) -> VectorSet:
    """Store the vectors of a file, scaled to length 1. If a `release` is given, only its clips and
    captions are allowed. With a list `left_out`, rows with an error are left out and their faults
    added to it, as long as each array keeps a row. Raises NameRefused for the name, VectorsInvalid
    with each row to fix, and ReviewError for the file as a whole.
    """
    skips_bad = left_out is not None
    faults = RowFaults(PurePath(file_name).name)
    file.seek(0)
    digest = file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]  # has readinto
    content = open_vectors(file, file_name)
    with transaction.atomic():
        # Run one import at a time, so that two of the same name don't collide.
        project = Project.objects.lock(project.pk)
        name = _checked_name(project, name)
        catalog = _of_release(release) if release else _of_project(project, content.kinds)
        things = _things(content, catalog, faults)
        made = VectorSet.objects.create(
            project=project,
            name=name,
            dimension=content.dimension,
            file_name=storable(PurePath(file_name).name[-200:]),
            sha256=digest,
            created_by=admin,
        )
        counts = {
            part: _store(made, part, content.vectors[part], rows, faults, skips_bad=skips_bad)
            for part, rows in things.items()
        }
        skipped = faults.left_out(min(counts.values()), skips_bad=skips_bad)
        record_event(
            actor=admin,
            verb="import vectors",
            subject=made,
            project=project,
            after={
                "name": name,
                "release": release.version if release else "",
                **counts,
                **({"faults left out": len(skipped.faults)} if skipped.faults else {}),
            },
        )
    if left_out is not None:
        left_out += skipped.faults
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


def _of_project(project: Project, kinds: Iterable[str]) -> Catalog:
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
    return Catalog(clips, captions, numbers, "the project")


def _of_release(release: Release) -> Catalog:
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


def _of_scenes(release: Release) -> Catalog:
    """Return the names of a release in LoVR's form."""
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
) -> Catalog:
    """Return the names of a release, which has one caption of each kind per clip."""
    captions = {
        kind: {clip: [key] for clip, key in of_kind.items()} for kind, of_kind in texts.items()
    }
    numbers = {
        kind: {key: clip for clip, key in of_kind.items()} for kind, of_kind in texts.items()
    }
    return Catalog(clips, captions, numbers, f"release {release.version}")


def things_in_project(project: Project, content: VectorFile, faults: RowFaults) -> Things:
    """Return, for each array of ids, what its rows without an error are vectors of."""
    return _things(content, _of_project(project, content.kinds), faults)


def _things(content: VectorFile, catalog: Catalog, faults: RowFaults) -> Things:
    return {part: _things_of(part, ids, catalog, faults) for part, ids in content.ids.items()}


def _things_of(
    part: str, ids: Sequence[Id], catalog: Catalog, faults: RowFaults
) -> dict[int, Thing]:
    rows: dict[Thing, int] = {}
    occurrences: Counter[int] = Counter()  # of each clip's name so far
    for row, vector_id in enumerate(ids):
        try:
            thing = _thing(part, vector_id, catalog, occurrences)
        except ReviewError as error:
            faults.add(part, row, str(error))
            continue
        if thing in rows:
            before = rows[thing] + 1
            faults.add(part, row, f"{_shown(vector_id)} is also in row {before}. Keep one.")
        else:
            rows[thing] = row
    return {row: thing for thing, row in rows.items()}


def _thing(part: str, vector_id: Id, catalog: Catalog, occurrences: Counter[int]) -> Thing:
    """Return what an id names. Raises ReviewError, which says how to fix the id."""
    if part == CLIPS:
        return _clip(vector_id, catalog), None
    return _caption(part, vector_id, catalog, occurrences)


def _clip(vector_id: Id, catalog: Catalog) -> int:
    clip = clip_called(vector_id, catalog.clips) if isinstance(vector_id, str) else None
    if clip is None:
        raise ReviewError(f"{catalog.where} has no clip {_shown(vector_id)}. Give the clip's name.")
    return clip


def _caption(
    part: str, vector_id: Id, catalog: Catalog, occurrences: Counter[int]
) -> tuple[int, int]:
    words = part.replace("_", "-")
    if isinstance(vector_id, int):
        of_number = catalog.numbers.get(part, {}).get(vector_id)
        if of_number is None:
            raise ReviewError(
                f"{catalog.where} has no {words} caption with the number {vector_id}. Remove it."
            )
        return of_number, vector_id
    clip = _clip(vector_id, catalog)
    captions = catalog.captions.get(part, {}).get(clip)
    if not captions:
        raise ReviewError(
            f"{_shown(vector_id)} has no {words} caption in {catalog.where}. Remove it."
        )
    # A name that occurs more often than the clip has captions is refused as repeated.
    place = min(occurrences[clip], len(captions) - 1)
    occurrences[clip] += 1
    return clip, captions[place]


def _store(
    made: VectorSet, part: str, vectors: VectorArray, things: Mapping[int, Thing],
    faults: RowFaults, *, skips_bad: bool,
) -> int:  # fmt: skip
    """Store the vectors of rows without an error, and return their number. After an error, the
    rest is only checked, unless the import leaves out such rows.
    """
    count = 0
    for first, numbers in vectors.blocks():
        units, mends = unit_rows(numbers)
        for row, mend in mends.items():
            faults.add(part, first + row, mend, vectors.name)
        if faults and not skips_bad:
            continue
        good = [
            (things[row], vector)
            for row, vector in enumerate(units, first)
            if not faults.has(part, row)
        ]
        count += len(good)
        for start in range(0, len(good), BATCH_SIZE):
            ImportedVector.objects.bulk_create(
                ImportedVector(
                    vector_set=made, clip_id=clip, caption_id=caption, vector=vector.tobytes()
                )
                for (clip, caption), vector in good[start : start + BATCH_SIZE]
            )
    return count


def _shown(vector_id: Id) -> str:
    return repr(vector_id[:100] if isinstance(vector_id, str) else vector_id)

"""Queries about the vectors of clips, whole videos and captions for retrieval.

A caption counts while it is the current one of its clip, as for embedding runs. A run's vectors
count while they are up to date; but vectors from another frame sampling than the newest run's also
stay, as a separate setting.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, NamedTuple

import numpy as np
from django.db.models import Count, Max, QuerySet, Sum

from annotate.corpus.precedence import BY_PEOPLE, only_current
from annotate.models import Caption, Clip, Project
from inference.models import Embedding, ModelSpec
from inference.queries import clips_to_embed, searched_captions, whole_videos
from inference.sampling import Sampling
from review.retrieval.models import ImportedVector, VectorSet

Kind = Caption.Kind
CLIPS, VIDEOS = "clips", "videos"
FROM_FILE = "from a file"
# Kind of caption -> its gallery.
GALLERY_OF: Mapping[str, str] = {
    Kind.GENERAL: CLIPS,
    Kind.SPATIAL: CLIPS,
    Kind.TEMPORAL: CLIPS,
    Kind.FULL_VIDEO: VIDEOS,
}
# Kind of caption -> the kinds of further texts about the same clips, which are queries too.
FURTHER: Mapping[str, tuple[str, ...]] = {Kind.GENERAL: (Kind.REFERENCE,)}
# The reasons for which an outdated vector may still represent its setting.
_STILL_GOOD = ("", "sampling")


class Part(NamedTuple):
    """The vectors of clips, videos or a kind of caption, with their number. The last row's id and
    the sum of ids detect every added or deleted row; rows never change.
    """

    things: int
    rows: int
    last: int
    total: int


@dataclass
class Setting:
    """Vectors that can be compared: those of one model and one sampling of frames, or of one file.

    `parts`: "clips", "videos" or the kind of caption -> its vectors. `stale`: the model's outdated
    vectors, which are left out. `newer`: captions of a file whose clip now has a newer one.
    `by_human`: the kinds of captions of which only human ones count.
    """

    subject: str
    model: str
    space: str = ""
    sampling: dict[str, Any] | None = None
    vector_set: int | None = None
    file_sha256: str = ""
    stale: int = 0
    newer: int = 0
    by_human: frozenset[str] = frozenset()
    parts: dict[str, Part] = field(default_factory=dict)

    @property
    def kinds(self) -> list[str]:
        """Return the kinds of captions that can be queries."""
        return [
            kind
            for kind, gallery in GALLERY_OF.items()
            if kind in self.parts and gallery in self.parts
        ]

    @property
    def frames(self) -> str:
        """Return the sampling of frames in words."""
        return FROM_FILE if self.sampling is None else frames_in_words(self.sampling)

    def captions_from(self, kinds: Iterable[str]) -> str:
        """Return, for a signature, whose captions of these kinds count: "human", "all", or both."""
        human = [kind for kind in kinds if kind in self.by_human]
        rest = [kind for kind in kinds if kind not in self.by_human]
        if not human or not rest:
            return "human" if human else "all"
        return f"human {'+'.join(human)}, all {'+'.join(rest)}"

    def count(self, part: str) -> int:
        return self.parts[part].things if part in self.parts else 0


def frames_in_words(sampling: Mapping[str, Any]) -> str:
    """Return a stored sampling in words; {} means unknown."""
    return str(Sampling.parse(sampling)) if sampling else "not stated"


def settings_of(project: Project) -> list[Setting]:
    """Return the settings with vectors of clips or videos, by model and frames, then those of files
    by name. The number of queries has a limit; no vector is read.
    """
    human = kinds_by_human(project)
    return [*_of_runs(project, human), *_of_files(project, human)]


def kinds_by_human(project: Project) -> frozenset[str]:
    """Return the kinds of captions of which only human ones count: if the project has chosen so,
    those with a current human caption. So all models get the same queries.
    """
    if not project.recall_by_human:
        return frozenset()
    by_people = only_current(
        Caption.objects.filter(
            project=project,
            kind__in=GALLERY_OF,
            source__in=BY_PEOPLE,
            clip__video__excluded_because="",
            clip__excluded_because="",
        )
    )
    return frozenset(by_people.values_list("kind", flat=True).distinct().order_by())


def rows_of(project: Project, setting: Setting, part: str) -> QuerySet[Any]:
    """Return the rows of one part, with `vector`; if an item has several, the newest counts."""
    if setting.vector_set is not None:
        of_set = ImportedVector.objects.filter(vector_set=setting.vector_set)
        return _imported(project, of_set, part, setting.by_human)
    of_space = fresh_vectors(project).filter(space=setting.space)
    if part in GALLERY_OF:
        return of_space.filter(caption__in=_captions(project, part, setting.by_human).values("pk"))
    return of_space.filter(clip__in=_clips(project, part), sampling=setting.sampling)


def clips_with_categories(project: Project) -> dict[int, tuple[int, str]]:
    """Return, by clip, its video and that video's category."""
    clips = Clip.objects.filter(project=project).values_list("pk", "video", "video__category")
    return {clip: (video, category) for clip, video, category in clips.iterator()}


def category_marks(project: Project) -> list[list[Any]]:
    """Return a value that changes whenever a clip's category or video changes."""
    rows = Clip.objects.filter(project=project).order_by().values_list("video__category")
    marks = rows.annotate(n=Count("pk"), clips=Sum("pk"), videos=Sum("video"))
    return sorted([category, n, int(clips), int(videos)] for category, n, clips, videos in marks)


def _of_runs(project: Project, human: frozenset[str]) -> Iterator[Setting]:
    if not Embedding.objects.filter(project=project).exists():
        return
    by_setting: dict[tuple[str, str], Setting] = {}
    models: dict[str, int] = {}
    for part in (CLIPS, VIDEOS):
        rows = fresh_vectors(project).filter(clip__in=_clips(project, part)).order_by()
        grouped = rows.values_list("space", "sampling").annotate(
            **_marks("clip"), model=Max("model")
        )
        for space, sampling, *mark, model in grouped:
            key = space, json.dumps(sampling, sort_keys=True)
            setting = by_setting.setdefault(
                key, Setting(subject_of(*key), "", space, sampling, by_human=human)
            )
            setting.parts[part] = _part(mark)
            models[space] = max(model, models.get(space, 0))
    names = dict(ModelSpec.objects.filter(pk__in=models.values()).values_list("pk", "name"))
    texts = _texts_by_space(project, human)
    stale = _stale_by_space(project)
    for setting in by_setting.values():
        setting.model = names[models[setting.space]]
        setting.parts |= texts.get(setting.space, {})
        setting.stale = stale.get(setting.space, 0)
    yield from sorted(
        by_setting.values(), key=lambda setting: (setting.model, *_order(setting.sampling))
    )


def _order(sampling: dict[str, Any] | None) -> tuple[str, float, str]:
    """Return a sort key that puts few frames before many."""
    values = sampling or {}
    numbers = [values.get(name) or 0 for name in ("count", "step", "high")]
    return str(values.get("kind", "")), max(numbers), json.dumps(values, sort_keys=True)


def _captions(project: Project, kind: str, human: frozenset[str]) -> QuerySet[Caption]:
    """Return the captions of a kind that count."""
    captions = searched_captions(project, kind)
    return captions.filter(source__in=BY_PEOPLE) if kind in human else captions


def _texts_by_space(project: Project, human: frozenset[str]) -> dict[str, dict[str, Part]]:
    by_space: dict[str, dict[str, Part]] = {}
    for kind in GALLERY_OF:
        rows = fresh_vectors(project).filter(
            caption__in=_captions(project, kind, human).values("pk")
        )
        for space, *mark in rows.order_by().values_list("space").annotate(**_marks("caption")):
            by_space.setdefault(space, {})[kind] = _part(mark)
    return by_space


def _stale_by_space(project: Project) -> dict[str, int]:
    rows = Embedding.objects.filter(project=project).exclude(item__stale_because__in=_STILL_GOOD)
    return dict(rows.order_by().values_list("space").annotate(n=Count("pk")))


def _of_files(project: Project, human: frozenset[str]) -> Iterator[Setting]:
    sets = {
        vector_set.pk: Setting(
            f"import:{vector_set.pk}",
            vector_set.name,
            vector_set=vector_set.pk,
            file_sha256=vector_set.sha256,
            by_human=human,
        )
        for vector_set in VectorSet.objects.filter(project=project, is_used=True).order_by("name")
    }
    if not sets:
        return
    of_sets = ImportedVector.objects.filter(vector_set__in=list(sets))
    for part in (CLIPS, VIDEOS, *GALLERY_OF):
        thing = "caption" if part in GALLERY_OF else "clip"
        rows = _imported(project, of_sets, part, human).order_by()
        for key, *mark in rows.values_list("vector_set").annotate(**_marks(thing)):
            sets[key].parts[part] = _part(mark)
    for kind in GALLERY_OF.keys() & {part for each in sets.values() for part in each.parts}:
        of_kind = _imported(project, of_sets, kind, human)
        older = of_kind.exclude(caption__in=searched_captions(project, kind).values("pk"))
        for key, n in older.order_by().values_list("vector_set").annotate(n=Count("pk")):
            sets[key].newer += n
    yield from sets.values()


def fresh_vectors(project: Project) -> QuerySet[Embedding]:
    """Return the vectors by runs whose recipe is still that of their model."""
    return Embedding.objects.filter(project=project, item__stale_because__in=_STILL_GOOD)


def _clips(project: Project, part: str) -> QuerySet[Any]:
    clips = clips_to_embed(project) if part == CLIPS else whole_videos(project)
    return clips.order_by().values("pk")


def _imported(
    project: Project, rows: QuerySet[ImportedVector], part: str, human: frozenset[str]
) -> QuerySet[ImportedVector]:
    if part in GALLERY_OF:
        kinds = [part, *FURTHER.get(part, ())]
        of_kind = rows.filter(
            caption__kind__in=kinds,
            caption__clip__video__excluded_because="",
            caption__clip__excluded_because="",
        )
        return of_kind.filter(caption__source__in=BY_PEOPLE) if part in human else of_kind
    return rows.filter(caption=None, clip__in=_clips(project, part))


def _marks(thing: str) -> dict[str, Any]:
    return {
        "things": Count(thing, distinct=True),
        "rows": Count("pk"),
        "last": Max("pk"),
        "total": Sum("pk"),
    }


def _part(mark: list[Any]) -> Part:
    return Part(*map(int, mark))


def subject_of(space: str, sampling: str) -> str:
    """Return the subject of reports on vectors of this space and sampling, the latter as JSON."""
    return f"{space[:40]}.{sha256(sampling.encode()).hexdigest()[:16]}"


def clip_vectors(rows: QuerySet[Embedding]) -> dict[int, np.ndarray]:
    """Return the newest of these vectors by clip."""
    in_order = rows.order_by("pk").values_list("clip", "vector")
    return {
        clip: np.frombuffer(vector, dtype="<f4")
        for clip, vector in in_order.iterator(chunk_size=500)
    }


def retired_vectors(project: Project) -> set[int]:
    """Return the keys of the vector sets that pages no longer offer."""
    sets = VectorSet.objects.filter(project=project, is_used=False)
    return set(sets.values_list("pk", flat=True))

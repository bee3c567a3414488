"""The vectors of a file. For workers and commands, because they load the model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from annotate.models import ActionLabel, Clip, Project
from inference.backends.protocols import BackendError
from inference.models import ModelSpec
from inference.planning.recipes import model_recipe, space_of
from inference.registry import Role
from review.composed.computing import compose
from review.composed.report import VectorSetting, vector_settings
from review.composed.runs import queries_to_rank
from review.errors import ReviewError
from review.pairs.forms import models_with
from review.retrieval.queries import clip_vectors, frames_in_words
from review.retrieval.vector_writing import WRITERS
from review.triplets.queries import newest_triplets, test_gallery, test_queries

LABELS, QUERIES = "labels", "queries"


@dataclass(frozen=True)
class Source:
    """What a file can be made from: the labels by an encoder, or the newest set's test queries by
    an encoder and a sampling of frames.
    """

    of: str
    model: ModelSpec
    setting: VectorSetting | None = None

    @property
    def key(self) -> str:
        return f"{self.of}:{self.setting.subject if self.setting else self.model.pk}"

    @property
    def frames(self) -> str:
        return frames_in_words(self.setting.sampling) if self.setting else ""

    @property
    def name(self) -> str:
        if self.setting is None:
            return f"Labels, {self.model.name}"
        return f"Composed queries, {self.model.name}, {self.frames}"


@dataclass(frozen=True)
class VectorContent:
    """`ids` and `vectors` by the names of their arrays, as docs/formats.md lists them."""

    ids: Mapping[str, Sequence[str]]
    vectors: Mapping[str, np.ndarray]
    space: str

    def written(self, format_name: str) -> bytes:
        """Return the file in this format of WRITERS."""
        return WRITERS[format_name](self.ids, self.vectors, self.space)


def vector_sources(project: Project) -> Iterator[Source]:
    """Yield what files of vectors the project can have. Loads no model."""
    if ActionLabel.objects.filter(project=project).exists():
        for model in models_with(Role.ENCODER, project.pk):
            yield Source(LABELS, model)
    triplets = newest_triplets(project)
    if triplets is not None:
        for setting in vector_settings(project, test_gallery(project, test_queries(triplets))):
            yield Source(QUERIES, setting.model, setting)


def find_source(project: Project, key: str) -> Source:
    """Return the source with this key. Raises ReviewError if it is gone."""
    for source in vector_sources(project):
        if source.key == key:
            return source
    raise ReviewError("The project no longer has these vectors. Embed the clips, then try again.")


def vectors_of(project: Project, source: Source, fusion: str) -> VectorContent:
    """Return the vectors of a source. `fusion`: of BASELINES, for queries. Raises ReviewError."""
    try:
        if source.setting is None:
            return _of_labels(project, source.model)
        return _of_queries(project, source.setting, fusion)
    except BackendError as error:
        raise ReviewError(f"{source.model.name} could not embed a text: {error}") from error


def _of_labels(project: Project, model: ModelSpec) -> VectorContent:
    from review.retrieval.text_vectors import text_vectors

    labels = ActionLabel.objects.filter(project=project).order_by("key")
    keys, captions = zip(*labels.values_list("key", "caption"), strict=True)
    return VectorContent(
        {"labels": keys},
        {"label_vectors": text_vectors(model, captions)},
        space_of(model_recipe(model)),
    )


def _of_queries(project: Project, setting: VectorSetting, fusion: str) -> VectorContent:
    """Return the queries by the query_id of test.csv, with the texts as verified, and the gallery,
    as imports of rankings read them.
    """
    from review.retrieval.text_vectors import text_vectors

    triplets = newest_triplets(project)
    assert triplets is not None
    judged = test_queries(triplets)
    gallery = test_gallery(project, judged)
    vectors = clip_vectors(setting.vectors)
    if missing := len(gallery) - len(vectors):
        raise ReviewError(
            f"{missing} of {len(gallery)} test clips have no vector. Embed the clips first."
        )
    queries = queries_to_rank(triplets)
    composed = compose(
        fusion,
        np.stack([vectors[clip] for _, clip, _ in queries]),
        text_vectors(setting.model, [text for _, _, text in queries]),
    )
    names = dict(Clip.objects.filter(pk__in=gallery).values_list("pk", "name"))
    return VectorContent(
        {
            "queries": [str(number) for number in range(len(queries))],
            "clips": [names[clip] for clip in gallery],
        },
        {
            "query_vectors": composed,
            "clip_vectors": np.stack([vectors[clip] for clip in gallery]),
        },
        setting.space,
    )

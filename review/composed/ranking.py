"""Rank the gallery for test queries with a model here. For workers, because it loads models."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from annotate.corpus.precedence import current_captions
from annotate.errors import ItemFailed, JobStopped
from annotate.jobs.kinds import BatchWork, Outcome
from annotate.jobs.parameters import read_parameters
from annotate.models import Clip
from annotate.models.jobs import Job, JobItem
from annotate.text.storable import storable
from inference.backends.protocols import (
    BackendError,
    ClipFrames,
    ComposedEncoder,
    ComposedQuery,
    Generation,
    Vectors,
)
from inference.kinds.pictures import ClipSource
from inference.loading import batch_size_of, load_model
from inference.planning.recipes import settings_of
from inference.registry import backend_info
from metrics.retrieval import rank_gallery
from review.composed.computing import compose
from review.composed.methods import CAPTION, METHODS, PROMPT, RankingParameters
from review.composed.ranking_files import MAX_RANKED
from review.composed.runs import queries_to_rank
from review.retrieval.queries import clip_vectors, fresh_vectors
from review.triplets.models import TripletSet
from review.triplets.queries import test_gallery, test_queries

MAX_TOKENS = 512


@dataclass(frozen=True)
class Task:
    """A query: its clip, its modification, and the caption to edit, if the method needs one."""

    clip: int
    source: ClipSource
    text: str
    caption: str = ""


@dataclass(frozen=True)
class Composed:
    """The vector of a query; `text` is what was embedded, if anything was."""

    vector: Vectors
    text: str = ""


Results = Sequence[Composed | Exception]


class Ranking(BatchWork[JobItem, Task, ClipFrames | None, Composed]):
    def __init__(self, job: Job) -> None:
        self.parameters = parameters = read_parameters(job, RankingParameters)
        triplets = TripletSet.objects.select_related("project").get(pk=parameters.triplets)
        self.queries = {key: (clip, text) for key, clip, text in queries_to_rank(triplets)}
        rows = fresh_vectors(triplets.project).filter(
            space=parameters.space, sampling=parameters.gallery
        )
        self.gallery = test_gallery(triplets.project, test_queries(triplets))
        vectors = clip_vectors(rows.filter(clip__in=self.gallery))
        if missing := len(self.gallery) - len(vectors):
            raise JobStopped(f"{missing} test clips have no vector any more. Embed them first.")
        self.matrix = np.stack([vectors[clip] for clip in self.gallery])
        settings = settings_of(parameters.encoder)
        self.batch_size = batch_size_of(settings)
        self.encoder = load_model(settings)
        if parameters.method == PROMPT and not isinstance(self.encoder, ComposedEncoder):
            raise JobStopped(
                f"{parameters.encoder.name} can’t read a clip and a text in one prompt."
            )
        self.writer = load_model(settings_of(parameters.writer)) if parameters.writer else None
        self.compose: Callable[[Any, Any], Results] = {
            PROMPT: self._by_prompt,
            CAPTION: self._by_caption,
        }.get(parameters.method, self._by_baseline)

    def describe(self, items: Sequence[JobItem]) -> list[Task]:
        queries = [self.queries[item.subject or 0] for item in items]
        clips = Clip.objects.select_related("video").in_bulk([clip for clip, _ in queries])
        captions: dict[int, str] = {}
        if self.parameters.method == CAPTION:
            current = current_captions(Clip.objects.filter(pk__in=clips))
            captions = dict(current.values_list("clip", "text"))
        return [
            Task(clip, ClipSource.of(clips[clip]), text, captions.get(clip, ""))
            for clip, text in queries
        ]

    def read(self, task: Task) -> ClipFrames | None:
        if self.parameters.sampling is None:
            return None
        longest_side = backend_info(self.parameters.encoder.backend).longest_side
        return task.source.read(self.parameters.sampling, longest_side=longest_side)

    def compute(self, tasks: Sequence[Task], materials: Sequence[ClipFrames | None]) -> Results:
        return self.compose(tasks, materials)

    def store(self, item: JobItem, task: Task, result: Composed) -> Outcome:
        own = self.gallery.index(task.clip)
        try:
            [ranked] = rank_gallery(result.vector[None], self.matrix, MAX_RANKED, masked=[[own]])
        except ValueError as error:
            raise ItemFailed("wrong_shape", f"The query can’t be ranked: {error}.") from error
        details = {"clips": [self.gallery[place] for place in ranked], "text": result.text}
        return Outcome(result.text[:300], values={"details": details})

    def _by_baseline(self, tasks: Sequence[Task], clips: Sequence[ClipFrames]) -> Results:
        name, method = self.parameters.method, METHODS[self.parameters.method]
        texts = [task.text for task in tasks]
        seen = self.encoder.encode_clips(clips) if method.has_video else []
        read = self.encoder.encode_texts(texts) if method.has_text else []
        return [
            _composed(name, clip, text, written if method.has_text else "")
            for clip, text, written in zip(seen or read, read or seen, texts, strict=True)
        ]

    def _by_prompt(self, tasks: Sequence[Task], clips: Sequence[ClipFrames]) -> Results:
        queries = [ComposedQuery(clip, task.text) for task, clip in zip(tasks, clips, strict=True)]
        return [
            vector if isinstance(vector, BackendError) else Composed(vector, query.text)
            for vector, query in zip(self.encoder.encode_composed(queries), queries, strict=True)
        ]

    def _by_caption(self, tasks: Sequence[Task], _: object) -> Results:
        assert self.writer is not None
        replies = self.writer.complete(
            [self._question(task) for task in tasks], Generation(max_tokens=MAX_TOKENS)
        )
        edited = [_edited(reply) for reply in replies]
        texts = [text for text in edited if isinstance(text, str)]
        vectors = iter(self.encoder.encode_texts(texts) if texts else [])
        return [_embedded(text, vectors) for text in edited]

    def _question(self, task: Task) -> str:
        before, _, after = self.parameters.prompt.partition("{caption}")
        return task.caption.join(
            part.replace("{modification}", task.text) for part in (before, after)
        )


def _composed(method: str, clip: Any, text: Any, written: str) -> Composed | BackendError:
    for vector in (clip, text):
        if isinstance(vector, BackendError):
            return vector
    return Composed(compose(method, clip, text), written)


def _edited(reply: str | BackendError) -> str | Exception:
    """Return the edited caption; a reply's reasoning is apart from it."""
    if isinstance(reply, BackendError):
        return reply
    return storable(reply).strip() or ItemFailed(
        "empty_reply", "The text model replied without a word. Change the prompt or the model."
    )


def _embedded(text: str | Exception, vectors: Any) -> Composed | Exception:
    if isinstance(text, Exception):
        return text
    vector = next(vectors)
    return vector if isinstance(vector, BackendError) else Composed(vector, text)

"""EVQAScore of one caption with its clip, for score and refine runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Any

import numpy as np

from annotate.errors import ItemFailed
from annotate.models import Caption
from inference.backends.protocols import (
    BackendError,
    ClipFrames,
    DualEncoder,
    ObjectDetector,
    TextModel,
    Vectors,
)
from inference.backends.usage import belonging_to
from inference.keywords import (
    KEYWORD_PROMPT,
    Frequencies,
    document_frequencies,
    parse_keywords,
    tfidf_keywords,
)
from inference.loading import load_model
from inference.models import InferenceRun, QualityScore, RunItem
from inference.planning.options import ScoreOptions
from inference.planning.recipes import (
    hash_of,
    scored_kind,
    scorer_name,
    scorer_recipe,
    settings_of,
)
from inference.planning.word_counts import counted_captions
from inference.recipes import ScoreRecipe
from inference.registry import backend_info
from metrics.evqascore import EvqaScore, evqascore, evqascore_v1, mean_direction


@dataclass(frozen=True)
class Scored:
    """A score with its keywords."""

    value: float
    keywords: list[str]
    details: dict[str, Any]

    @classmethod
    def of(cls, score: EvqaScore, keywords: Sequence[str]) -> Scored:
        return cls(score.score, list(keywords), asdict(score))


class Scorer:
    """Scores captions by a run's recipe."""

    def __init__(self, run: InferenceRun, recipe: ScoreRecipe, options: ScoreOptions) -> None:
        self.options = options
        self.scorer = hash_of(scorer_recipe(recipe))
        self.name = scorer_name(recipe)
        self.settings = settings_of(recipe.own_model)
        self.encoder: DualEncoder = load_model(self.settings)
        self.longest_side = backend_info(self.settings.backend).longest_side
        self.namer = _keyword_namer(run, recipe, options)
        self.detector: ObjectDetector | None = (
            load_model(settings_of(recipe.detector)) if recipe.detector else None
        )

    def score_batch(
        self, clips: Sequence[ClipFrames], texts: Sequence[str]
    ) -> list[Scored | ItemFailed]:
        """Return the scores in order, each or its error."""
        scores = []
        with_keywords = zip(clips, texts, self.namer(texts), strict=True)
        for place, (clip, text, keywords) in enumerate(with_keywords):
            with belonging_to([place]):
                scores.append(self._score_or_error(clip, text, keywords))
        return scores

    def _score_or_error(
        self, clip: ClipFrames, text: str, keywords: Sequence[str] | BackendError
    ) -> Scored | ItemFailed:
        if isinstance(keywords, BackendError):
            return keywords
        try:
            return self._score(clip, text, keywords)
        except ItemFailed as error:
            return error

    def _score(self, clip: ClipFrames, text: str, keywords: Sequence[str]) -> Scored:
        if not keywords:
            raise ItemFailed(
                "no_keywords",
                "The caption has no keyword, so it can't be scored. Write or generate another one.",
            )
        frames = self.encoder.encode_frames(clip)
        try:
            if self.options.variant == "v1":
                return Scored.of(self._score_v1(frames, text, keywords), keywords)
            vectors = _usable(self.encoder.encode_texts([*keywords, text]))
            regions = _regions(clip, self.detector) if self.detector else []
            # EVQAScore's code compares whole frames where its detector has no box.
            local = _usable(self.encoder.encode_clips(regions)) if regions else frames
            score = evqascore(local, vectors[:-1], mean_direction(frames), vectors[-1])
        except ValueError as error:  # vectors of the encoder that can't be used for a score
            raise ItemFailed(
                "no_score", f"No score can be computed: {error}. Choose another encoder."
            ) from error
        scored = Scored.of(score, keywords)
        return replace(
            scored,
            details=scored.details | {"compared": "regions" if regions else "whole frames"},
        )

    def _score_v1(self, frames: Vectors, text: str, keywords: Sequence[str]) -> EvqaScore:
        if not hasattr(self.encoder, "encode_tokens"):
            raise ItemFailed(
                "no_token_vectors",
                "EVQAScore v1 needs a vector for each token of the keywords, which this encoder "
                "does not give. Choose v3, or a CLIP model.",
            )
        return evqascore_v1(
            token_vectors=self.encoder.encode_tokens(", ".join(keywords)),
            frames=frames,
            frame_mean=mean_direction(frames),
            caption=_usable(self.encoder.encode_texts([text]))[0],
            n_keywords=len(keywords),
        )

    def score_of_same_text(self, clip_id: int, text: str) -> Scored | None:
        """Return this scorer's score of another caption of the clip with the same text, because a
        model may name different keywords the next time.
        """
        same = QualityScore.objects.filter(
            clip=clip_id, scorer=self.scorer, caption__text=text
        ).first()
        return Scored(same.value, same.keywords, same.details) if same else None

    def store(self, item: RunItem, caption: Caption, scored: Scored) -> QualityScore:
        """Store the caption's score by this scorer, unless it exists."""
        score, _ = QualityScore.objects.get_or_create(
            caption=caption,
            scorer=self.scorer,
            defaults={
                "project_id": caption.project_id,
                "item": item,
                "clip_id": caption.clip_id,
                "scorer_name": self.name,
                "value": scored.value,
                "keywords": scored.keywords,
                "details": scored.details,
            },
        )
        return score


def _keyword_namer(
    run: InferenceRun, recipe: ScoreRecipe, options: ScoreOptions
) -> Callable[[Sequence[str]], Sequence[list[str] | BackendError]]:
    """Return a function from captions to their keywords: by a text model, or by TF-IDF over the
    captions of the recipe, so that all runs and workers of a scorer count the same captions.
    """
    if recipe.keyword_model is None:
        frequencies = _frequencies(
            run.project_id, scored_kind(recipe), recipe.until or 0, run.created_at
        )
        return lambda texts: [
            tfidf_keywords(text, frequencies, options.keywords_at_most) for text in texts
        ]
    text_model: TextModel = load_model(settings_of(recipe.keyword_model))

    def ask(texts: Sequence[str]) -> list[list[str] | BackendError]:
        prompts = [KEYWORD_PROMPT.format(caption=text) for text in texts]
        return [
            reply
            if isinstance(reply, BackendError)
            else parse_keywords(reply)[: options.keywords_at_most]
            for reply in text_model.complete(prompts, options.generation)
        ]

    return ask


@lru_cache(maxsize=4)
def _frequencies(project_id: int, kind: str, until: int, started_at: datetime) -> Frequencies:
    """Return the word frequencies. Cached per run and process, because it reads all captions."""
    captions = counted_captions(project_id, kind).filter(pk__lte=until)
    return document_frequencies(captions.values_list("text", flat=True).iterator())


def _regions(clip: ClipFrames, detector: ObjectDetector) -> list[ClipFrames]:
    """Return the boxes of all frames, each cropped as a clip of one frame."""
    return [
        replace(
            clip,
            frames=np.ascontiguousarray(frame[None, top:bottom, left:right]),
            numbers=(number,),
        )
        for frame, number, boxes in zip(
            clip.frames, clip.numbers, detector.find_boxes(clip), strict=True
        )
        for left, top, right, bottom in boxes
    ]


def _usable(vectors: Sequence[Any]) -> np.ndarray:
    """Return the vectors as rows; raises the first error in the list."""
    for vector in vectors:
        if isinstance(vector, Exception):
            raise vector
    return np.stack(vectors)

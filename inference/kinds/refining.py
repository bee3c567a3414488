"""One round of refining several clips: a batch of captions by one model, and their scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

from annotate.corpus.precedence import current_caption
from annotate.errors import ItemFailed
from annotate.models import Caption, Clip
from inference.backends.protocols import (
    BackendError,
    Captioner,
    CaptionRequest,
    ClipFrames,
    ModelSettings,
)
from inference.backends.usage import belonging_to
from inference.kinds.captions import showable
from inference.kinds.pictures import ClipSource
from inference.kinds.scoring import Scored, Scorer
from inference.kinds.side_by_side import ItemInProgress
from inference.models import RefineAttempt
from inference.planning.options import RefineOptions
from inference.planning.prompts import caption_prompt
from inference.planning.recipes import settings_of
from inference.planning.themes import told_theme
from inference.recipes import ModelRecipe
from inference.registry import backend_info
from inference.sampling import Sampling

# Clips that are decoded side by side.
READERS = 4
Usable = TypeVar("Usable")


@dataclass(kw_only=True)
class Refining(ItemInProgress):
    """A clip with the attempts that were `made`."""

    clip: Clip
    made: list[RefineAttempt]

    @property
    def number(self) -> int:
        """Return the number of the next attempt."""
        return len(self.made) + 1

    @property
    def parent(self) -> Caption | None:
        """Return the caption that the next attempt follows."""
        tried = [attempt.caption for attempt in self.made if attempt.caption]
        return tried[-1] if tried else current_caption(self.clip)


class Writer:
    """Generates and scores captions; it stores nothing."""

    def __init__(self, options: RefineOptions, scorer: Scorer) -> None:
        self.options = options
        self.scorer = scorer

    def write(
        self, refining: Sequence[Refining], model: ModelRecipe, captioner: Captioner, number: int
    ) -> Iterator[tuple[Refining, str | ItemFailed, Scored | ItemFailed]]:
        """Yield each item, its reply of attempt `number` and the score, each or its error."""
        replies = self._replies(refining, model, captioner, number)
        scores = self._scores(refining, replies)
        yield from zip(refining, replies, scores, strict=True)

    def _replies(
        self, refining: Sequence[Refining], model: ModelRecipe, captioner: Captioner, number: int
    ) -> list[str | ItemFailed]:
        options = self.options
        sampling = backend_info(model.backend).sampling or options.caption_sampling
        longest_side = backend_info(model.backend).longest_side or options.longest_side
        prompts = [caption_prompt(options.prompt, self._theme_told(each)) for each in refining]
        clips = _read_all(refining, sampling, longest_side, settings_of(model))

        def caption(places: Sequence[int], frames: Sequence[ClipFrames]) -> Sequence[Any]:
            requests = [
                CaptionRequest(clip, prompts[n], options.system)
                for n, clip in zip(places, frames, strict=True)
            ]
            try:
                with belonging_to([refining[n].place for n in places]):
                    return captioner.caption(requests, options.caption_generation(number))
            except BackendError as error:
                return [error] * len(requests)

        return [_with_words(reply) for reply in _of_usable(clips, caption)]

    def _theme_told(self, each: Refining) -> str:
        return told_theme(each.clip.video, each.item.theme) if self.options.use_theme else ""

    def _scores(
        self, refining: Sequence[Refining], replies: Sequence[str | ItemFailed]
    ) -> list[Scored | ItemFailed]:
        scores: list[Any] = [
            reply
            if isinstance(reply, ItemFailed)
            else self.scorer.score_of_same_text(each.clip.pk, showable(reply))
            for each, reply in zip(refining, replies, strict=True)
        ]
        unscored = [place for place, scored in enumerate(scores) if scored is None]
        texts = [showable(str(replies[place])) for place in unscored]
        clips = _read_all(
            [refining[place] for place in unscored],
            self.options.sampling,
            self.scorer.longest_side,
        )

        def score(places: Sequence[int], frames: Sequence[ClipFrames]) -> Sequence[Any]:
            with belonging_to([refining[unscored[n]].place for n in places]):
                return self.scorer.score_batch(frames, [texts[place] for place in places])

        for place, scored in zip(unscored, _of_usable(clips, score), strict=True):
            scores[place] = scored
        return scores


def _read_all(
    refining: Sequence[Refining],
    sampling: Sampling,
    longest_side: int | None,
    model: ModelSettings | None = None,
) -> list[ClipFrames | ItemFailed]:
    """Return the frames of each clip, or why they can't be read; read side by side."""

    def read(source: ClipSource) -> ClipFrames | ItemFailed:
        try:
            return source.read(sampling, longest_side=longest_side)
        except ItemFailed as error:
            return error

    with ThreadPoolExecutor(READERS) as pool:
        return list(pool.map(read, [ClipSource.of(each.clip, model) for each in refining]))


def _of_usable(
    values: Sequence[Usable | ItemFailed],
    work: Callable[[Sequence[int], Sequence[Usable]], Sequence[Any]],
) -> list[Any]:
    """Return the results of `work` on the places and values that aren't errors, and the errors in
    their places."""
    usable = [(n, value) for n, value in enumerate(values) if not isinstance(value, ItemFailed)]
    results: list[Any] = list(values)
    if usable:
        places, of_places = zip(*usable, strict=True)
        for place, result in zip(places, work(places, of_places), strict=True):
            results[place] = result
    return results


def _with_words(reply: str | ItemFailed) -> str | ItemFailed:
    """Return the reply, or an error if it has no words."""
    if isinstance(reply, ItemFailed):
        return reply
    try:
        showable(reply)
    except ItemFailed as error:
        return error
    return reply

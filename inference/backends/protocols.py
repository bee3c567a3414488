"""The protocols that the rest of the code uses for models: captioner, encoder, detector,
text model.

A call takes a batch and returns one answer for each request, in order: the result, or a
BackendError for this request. A raised BackendError concerns the whole batch, for example because
the server doesn't answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from annotate.errors import ItemFailed

Frames = NDArray[np.uint8]
Vectors = NDArray[np.float32]
Box = tuple[
    int, int, int, int
]  # left, top, right, bottom: pixels of a frame, the last two excluded
ElementKind = Literal["events", "objects"]
Relation = Literal["entailment", "neutral", "contradiction"]


# fmt: off
CONCERNS_ALL = {
    "unreachable", "unknown_server", "moved", "not_found", "key_refused", "no_credit",
    "refused_always", "key_unreadable", "no_vectors",
}
# fmt: on


class BackendError(ItemFailed):
    """A model gave no usable answer. `str(error)` says what happened and how to fix it.

    `transient`: the same request may succeed later (a timeout, a busy server). `concerns_all`:
    every other request would fail in the same way.
    """

    def __init__(self, code: str, message: str, *, transient: bool = False) -> None:
        super().__init__(code, message)
        self.transient = transient

    @property
    def concerns_all(self) -> bool:
        return self.code in CONCERNS_ALL


@dataclass(frozen=True)
class ModelSettings:
    """The settings to load a model; `version` increases with every edit of the model."""

    backend: str
    model_id: str
    revision: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class ClipFrames:
    """Frames sampled from a clip.

    `frames`: uint8 RGB, shape (n, height, width, 3), n >= 1. `numbers`: the n frame numbers,
    counted from the clip's first frame, in non-decreasing order. `length`: frames of the whole
    clip. `fps`: frames per second of the playback file. `address`: where a server can read the clip
    itself, "" if it can't.
    """

    frames: Frames
    numbers: tuple[int, ...]
    length: int
    fps: float
    address: str = ""

    @property
    def seconds(self) -> float:
        return self.length / self.fps


@dataclass(frozen=True)
class Generation:
    """How a model generates text; temperature 0 is greedy.

    `json_schema`: the schema of the reply, if the server can enforce it. A local model can't, so
    callers must always validate the reply.
    """

    temperature: float = 0.0
    top_p: float = 1.0
    repetition_penalty: float = 1.0
    max_tokens: int = 512
    seed: int = 0
    json_schema: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class CaptionRequest:
    """A request to describe one clip; `prompt` is the instruction, `system` the model's role."""

    clip: ClipFrames
    prompt: str
    system: str = ""


@dataclass(frozen=True)
class ComposedQuery:
    """A clip, and the text that says how the clip to find differs from it."""

    clip: ClipFrames
    text: str


class Captioner(Protocol):
    def caption(
        self, requests: Sequence[CaptionRequest], generation: Generation
    ) -> list[str | BackendError]: ...


@runtime_checkable
class ThemeNamer(Protocol):
    """A captioner without a prompt that can describe a whole video in a phrase."""

    def name_themes(self, clips: Sequence[ClipFrames]) -> list[str | BackendError]: ...


class DualEncoder(Protocol):
    """Encodes frames and texts in the same space, as unit float32 vectors of `dimension`."""

    dimension: int

    def encode_frames(self, clip: ClipFrames) -> Vectors:
        """Return (n, dimension), one vector per frame."""
        ...

    def encode_clips(self, clips: Sequence[ClipFrames]) -> list[Vectors | BackendError]:
        """Return one vector per clip, shape (dimension,)."""
        ...

    def encode_texts(self, texts: Sequence[str]) -> list[Vectors | BackendError]:
        """Return one vector per text, shape (dimension,)."""
        ...


class ObjectDetector(Protocol):
    def find_boxes(self, clip: ClipFrames) -> list[list[Box]]:
        """Return the boxes of each frame, none of them empty. Raises BackendError."""
        ...


@runtime_checkable
class ComposedEncoder(Protocol):
    """A DualEncoder that reads a clip and a text in one prompt."""

    def encode_composed(self, queries: Sequence[ComposedQuery]) -> list[Vectors | BackendError]:
        """Return one unit vector per query, shape (dimension,)."""
        ...


class TextModel(Protocol):
    def complete(
        self, prompts: Sequence[str], generation: Generation, *, system: str = ""
    ) -> list[str | BackendError]: ...

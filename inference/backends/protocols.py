"""What every model is to the rest of the code: a captioner, an encoder or a text model.

A call takes a batch and returns one answer for each request, in order: the result, or the
BackendError that befell this request alone. A BackendError that is raised concerns the whole
batch, such as a server that does not answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from annotate.errors import ItemFailed

Frames = NDArray[np.uint8]
Vectors = NDArray[np.float32]
ElementKind = Literal["events", "objects"]
Relation = Literal["entailment", "neutral", "contradiction"]


class BackendError(ItemFailed):
    """A model gave no usable answer. `str(error)` says what happened and how to mend it.

    `transient` is true where the same request may succeed later (a time-out, a full server).
    `concerns_all` is true where every other request would fail in the same way.
    """

    def __init__(self, code: str, message: str, *, transient: bool = False) -> None:
        super().__init__(code, message)
        self.transient = transient

    @property
    def concerns_all(self) -> bool:
        return self.code in {"unreachable", "key_refused", "not_found", "moved", "unknown_server"}


@dataclass(frozen=True)
class ModelSettings:
    """What a backend needs to load a model; `version` grows with every edit of the model."""

    backend: str
    model_id: str
    revision: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class ClipFrames:
    """Frames sampled from a clip.

    `frames`: uint8 RGB, shape (n, height, width, 3), n >= 1. `numbers`: the n frame numbers,
    counted from the clip's first frame, never falling. `length`: frames of the whole clip.
    `fps`: frames a second of the playback file.
    """

    frames: Frames
    numbers: tuple[int, ...]
    length: int
    fps: float

    @property
    def seconds(self) -> float:
        return self.length / self.fps


@dataclass(frozen=True)
class Generation:
    """How text is drawn from a model; temperature 0 is greedy.

    `json_schema`: what the reply has to be, where a server can see to it. A model that runs here
    can't, so whoever asks reads the reply as strictly as if nothing had been said.
    """

    temperature: float = 0.0
    top_p: float = 1.0
    repetition_penalty: float = 1.0
    max_tokens: int = 512
    seed: int = 0
    json_schema: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class CaptionRequest:
    """One clip to be described; `prompt` is what the model is asked, `system` its role."""

    clip: ClipFrames
    prompt: str
    system: str = ""


class Captioner(Protocol):
    def caption(
        self, requests: Sequence[CaptionRequest], generation: Generation
    ) -> list[str | BackendError]: ...


class DualEncoder(Protocol):
    """Frames and texts in one space. All vectors are unit float32 of `dimension`."""

    dimension: int

    def encode_frames(self, clip: ClipFrames) -> Vectors:
        """(n, dimension), one vector a frame."""
        ...

    def encode_clips(self, clips: Sequence[ClipFrames]) -> list[Vectors | BackendError]:
        """One vector a clip, shape (dimension,)."""
        ...

    def encode_texts(self, texts: Sequence[str]) -> list[Vectors | BackendError]:
        """One vector a text, shape (dimension,)."""
        ...


class TextModel(Protocol):
    def complete(
        self, prompts: Sequence[str], generation: Generation, *, system: str = ""
    ) -> list[str | BackendError]: ...


class ElementJudge(Protocol):
    """Finds elements and judges them by rules of its own, without a prompt."""

    def extract(self, text: str, kind: ElementKind, most: int | None) -> list[str]: ...

    def judge(self, text: str, elements: Sequence[str]) -> list[tuple[Relation, str]]:
        """The relation of `text` to each element, and why."""
        ...

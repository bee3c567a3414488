"""Models outside of this process, by an HTTP protocol of four calls.

`describe` answers with the caption of a clip, `embed` with vectors, `complete` with a text for a
prompt, `health` with what the server does. clients/model_server.openapi.json describes them, and
clients/model_server.py is a small server.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cached_property
from typing import Any, TypeVar

import httpx2
import numpy as np

from inference.backends import model_replies
from inference.backends.clip_parts import evenly, jpeg_url, shrunk
from inference.backends.model_http import http_client
from inference.backends.protocols import (
    BackendError,
    CaptionRequest,
    ClipFrames,
    Generation,
    ModelSettings,
    Vectors,
)
from inference.backends.replies import answer_in
from inference.backends.retries import NO_HEADERS, Retries
from inference.backends.servers import ModelServer, ServerOptions, server, server_name

Request = TypeVar("Request")
Answer = TypeVar("Answer")


device_name = server_name


def load(settings: ModelSettings) -> ServedModel:
    """Raises BackendError if there is no such server. Sends nothing."""
    options = ServerOptions(**settings.parameters)
    own = server(options.server)
    options = replace(options, parallel=min(options.parallel, own.parallel))
    return ServedModel(own, settings.model_id, options)


class ServedModel:
    """A Captioner, DualEncoder and TextModel, as far as its server is."""

    def __init__(self, server: ModelServer, model_id: str, options: ServerOptions) -> None:
        self.server = server
        self.model_id = model_id
        self.options = options
        self.retries = Retries(options.tries)
        self._client = http_client(server, timeout=options.timeout, parallel=options.parallel)

    @cached_property
    def health(self) -> Mapping[str, Any]:
        return self._call("GET", "health", None)

    @property
    def dimension(self) -> int:
        """The numbers of a vector."""
        return self._read(self.health, "dimension", int)

    def caption(
        self, requests: Sequence[CaptionRequest], generation: Generation
    ) -> list[str | BackendError]:
        def describe(request: CaptionRequest) -> str:
            return self._text(
                "describe",
                clip=self._clip(request.clip),
                prompt=request.prompt,
                system=request.system,
                generation=_stated(generation),
            )

        return self._each(requests, describe)

    def complete(
        self, prompts: Sequence[str], generation: Generation, *, system: str = ""
    ) -> list[str | BackendError]:
        def complete_prompt(prompt: str) -> str:
            return self._text(
                "complete", prompt=prompt, system=system, generation=_stated(generation)
            )

        return self._each(prompts, complete_prompt)

    def encode_frames(self, clip: ClipFrames) -> Vectors:
        pictures = self._clip(clip)["pictures"]
        vectors = self._vectors(len(pictures), pictures=pictures)
        # Frames beyond the most that are sent have the vector of the nearest that was.
        places = evenly(len(clip.frames), self.options.max_frames)
        nearest = np.abs(np.subtract.outer(np.arange(len(clip.frames)), places)).argmin(axis=1)
        return np.asarray(vectors[nearest])

    def encode_clips(self, clips: Sequence[ClipFrames]) -> list[Vectors | BackendError]:
        return self._each(clips, lambda clip: self._vectors(1, clip=self._clip(clip))[0])

    def encode_texts(self, texts: Sequence[str]) -> list[Vectors | BackendError]:
        return self._each(texts, lambda text: self._vectors(1, texts=[text])[0])

    def _each(
        self, requests: Sequence[Request], answer: Callable[[Request], Answer]
    ) -> list[Answer | BackendError]:
        """Return the answers in order, `parallel` requests at a time."""

        def answer_one(request: Request) -> Answer | BackendError:
            try:
                return answer(request)
            except BackendError as error:
                return error.with_traceback(None)

        with ThreadPoolExecutor(self.options.parallel) as pool:
            return list(pool.map(answer_one, requests))

    def _text(self, call: str, **body: object) -> str:
        reply = self._call("POST", call, {"model": self.model_id, **body})
        text = self._read(reply, "text", str)
        if not text.strip():
            raise BackendError(
                "empty",
                f"{self.server.name} answered without a text. Try another prompt or model.",
            )
        return answer_in(text, str(reply.get("reasoning") or ""))

    def _vectors(self, number: int, **body: object) -> Vectors:
        """Return (number, dimension) unit vectors."""
        reply = self._call("POST", "embed", {"model": self.model_id, **body})
        try:
            vectors = np.asarray(self._read(reply, "vectors", list), dtype=np.float32)
        except (TypeError, ValueError):
            vectors = np.empty(0, np.float32)
        if vectors.shape == (number, self.dimension):
            lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
            if np.isfinite(lengths).all() and lengths.all():
                return np.asarray(vectors / lengths, dtype=np.float32)
        raise self._wrong(f"{number} vectors of {self.dimension} numbers, none of zeros alone")

    def _clip(self, clip: ClipFrames) -> dict[str, Any]:
        places = evenly(len(clip.frames), self.options.max_frames)
        side = self.options.longest_side
        return {
            "pictures": [jpeg_url(shrunk(clip.frames[place], side)) for place in places],
            "seconds": [clip.numbers[place] / clip.fps for place in places],
            "length": clip.seconds,
        }

    def _call(self, method: str, call: str, body: object) -> Mapping[str, Any]:
        """Return the server's JSON object; raises BackendError, after the retries."""
        reply = self.retries.until_final(lambda: self._try(method, call, body))
        if isinstance(reply, BackendError):
            raise reply
        return reply

    def _try(
        self, method: str, call: str, body: object
    ) -> tuple[Mapping[str, Any] | BackendError, Mapping[str, str]]:
        """Return the JSON object or the error, and the headers of a refusal."""
        try:
            response = self._client.request(method, f"{self.server.url}/{call}", json=body)
            content = response.read()
            if response.is_success:
                return self._parsed(content), NO_HEADERS
        except BackendError as error:
            return error, NO_HEADERS
        except httpx2.HTTPError as error:
            return model_replies.failure(error, self.server), NO_HEADERS
        reason = _reason(content)
        refused = model_replies.refusal(response.status_code, None, reason, self.server)
        return refused, response.headers

    def _parsed(self, content: bytes) -> Mapping[str, Any]:
        try:
            reply = json.loads(content)
        except (ValueError, RecursionError):
            reply = None
        if not isinstance(reply, dict):
            raise self._wrong("a JSON object")
        return reply

    def _read(self, reply: Mapping[str, Any], name: str, kind: type[Answer]) -> Answer:
        value = reply.get(name)
        if not isinstance(value, kind):
            raise self._wrong(f"{name}: {kind.__name__}")
        return value

    def _wrong(self, expected: str) -> BackendError:
        return BackendError(
            "wrong_shape",
            f"{self.server.name} didn't send what its call promises ({expected}). See "
            "clients/model_server.openapi.json.",
        )


def _stated(generation: Generation) -> dict[str, Any]:
    return {
        "temperature": generation.temperature,
        "top_p": generation.top_p,
        "repetition_penalty": generation.repetition_penalty,
        "max_tokens": generation.max_tokens,
        "seed": generation.seed,
        "json_schema": generation.json_schema,
    }


def _reason(content: bytes) -> object:
    """Return the server's own words: the field `error` or `detail` of its JSON."""
    try:
        reply = json.loads(content)
    except (ValueError, RecursionError):
        return ""
    return (reply.get("error") or reply.get("detail")) if isinstance(reply, dict) else ""

"""Vectors from a server's /embeddings: of texts as in OpenAI's API, of clips as messages with
pictures or a video, as vLLM's pooling models take them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import httpx2
import numpy as np
import openai

from inference.backends import model_replies
from inference.backends.clip_parts import pictures_in
from inference.backends.protocols import BackendError, ClipFrames, ComposedQuery, Vectors
from inference.backends.retries import NO_HEADERS, Retries
from inference.backends.servers import ModelServer
from inference.backends.usage import count_each, note_reply

Request = TypeVar("Request")


class ServedVectors:
    """The encoder of a model on a server. `instruction`: what the model is told to represent; with
    one, texts are sent as messages, too. `parts_of` makes the parts of a message that show a clip.
    """

    def __init__(
        self,
        client: openai.OpenAI,
        server: ModelServer,
        body: Mapping[str, Any],
        *,
        instruction: str,
        parallel: int,
        parts_of: Callable[[ClipFrames], list[dict[str, Any]]],
    ) -> None:
        self.client, self.server, self.body = client, server, body
        self.instruction, self.parallel, self.parts_of = instruction, parallel, parts_of

    def encode_texts(self, texts: Sequence[str], retries: Retries) -> list[Vectors | BackendError]:
        def request_of(text: str) -> dict[str, Any]:
            part = {"type": "text", "text": text}
            return self._messages([part]) if self.instruction else {"input": [text]}

        return self._encode_all(texts, request_of, retries)

    def encode_clips(
        self, clips: Sequence[ClipFrames], retries: Retries
    ) -> list[Vectors | BackendError]:
        return self._encode_all(clips, lambda clip: self._messages(self.parts_of(clip)), retries)

    def encode_composed(
        self, queries: Sequence[ComposedQuery], retries: Retries
    ) -> list[Vectors | BackendError]:
        def request_of(query: ComposedQuery) -> dict[str, Any]:
            return self._messages(
                [*self.parts_of(query.clip), {"type": "text", "text": query.text}]
            )

        return self._encode_all(queries, request_of, retries)

    def _messages(self, parts: list[dict[str, Any]]) -> dict[str, Any]:
        system = [{"role": "system", "content": self.instruction}] if self.instruction else []
        return {"messages": [*system, {"role": "user", "content": parts}]}

    def _encode_all(
        self,
        things: Sequence[Request],
        request_of: Callable[[Request], dict[str, Any]],
        retries: Retries,
    ) -> list[Vectors | BackendError]:
        def encode(thing: Request) -> Vectors | BackendError:
            try:
                request = {**self.body, "encoding_format": "float", **request_of(thing)}
            except BackendError as error:  # a clip that is too large to send
                return error.with_traceback(None)
            return retries.until_final(lambda: self._try(request))

        with ThreadPoolExecutor(self.parallel) as pool:
            return count_each(pool, encode, things)

    def _try(self, request: dict[str, Any]) -> tuple[Vectors | BackendError, Mapping[str, str]]:
        """Return the vector or the error, and the headers of a refusal."""
        try:
            reply = self.client.post("/embeddings", cast_to=httpx2.Response, body=request)
            pictures = pictures_in(request.get("messages", ()))
            note_reply(reply.content, self.server, str(self.body["model"]), pictures)
            return unit_vector(reply.content, self.server), NO_HEADERS
        except BackendError as error:
            return error.with_traceback(None), NO_HEADERS
        except openai.APIStatusError as error:
            return model_replies.failure(error, self.server), error.response.headers
        except (openai.OpenAIError, httpx2.HTTPError) as error:
            return model_replies.failure(error, self.server), NO_HEADERS


def unit_vector(body: bytes, server: ModelServer) -> Vectors:
    """Return the only vector of a reply, (dimension,), with length 1; raises BackendError."""
    try:
        [row] = json.loads(body)["data"]
        vector = np.asarray(row["embedding"], dtype=np.float32)
        length = float(np.linalg.norm(vector))
    except (ValueError, TypeError, KeyError, RecursionError):
        vector, length = np.empty(0, np.float32), 0.0
    if vector.ndim != 1 or not np.isfinite(length) or not length:
        raise BackendError(
            "wrong_shape",
            f"{server.name} didn't send one vector. Check that the model is served for embeddings, "
            "such as with vLLM's --runner pooling.",
        )
    return np.asarray(vector / length, dtype=np.float32)

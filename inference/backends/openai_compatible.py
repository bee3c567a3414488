"""Models on a server with OpenAI's chat completions API: vLLM, SGLang or a hosted service."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import httpx2
import numpy as np
import openai

from inference.backends import model_replies, reply_formats
from inference.backends.clip_parts import PICTURES, clip_parts, pictures_in
from inference.backends.dialect_memory import StoredDialect
from inference.backends.dialects import Dialect, DialectSearch
from inference.backends.model_http import http_client
from inference.backends.protocols import (
    BackendError,
    CaptionRequest,
    ClipFrames,
    ComposedQuery,
    Generation,
    ModelSettings,
    Vectors,
)
from inference.backends.replies import Reply
from inference.backends.reply_formats import ReplyFormat
from inference.backends.retries import NO_HEADERS, Retries
from inference.backends.served_vectors import ServedVectors
from inference.backends.servers import ModelServer, ServerOptions, server, server_name
from inference.backends.usage import count_each, note_reply

FORMAT_REFUSED = "format_refused"
# So many refusals in the same words before any answer concern every request.
SAME_REFUSALS = 4
Request = TypeVar("Request")


device_name = server_name


@dataclass(frozen=True)
class Options(ServerOptions):
    """The parameters of a model of this backend. `clip_as`: one of CLIP_FORMS. `left_out`: names of
    parameters that are never sent, separated by commas. `extra_body`: a JSON object that is sent
    along. `instruction`: what an encoder is told to represent.
    """

    clip_as: str = PICTURES
    left_out: str = ""
    extra_body: str = ""
    instruction: str = ""

    @property
    def names_left_out(self) -> list[str]:
        return [name for name in self.left_out.replace(",", " ").split() if name]

    @property
    def body(self) -> dict[str, Any]:
        return dict(json.loads(self.extra_body)) if self.extra_body else {}


def load(settings: ModelSettings) -> ChatModel:
    """Raises BackendError if there is no such server. Sends nothing."""
    options = Options(**settings.parameters)
    own = server(options.server)
    options = replace(options, parallel=min(options.parallel, own.parallel))
    return ChatModel(own, settings.model_id, options)


class ChatModel:
    """A Captioner, TextModel, DualEncoder and ComposedEncoder, as far as its server is. Requests of
    a batch are sent at once, `parallel` at a time.
    """

    def __init__(self, server: ModelServer, model_id: str, options: Options) -> None:
        self.server = server
        self.model_id = model_id
        self.options = options
        self.retries = Retries(options.tries)
        self._dialect = StoredDialect(server, model_id)
        self._has_answered = False
        self._refusals: Counter[str] = Counter()
        self._client = openai.OpenAI(
            base_url=server.url,
            # The HTTP client sets the server's own key, or none. If this were empty, the client
            # would send the key of the environment, which belongs to another server.
            api_key="set by the HTTP client",
            max_retries=0,
            http_client=http_client(server, timeout=options.timeout, parallel=options.parallel),
        )
        self._vectors = ServedVectors(
            self._client,
            server,
            {"model": model_id, **options.body},
            instruction=options.instruction,
            parallel=options.parallel,
            parts_of=self._parts,
        )

    def caption(
        self, requests: Sequence[CaptionRequest], generation: Generation
    ) -> list[str | BackendError]:
        def caption_request(request: CaptionRequest, search: DialectSearch) -> str | BackendError:
            try:
                content = [*self._parts(request.clip), {"type": "text", "text": request.prompt}]
            except BackendError as error:
                return error.with_traceback(None)
            return self._ask(_messages(request.system, content), generation, search)

        return self._ask_all(requests, caption_request)

    def complete(
        self, prompts: Sequence[str], generation: Generation, *, system: str = ""
    ) -> list[str | BackendError]:
        def complete_prompt(prompt: str, search: DialectSearch) -> str | BackendError:
            if generation.json_schema is not None:
                return self._ask_json(prompt, generation, generation.json_schema, system, search)
            return self._ask(_messages(system, prompt), generation, search)

        return self._ask_all(prompts, complete_prompt)

    def encode_texts(self, texts: Sequence[str]) -> list[Vectors | BackendError]:
        return self._vectors.encode_texts(texts, self.retries)

    def encode_clips(self, clips: Sequence[ClipFrames]) -> list[Vectors | BackendError]:
        return self._vectors.encode_clips(clips, self.retries)

    def encode_composed(self, queries: Sequence[ComposedQuery]) -> list[Vectors | BackendError]:
        return self._vectors.encode_composed(queries, self.retries)

    def encode_frames(self, clip: ClipFrames) -> Vectors:
        frames = [
            replace(clip, frames=clip.frames[place : place + 1], numbers=(number,))
            for place, number in enumerate(clip.numbers)
        ]
        vectors = self.encode_clips(frames)
        if error := next((vector for vector in vectors if isinstance(vector, BackendError)), None):
            raise error
        return np.stack([vector for vector in vectors if not isinstance(vector, BackendError)])

    def _parts(self, clip: ClipFrames) -> list[dict[str, Any]]:
        options = self.options
        return list(
            clip_parts(
                clip,
                options.clip_as,
                max_frames=options.max_frames,
                longest_side=options.longest_side,
            )
        )

    def _ask_all(
        self,
        requests: Sequence[Request],
        ask: Callable[[Request, DialectSearch], str | BackendError],
    ) -> list[str | BackendError]:
        """Return the replies to a batch of requests, `parallel` at a time.

        The dialect is read and stored here, because the threads have no database.
        """
        search = DialectSearch(self._dialect, self.options.names_left_out)
        with ThreadPoolExecutor(self.options.parallel) as pool:
            replies = count_each(pool, lambda request: ask(request, search), requests)
        search.keep()
        return [self._refused_always(reply) for reply in self._counted(replies)]

    def _counted(self, replies: list[str | BackendError]) -> list[str | BackendError]:
        for reply in replies:
            if not isinstance(reply, BackendError):
                self._has_answered = True
            elif reply.code == "refused":
                self._refusals[str(reply)] += 1
        return replies

    def _refused_always(self, reply: str | BackendError) -> str | BackendError:
        """Return a refusal in words that only refusals had so far as one of every request."""
        if isinstance(reply, str) or reply.code != "refused" or self._has_answered:
            return reply
        is_always = self._refusals[str(reply)] >= SAME_REFUSALS
        return BackendError("refused_always", str(reply)) if is_always else reply

    def _ask_json(
        self,
        prompt: str,
        generation: Generation,
        schema: Mapping[str, Any],
        system: str,
        search: DialectSearch,
    ) -> str | BackendError:
        """Return the reply in the strictest format that the server accepts."""
        for reply_format in search.formats():
            instruction = reply_formats.instruction(reply_format, schema, system, prompt)
            request = f"{prompt}\n\n{instruction}" if instruction else prompt
            answer = self._ask(_messages(system, request), generation, search, reply_format)
            if isinstance(answer, Reply):
                search.accept(reply_format)
                enforced = reply_format == "json_schema"
                text = answer if enforced else reply_formats.unwrapped(answer, schema)
                return Reply(
                    text,
                    reasoning=answer.reasoning,
                    reply_format=reply_format,
                    left_out=answer.left_out,
                )
            if answer.code != FORMAT_REFUSED:
                return answer
        return answer

    def _ask(
        self,
        messages: list[dict[str, Any]],
        generation: Generation,
        search: DialectSearch,
        reply_format: ReplyFormat = "text",
    ) -> Reply | BackendError:
        """Return the answer, or the error of the last attempt."""

        def attempt() -> tuple[Reply | BackendError, Mapping[str, str]]:
            while True:
                dialect = search.current
                answer, refusal = self._try(messages, generation, dialect, reply_format)
                if isinstance(answer, Reply):
                    search.accept()
                if not refusal or not search.learn(dialect, refusal.status_code, refusal.body):
                    break
            return answer, refusal.response.headers if refusal else NO_HEADERS

        return self.retries.until_final(attempt)

    def _try(
        self,
        messages: list[Any],
        generation: Generation,
        dialect: Dialect,
        reply_format: ReplyFormat,
    ) -> tuple[Reply | BackendError, openai.APIStatusError | None]:
        """Return the answer or the error, and the server's refusal, if it was one."""
        try:
            reply = self._client.chat.completions.with_raw_response.create(
                model=self.model_id,
                messages=messages,
                response_format=_response_format(generation, reply_format),
                extra_body=_drawing(generation, dialect) | self.options.body,
            )
            note_reply(reply.content, self.server, self.model_id, pictures_in(messages))
            return model_replies.reply_of(reply.content, self.server, dialect.left_out), None
        except BackendError as error:
            # Keep the error, but not the frames that its traceback references.
            return error.with_traceback(None), None
        except openai.APIStatusError as error:
            failure = model_replies.failure(error, self.server)
            is_format = reply_formats.refuses_format(error.status_code, error.body, failure)
            if reply_format != "text" and is_format:
                failure = BackendError(FORMAT_REFUSED, str(failure))
                return failure, None
            return failure, error
        except (openai.OpenAIError, httpx2.HTTPError) as error:
            return model_replies.failure(error, self.server), None


def _messages(system: str, content: str | list[dict[str, Any]]) -> list[dict[str, Any]]:
    question = {"role": "user", "content": content}
    return [{"role": "system", "content": system}, question] if system else [question]


def _drawing(generation: Generation, dialect: Dialect) -> dict[str, Any]:
    """Return how the text is drawn and limited, in the server's dialect."""
    parameters: dict[str, Any] = {
        "temperature": generation.temperature,
        "top_p": generation.top_p,
        "seed": generation.seed,
    }
    if generation.repetition_penalty != 1.0:  # only vLLM and SGLang know it
        parameters["repetition_penalty"] = generation.repetition_penalty
    sent = {name: value for name, value in parameters.items() if name not in dialect.left_out}
    return {dialect.limit: generation.max_tokens, **sent}


def _response_format(generation: Generation, reply_format: ReplyFormat) -> Any:
    """Return the format; `openai.omit`, which leaves the field out, if any text is allowed."""
    if generation.json_schema is None:
        return openai.omit
    return reply_formats.parameter(reply_format, generation.json_schema) or openai.omit

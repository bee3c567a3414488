"""Models on a server with OpenAI's chat completions API: vLLM, SGLang or a hosted service."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import httpx2
import openai
from PIL import Image

from inference.backends import model_replies, reply_formats
from inference.backends.format_memory import StoredFormats
from inference.backends.model_http import http_client
from inference.backends.protocols import (
    BackendError,
    CaptionRequest,
    ClipFrames,
    Frames,
    Generation,
    ModelSettings,
)
from inference.backends.reply_formats import FormatSearch, JsonReply, ReplyFormat
from inference.backends.retries import Retries
from inference.backends.servers import ModelServer, server

JPEG_QUALITY = 85
FORMAT_REFUSED = "format_refused"


@dataclass(frozen=True)
class Options:
    """The parameters of a model of this backend.

    `parallel`: requests at once. `tries`: attempts per request. `timeout`: seconds until a reply
    begins, and again until it ends. `longest_side`: pixels of a sent frame, never enlarged.
    `max_frames`: frames sent per clip, evenly spread.
    """

    server: str
    parallel: int = 8
    tries: int = 4
    timeout: float = 120.0
    longest_side: int = 768
    max_frames: int = 64


def load(settings: ModelSettings) -> ChatModel:
    """Raises BackendError if the environment has no such server. Sends nothing."""
    options = Options(**settings.parameters)
    return ChatModel(server(options.server), settings.model_id, options)


def device_name(settings: ModelSettings) -> str:
    """Return the server's name as the device on which the model runs."""
    return f"Server {settings.parameters['server']}"


class ChatModel:
    """A Captioner and a TextModel. Requests of a batch are sent at once, `parallel` at a time."""

    def __init__(self, server: ModelServer, model_id: str, options: Options) -> None:
        self.server = server
        self.model_id = model_id
        self.options = options
        self.retries = Retries(options.tries)
        self._formats = StoredFormats(server, model_id)
        self._client = openai.OpenAI(
            base_url=server.url,
            # The HTTP client sets the server's own key, or none. If this were empty, the client
            # would send the key of the environment, which belongs to another server.
            api_key="set by the HTTP client",
            max_retries=0,
            http_client=http_client(server, timeout=options.timeout, parallel=options.parallel),
        )

    def caption(
        self, requests: Sequence[CaptionRequest], generation: Generation
    ) -> list[str | BackendError]:
        def caption_request(request: CaptionRequest) -> str | BackendError:
            content = [*self._pictures(request.clip), {"type": "text", "text": request.prompt}]
            return self._ask(_messages(request.system, content), generation)

        with ThreadPoolExecutor(self.options.parallel) as pool:
            return list(pool.map(caption_request, requests))

    def complete(
        self, prompts: Sequence[str], generation: Generation, *, system: str = ""
    ) -> list[str | BackendError]:
        if generation.json_schema is not None:
            return self._complete_as_json(prompts, generation, generation.json_schema, system)

        def complete_prompt(prompt: str) -> str | BackendError:
            return self._ask(_messages(system, prompt), generation)

        with ThreadPoolExecutor(self.options.parallel) as pool:
            return list(pool.map(complete_prompt, prompts))

    def _complete_as_json(
        self,
        prompts: Sequence[str],
        generation: Generation,
        schema: Mapping[str, Any],
        system: str,
    ) -> list[str | BackendError]:
        """Return the replies as JsonReply, each in the strictest format that the server accepts.

        The stored formats are read and written here, because the threads have no database.
        """
        search = FormatSearch(self._formats)

        def complete_one(prompt: str) -> str | BackendError:
            for reply_format in search.candidates():
                instruction = reply_formats.instruction(reply_format, schema, system, prompt)
                request = f"{prompt}\n\n{instruction}" if instruction else prompt
                answer = self._ask(_messages(system, request), generation, reply_format)
                if isinstance(answer, str):
                    search.accept(reply_format)
                    enforced = reply_format == "json_schema"
                    text = answer if enforced else reply_formats.unwrapped(answer, schema)
                    return JsonReply(text, reply_format)
                if answer.code != FORMAT_REFUSED:
                    return answer
            return answer

        with ThreadPoolExecutor(self.options.parallel) as pool:
            replies = list(pool.map(complete_one, prompts))
        search.keep()
        return replies

    def _ask(
        self,
        messages: list[dict[str, Any]],
        generation: Generation,
        reply_format: ReplyFormat = "text",
    ) -> str | BackendError:
        """Return the text, or the error of the last attempt."""
        failed = 0
        while True:
            answer, retry_after = self._try(messages, generation, reply_format)
            failed += 1
            if isinstance(answer, str) or not answer.transient or failed >= self.retries.tries:
                return answer
            self.retries.pause(failed, retry_after)

    def _try(
        self, messages: list[Any], generation: Generation, reply_format: ReplyFormat
    ) -> tuple[str | BackendError, str]:
        """Return the text or the error, and the reply's Retry-After."""
        try:
            reply = self._client.chat.completions.with_raw_response.create(
                model=self.model_id,
                messages=messages,
                temperature=generation.temperature,
                top_p=generation.top_p,
                max_tokens=generation.max_tokens,
                seed=generation.seed,
                response_format=_response_format(generation, reply_format),
                extra_body=_beyond_openai(generation),
            )
            return model_replies.text_of(reply.content, self.server), ""
        except BackendError as error:
            # Keep the error, but not the frames that its traceback references.
            return error.with_traceback(None), ""
        except openai.APIStatusError as error:
            retry_after = error.response.headers.get("Retry-After", "")
            failure = model_replies.failure(error, self.server)
            is_format = reply_formats.refuses_format(error.status_code, error.body, failure)
            if reply_format != "text" and is_format:
                failure = BackendError(FORMAT_REFUSED, str(failure))
            return failure, retry_after
        except (openai.OpenAIError, httpx2.HTTPError) as error:
            return model_replies.failure(error, self.server), ""

    def _pictures(self, clip: ClipFrames) -> Iterable[dict[str, Any]]:
        for frame in clip.frames[_evenly(len(clip.frames), self.options.max_frames)]:
            url = _data_url(frame, self.options.longest_side)
            yield {"type": "image_url", "image_url": {"url": url}}


def _messages(system: str, content: str | list[dict[str, Any]]) -> list[dict[str, Any]]:
    question = {"role": "user", "content": content}
    return [{"role": "system", "content": system}, question] if system else [question]


def _beyond_openai(generation: Generation) -> Mapping[str, float] | None:
    """Return parameters of vLLM and SGLang that a hosted service may refuse, if they are set."""
    if generation.repetition_penalty == 1.0:
        return None
    return {"repetition_penalty": generation.repetition_penalty}


def _response_format(generation: Generation, reply_format: ReplyFormat) -> Any:
    """Return the format; `openai.omit`, which leaves the field out, if any text is allowed."""
    if generation.json_schema is None:
        return openai.omit
    return reply_formats.parameter(reply_format, generation.json_schema) or openai.omit


def _evenly(frames: int, most: int) -> list[int]:
    """Return the middles of `most` equal parts, or every frame if there are fewer."""
    count = min(frames, most)
    return [(2 * part + 1) * frames // (2 * count) for part in range(count)]


def _data_url(frame: Frames, longest_side: int) -> str:
    picture = Image.fromarray(frame)
    picture.thumbnail((longest_side, longest_side))
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=JPEG_QUALITY)
    return "data:image/jpeg;base64," + base64.b64encode(file.getvalue()).decode()

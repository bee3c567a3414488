"""Parse a model server's reply into a text, or into the BackendError that says what is wrong."""

from __future__ import annotations

import json
from typing import Any

import httpx2
import openai

from inference.backends.protocols import BackendError
from inference.backends.replies import Reply, answer_in
from inference.backends.servers import ModelServer

MAX_QUOTED = 300
PASSING = {500, 502, 503, 504, 529}
NO_CREDIT = "insufficient_quota"


def reply_of(body: bytes, server: ModelServer, left_out: tuple[str, ...] = ()) -> Reply:
    """Return the answer of a chat completion apart from its reasoning; raises BackendError."""
    reply = _parsed(body, server)
    match reply:
        case {"error": error} if error:
            raise BackendError(
                "server_error",
                f"{server.name} reports an error instead of a text{_said(error, server)} See the "
                "server's own log.",
            )
        case {"choices": [{"finish_reason": "length"}, *_]}:
            raise BackendError(
                "cut_off",
                f"{server.name} cut off the text at max tokens. Raise max tokens, which a model "
                "that thinks also uses for its reasoning.",
            )
        case {"choices": [{"finish_reason": "content_filter"}, *_]}:
            raise BackendError(
                "filtered",
                f"{server.name} blocked the text by its content filter. Use another model for "
                "this clip, or write the caption by hand.",
            )
        case {"choices": [{"message": {"content": None | str() | list()} as message}, *_]}:
            text, reasoning = _parts_of(message)
            if not text.strip() and not reasoning.strip():
                raise BackendError(
                    "empty",
                    f"{server.name} answered without a text{_said(message.get('refusal'), server)} "
                    "Try another prompt or another model.",
                )
            answer = answer_in(_storable(text, server), _storable(reasoning, server))
            return Reply(answer, reasoning=answer.reasoning, left_out=left_out)
    raise BackendError(
        "wrong_shape",
        f"{server.name} sent JSON that is not a chat completion. Check that the server's URL ends "
        "where /chat/completions begins, usually in /v1.",
    )


def _parts_of(message: dict[str, Any]) -> tuple[str, str]:
    """Return the text of a message and the reasoning beside it: in a field of its own, as of vLLM
    and DeepSeek, or as a part of the content, as of Mistral.
    """
    content = message.get("content") or ""
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
    texts = [part for part in parts if isinstance(part, dict)]
    answer = [str(part.get("text", "")) for part in texts if part.get("type") == "text"]
    beside = [message.get(field) for field in ("reasoning_content", "reasoning")]
    thinking = [part.get("thinking") for part in texts if part.get("type") == "thinking"]
    return "".join(answer), "\n\n".join(
        text if isinstance(text, str) else json.dumps(text, ensure_ascii=False)
        for text in [*beside, *thinking]
        if text
    )


def failure(error: openai.OpenAIError | httpx2.HTTPError, server: ModelServer) -> BackendError:
    """Return the client's error as a BackendError, without any content of the request."""
    if isinstance(error, openai.APIStatusError):
        return refusal(error.status_code, error.code, error.body, server)
    cause = error.__cause__ if isinstance(error, openai.APIConnectionError) else error
    if isinstance(cause, httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.ProxyError):
        return BackendError(
            "unreachable",
            f"{server.name} can't be reached{_said(str(cause), server)} Start it, or fix its URL "
            f"{server.how_to_change}.",
            transient=True,
        )
    if isinstance(cause, httpx2.TimeoutException):
        return BackendError(
            "timeout",
            f"{server.name} didn't answer in time. Raise the model's timeout, or lower parallel, "
            "if the server is only busy.",
            transient=True,
        )
    return BackendError(
        "broken_off",
        f"{server.name} broke off its reply{_said(str(cause), server)} See the server's own log.",
        transient=True,
    )


def refusal(status: int, code: str | None, reason: object, server: ModelServer) -> BackendError:
    """Return the error for a refusal of HTTP `status` with the server's own `code` and reason."""
    name, reply = server.name, _said(reason, server)
    if status == 402 or code == NO_CREDIT:
        return BackendError(
            "no_credit", f"{name} has no credit left{reply} Add some to the account, then retry."
        )
    if status == 429:
        return BackendError(
            "busy", f"{name} has too many requests{reply} Lower parallel.", transient=True
        )
    if status in PASSING:
        return BackendError(
            "server_failed",
            f"{name} failed with status {status}{reply} See the server's own log.",
            transient=True,
        )
    if status in {401, 403}:
        return BackendError(
            "key_refused",
            f"{name} refuses the key (status {status}){reply} {server.how_to_set_key}",
        )
    if status == 404:
        return BackendError(
            "not_found",
            f"{name} doesn’t know this model or address{reply} Check the model's id, and that the "
            "server's URL ends where /chat/completions begins, usually in /v1.",
        )
    if status == 413:
        return BackendError(
            "too_much",
            f"{name} finds the request too large{reply} Lower the number of frames or their "
            "longest side.",
        )
    if 300 <= status < 400:
        return BackendError(
            "moved",
            f"{name} sends requests to another address, which is not followed. Put the final "
            f"address {server.how_to_change}.",
        )
    return BackendError(
        "refused",
        f"{name} refuses the request (status {status}){reply} Change what it complains about in "
        "the model, the prompt or the number of frames.",
    )


def _parsed(body: bytes, server: ModelServer) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        pass
    if body.lstrip()[:1] in {b"{", b"["}:
        raise BackendError(
            "broken_json",
            f"{server.name} sent JSON that breaks off or can't be read. See the server's own log.",
            transient=True,
        )
    raise BackendError(
        "not_json",
        f"{server.name} sent a page or a text instead of JSON. Check that the server's URL is "
        "that of a model server, and usually ends in /v1.",
    )


def _storable(text: str, server: ModelServer) -> str:
    """Remove NUL and lone surrogates, which JSON allows but databases refuse."""
    if any(character == "\0" or "\ud800" <= character <= "\udfff" for character in text):
        raise BackendError(
            "not_text",
            f"{server.name} sent characters that are not text. Lower the temperature, or use "
            "another model.",
        )
    return text


def _said(reason: object, server: ModelServer) -> str:
    """Return `reason` as the end of a sentence: ': "its words".', ': "Its words."', or '.' if it
    is empty.

    Some servers repeat the key that they refuse, so it is removed before the text is cut.
    """
    if isinstance(reason, dict):
        reason = reason.get("message") or reason.get("detail")
    if not isinstance(reason, str) or reason.lstrip().startswith("<"):
        return "."
    words = reason.replace(server.key, "***") if server.key else reason
    words = " ".join(
        "".join(c if c.isprintable() else " " for c in words[: 4 * MAX_QUOTED]).split()
    )
    if not words:
        return "."
    words = words if len(words) <= MAX_QUOTED else f"{words[:MAX_QUOTED]}..."
    return f': "{words}"' if words.endswith((".", "!", "?")) else f': "{words}".'

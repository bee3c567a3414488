"""The formats for requesting JSON from a server, and reading replies that no format enforced.

vLLM and SGLang enforce a JSON schema. Some hosted services refuse a schema and accept
`json_object`; others accept neither. A request starts with the strictest format and tries the next
one only if the server refuses the format itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from jsonschema import Draft202012Validator

from inference.backends.protocols import BackendError

ReplyFormat = Literal["json_schema", "json_object", "text"]

FORMATS: tuple[ReplyFormat, ...] = ("json_schema", "json_object", "text")
REFUSING = {400, 422}
# Words in a server's refusal of the format. A refusal for another reason, such as a long prompt,
# has none of them, and a caption is unlikely to contain them.
_ABOUT_FORMAT = re.compile(
    r"response[_ ]?format|json[_ ]?schema|json[_ ]?object|json[_ ]mode|structured[_ ]output"
    r"|guided[_ ](json|decoding)",
    re.IGNORECASE,
)
_MAX_STARTS = 1000


def refuses_format(status: int, body: object, failure: BackendError) -> bool:
    """Return whether a server refused the format of the reply, and nothing else.

    `body` is the refusal as the client read it. A refusal without any reason may be about the
    format, so the next one is tried.
    """
    if status not in REFUSING or failure.code != "refused":
        return False
    reason = json.dumps(body, default=str) if body else ""
    return bool(_ABOUT_FORMAT.search(reason)) or not re.search(r"[A-Za-z]{2}", _words_of(body))


def parameter(reply_format: ReplyFormat, schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the `response_format` parameter; None if it is left out."""
    if reply_format == "json_schema":
        described = {"name": "reply", "strict": True, "schema": schema}
        return {"type": "json_schema", "json_schema": described}
    return {"type": "json_object"} if reply_format == "json_object" else None


def instruction(reply_format: ReplyFormat, schema: Mapping[str, Any], *asked: str) -> str:
    """Return the text to add to the prompt; empty if it already asks for JSON.

    Services that take `json_object` refuse a request whose messages don't mention JSON.
    """
    if reply_format == "json_schema" or any("json" in text.lower() for text in asked):
        return ""
    return f"Answer with one JSON object and nothing else. Its JSON schema: {json.dumps(schema)}"


def unwrapped(reply: str, schema: Mapping[str, Any]) -> str:
    """Return the JSON object in a reply that may contain prose, a code fence or reasoning.

    This is the last object that fits the schema, or else the last object, so that an error can be
    reported, or else the whole reply.
    """
    objects = list(_objects(reply))
    validator = Draft202012Validator(schema)
    fitting = [text for text, value in objects if validator.is_valid(value)]
    return (fitting or [text for text, _ in objects] or [reply])[-1]


def _objects(reply: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the outermost JSON objects of a text."""
    decoder = json.JSONDecoder()
    at = reply.find("{")
    for _ in range(_MAX_STARTS):
        if at < 0:
            return
        try:
            value, end = decoder.raw_decode(reply, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            yield reply[at:end], value
        at = reply.find("{", end)


def _words_of(body: object) -> str:
    if isinstance(body, Mapping):
        body = body.get("message") or body.get("detail") or ""
    return body if isinstance(body, str) else json.dumps(body, default=str) if body else ""

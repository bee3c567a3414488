"""What a server's replies say they have used, noted for the items whose requests they answer.

A note made in a thread of `count_each` belongs to the place of its request in the batch, and
`belonging_to` says which item has that place. Without a counter, notes are dropped.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from inference.backends.servers import ModelServer

Request = TypeVar("Request")
Answer = TypeVar("Answer")
MAX_TOKENS = 2**31 - 1


@dataclass(frozen=True)
class Usage:
    """What one request to a model on a server has used; tokens are None if the reply doesn't say.
    `tokens_out` has the tokens of the reasoning, too.
    """

    server: str
    model_id: str
    pictures: int = 0
    tokens_in: int | None = None
    tokens_out: int | None = None


Counter = Callable[[int, Usage], None]
_counter: ContextVar[Counter | None] = ContextVar("usage", default=None)


@contextmanager
def counting(counter: Counter) -> Iterator[None]:
    """Give each note, with the place of its request, to `counter`, which runs in this thread."""
    token = _counter.set(counter)
    try:
        yield
    finally:
        _counter.reset(token)


@contextmanager
def belonging_to(places: Sequence[int]) -> Iterator[None]:
    """Count request number n of each batch for place `places[n]`; with a single place, all."""
    outer = _counter.get()
    if outer is None:
        yield
        return
    with counting(lambda n, usage: outer(places[n if len(places) > 1 else 0], usage)):
        yield


def count_each(
    pool: Executor, ask: Callable[[Request], Answer], requests: Sequence[Request]
) -> list[Answer]:
    """Return the answers in order, asked in the pool's threads; count what each has used."""

    def ask_one(request: Request) -> tuple[Answer, list[Usage]]:
        used: list[Usage] = []
        with counting(lambda place, usage: used.append(usage)):
            return ask(request), used

    answers = list(pool.map(ask_one, requests))
    for place, (_, used) in enumerate(answers):
        for usage in used:
            note_usage(usage, place)
    return [answer for answer, _ in answers]


def note_usage(usage: Usage, place: int = 0) -> None:
    if counter := _counter.get():
        counter(place, usage)


def note_reply(body: bytes, server: ModelServer, model_id: str, pictures: int) -> None:
    """Note what a reply says in OpenAI's `usage`, and the pictures of its request.

    Gemini and Grok leave the reasoning out of completion_tokens but not out of total_tokens, and
    charge for it, so tokens out are at least the total without those of the prompt.
    """
    stated = _stated(body)
    tokens_in, out = _count(stated.get("prompt_tokens")), _count(stated.get("completion_tokens"))
    total = _count(stated.get("total_tokens"))
    usage = Usage(server.name, model_id, pictures)
    if tokens_in is not None and (out is not None or total is not None):
        out = max(out or 0, (total or 0) - tokens_in)
        usage = replace(usage, tokens_in=tokens_in, tokens_out=out)
    note_usage(usage)


def _stated(body: bytes) -> Mapping[str, Any]:
    try:
        stated = json.loads(body)["usage"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return {}
    return stated if isinstance(stated, dict) else {}


def _count(value: object) -> int | None:
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_TOKENS
    return value if isinstance(value, int) and is_count else None

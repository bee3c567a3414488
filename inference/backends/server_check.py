"""Ask a model server which models it lists, and what one of them understands."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Sequence

import httpx2
import numpy as np

from inference.backends import http_protocol, model_replies, openai_compatible
from inference.backends.clip_forms import BY_ADDRESS, CLIP_FORMS
from inference.backends.dialect_memory import StoredDialect
from inference.backends.model_http import http_client
from inference.backends.protocols import BackendError, CaptionRequest, ClipFrames, Generation
from inference.backends.replies import reasoning_of
from inference.backends.server_report import ServerReport, Sight
from inference.backends.servers import ModelServer, ServerOptions
from inference.backends.usage import Usage, counting
from inference.models import RegisteredServer

# In an order in which nobody lists colors who doesn't see them.
COLORS = {"blue": (0, 0, 255), "yellow": (255, 255, 0), "red": (255, 0, 0), "green": (0, 150, 0)}
FRAMES_PER_COLOR = 2
FRAMES_PER_SECOND = 2.0
SIDE = 256
QUESTION = (
    "Each color fills the picture for a while. Which colors are there, in the order in which they "
    "appear? Answer with their names alone, separated by commas."
)
MAX_TOKENS = 2048  # a model that thinks needs most of them
TIMEOUT = 60.0
MAX_MODELS = 500


def check_server(server: ModelServer, kind: str, model_id: str) -> ServerReport:
    """Return what the server does. `model_id`: the model to ask; "" asks the first that is listed.

    Sends at most seven requests, and waits up to TIMEOUT for each.
    """
    if kind == RegisteredServer.Kind.HTTP_PROTOCOL:
        return _check_protocol(server, model_id)
    models, problem = _listed(server)
    model_id = model_id or next(iter(models), "")
    if problem or not model_id:
        mend = "The server lists no models. Enter the id of one."
        return ServerReport(problem or mend, models)
    started = time.monotonic()
    model = _chat_model(server, model_id, CLIP_FORMS[0])
    [reply] = model.complete(["Say hello."], Generation(max_tokens=MAX_TOKENS))
    seconds = time.monotonic() - started
    embeds = not isinstance(model.encode_texts(["A dog runs."])[0], BackendError)
    if isinstance(reply, BackendError) and not _has_reasoned(reply):
        problem = "" if embeds else str(reply)
        return ServerReport(problem, models, model_id, embeds=embeds, seconds=seconds)
    dialect = StoredDialect(server, model_id).recall()
    sights = [
        _sight(_chat_model(server, model_id, form), form)
        for form in CLIP_FORMS
        if form != BY_ADDRESS  # a server on the internet can't read an address of this machine
    ]
    return ServerReport(
        models=models,
        model_id=model_id,
        writes=True,
        thinks=isinstance(reply, BackendError) or bool(reasoning_of(reply)),
        embeds=embeds,
        limit=dialect.limit if dialect else "max_tokens",
        left_out=dialect.left_out if dialect else (),
        sights=tuple(sights),
        seconds=seconds,
    )


def colors_in(answer: str) -> list[str]:
    """Return the colors that an answer names, in order; one named twice in a row counts once."""
    words = re.findall(r"[a-z]+", answer.lower())
    colors = [word for word in words if word in {*COLORS, "black", "white", "orange", "purple"}]
    return [color for place, color in enumerate(colors) if colors[place - 1 : place] != [color]]


def _chat_model(server: ModelServer, model_id: str, form: str) -> openai_compatible.ChatModel:
    options = openai_compatible.Options(server.name, 1, tries=1, timeout=TIMEOUT, clip_as=form)
    return openai_compatible.ChatModel(server, model_id, options)


def _sight(model: openai_compatible.ChatModel | http_protocol.ServedModel, form: str) -> Sight:
    used: list[Usage] = []
    with counting(lambda place, usage: used.append(usage)):
        [answer] = model.caption(
            [CaptionRequest(_clip(), QUESTION)], Generation(max_tokens=MAX_TOKENS)
        )
    tokens = used[-1].tokens_in if used else None
    is_understood = isinstance(answer, str) and colors_in(answer) == list(COLORS)
    return Sight(form, is_understood, " ".join(str(answer).split())[:300], tokens)


def _clip() -> ClipFrames:
    frames = np.stack(
        [
            np.full((SIDE, SIDE, 3), color, np.uint8)
            for color in COLORS.values()
            for _ in range(FRAMES_PER_COLOR)
        ]
    )
    return ClipFrames(frames, tuple(range(len(frames))), len(frames), FRAMES_PER_SECOND)


def _listed(server: ModelServer) -> tuple[tuple[str, ...], str]:
    """Return the ids that the server lists, and why it can't be asked; servers needn't list any."""
    try:
        with http_client(server, timeout=TIMEOUT, parallel=1) as client:
            response = client.get(f"{server.url}/models")
            content = response.read()
    except BackendError as error:
        return (), str(error)
    except httpx2.HTTPError as error:
        return (), str(model_replies.failure(error, server))
    if not response.is_success:
        refusal = model_replies.refusal(response.status_code, None, None, server)
        return (), str(refusal) if refusal.code == "key_refused" else ""
    return _ids(content), ""


def _ids(content: bytes) -> tuple[str, ...]:
    try:
        rows: Sequence[object] = json.loads(content)["data"]
        ids = [row["id"] for row in rows if isinstance(row, dict) and isinstance(row["id"], str)]
    except (ValueError, TypeError, KeyError, RecursionError):
        return ()
    return tuple(one_id[:200] for one_id in ids[:MAX_MODELS])


def _has_reasoned(error: BackendError) -> bool:
    return error.code in {"reasoning_alone", "cut_off"}


def _check_protocol(server: ModelServer, model_id: str) -> ServerReport:
    options = ServerOptions(server.name, parallel=1, tries=1, timeout=TIMEOUT)
    model = http_protocol.ServedModel(server, model_id, options)
    started = time.monotonic()
    try:
        does = model.health.get("does")
    except BackendError as error:
        return ServerReport(str(error))
    seconds = time.monotonic() - started
    calls = does if isinstance(does, list) else []
    sights = (_sight(model, CLIP_FORMS[0]),) if "describe" in calls else ()
    return ServerReport(
        model_id=model_id,
        writes="complete" in calls,
        embeds="embed" in calls,
        sights=sights,
        seconds=seconds,
    )

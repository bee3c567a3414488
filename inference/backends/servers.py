"""The OpenAI-compatible servers configured in the environment."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.conf import settings

from inference.backends.protocols import BackendError, ModelSettings


@dataclass(frozen=True)
class ModelServer:
    """`url` ends before /chat/completions; `key` is empty if the server needs none."""

    name: str
    url: str
    key: str = field(default="", repr=False)


@dataclass(frozen=True)
class ServerOptions:
    """The parameters of a model on a server.

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


def server_name(settings: ModelSettings) -> str:
    """Return the server's name as the device on which the model runs."""
    return f"Server {settings.parameters['server']}"


def names() -> list[str]:
    return sorted(settings.VERICAP_MODEL_SERVERS)


def server(name: str) -> ModelServer:
    """Raises BackendError if this deployment has no server of that name."""
    server = settings.VERICAP_MODEL_SERVERS.get(name)
    if server is None:
        raise BackendError(
            "unknown_server",
            f"There is no model server named {name!r} here, only: {', '.join(names()) or 'none'}. "
            "Choose another in the model, or add it to VERICAP_MODEL_SERVERS and restart the "
            "workers.",
        )
    return ModelServer(name, server["url"], server["key"].reveal())

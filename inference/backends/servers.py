"""The OpenAI-compatible servers configured in the environment."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.conf import settings

from inference.backends.protocols import BackendError


@dataclass(frozen=True)
class ModelServer:
    """`url` ends before /chat/completions; `key` is empty if the server needs none."""

    name: str
    url: str
    key: str = field(default="", repr=False)


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

"""The model servers: those of the environment, and those that superusers registered."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.conf import settings

from annotate.outgoing.addresses import Allowed
from inference.backends.protocols import BackendError, ModelSettings
from inference.backends.server_keys import decrypt
from inference.models import RegisteredServer, ServedModel

MAX_PARALLEL = 64
ON_PAGE = "on the page Model servers"


@dataclass(frozen=True)
class ModelServer:
    """`url` ends before /chat/completions; `key` is empty if the server needs none.

    Of a registered server: `other_urls` have the same models, and `parallel` limits the requests
    that a worker sends at once. People typed its addresses, so they pass the guard.
    """

    name: str
    url: str
    key: str = field(default="", repr=False)
    other_urls: tuple[str, ...] = field(default=(), repr=False)
    parallel: int = field(default=MAX_PARALLEL, repr=False)
    is_registered: bool = field(default=False, repr=False)

    @property
    def how_to_change(self) -> str:
        return ON_PAGE if self.is_registered else "in VERICAP_MODEL_SERVERS"

    @property
    def how_to_set_key(self) -> str:
        if self.is_registered:
            return f"Enter it again {ON_PAGE}."
        variable = f"VERICAP_MODEL_KEY_{self.name.upper().replace('-', '_')}"
        return f"Set {variable} and restart the workers."


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


def names(kind: str = "") -> list[str]:
    """Return the names of the servers in use here: those of the environment, and registered ones
    (of this kind).
    """
    rows = RegisteredServer.objects.filter(is_active=True)
    rows = rows.filter(kind=kind) if kind else rows
    return sorted({*settings.VERICAP_MODEL_SERVERS, *rows.values_list("name", flat=True)})


def model_ids(kind: str) -> list[tuple[str, str]]:
    """Return the models that superusers named, each with its server."""
    models = ServedModel.objects.filter(server__is_active=True, server__kind=kind)
    return list(models.order_by("model_id", "server").values_list("model_id", "server__name"))


def server(name: str) -> ModelServer:
    """Return the server; that of the environment, if a registered one has the same name. Raises
    BackendError if it is unknown or switched off, or its key can't be read.
    """
    if own := settings.VERICAP_MODEL_SERVERS.get(name):
        return ModelServer(name, own["url"], own["key"].reveal())
    row = RegisteredServer.objects.filter(name=name, is_active=True).first()
    if row is None:
        raise BackendError("unknown_server", no_such_server(name, names()))
    return registered(row)


def registered(row: RegisteredServer) -> ModelServer:
    """Raises BackendError if the key can't be read."""
    url, *others = row.urls.split()
    key = decrypt(row.encrypted_key, row.name)
    return ModelServer(row.name, url, key, tuple(others), row.parallel, is_registered=True)


def no_such_server(name: object, names: list[str]) -> str:
    return (
        f"There is no model server named {name or '(empty)'!r} here, only: "
        f"{', '.join(names) or 'none'}. Choose another in the model, or ask a superuser to add it "
        f"{ON_PAGE}."
    )


def allowed_hosts() -> Allowed:
    """Return the hosts that a registered server may have besides public ones."""
    own, shared = settings.VERICAP_MODEL_HOSTS, settings.VERICAP_OUTGOING_ALLOWED
    return {
        "names": own["names"] | shared["names"],
        "networks": (*own["networks"], *shared["networks"]),
    }

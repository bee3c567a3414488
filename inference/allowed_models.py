"""Which models the person who runs this site allows to be loaded."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings

from inference.backends import servers
from inference.backends.clip_forms import BY_ADDRESS
from inference.errors import InferenceError
from inference.registry import BACKENDS, ON_SERVERS, Backend, backend_info


def refuse_unlisted(backend: str, model_id: str, parameters: Mapping[str, Any]) -> None:
    """Raise InferenceError unless the site's settings allow this model to be loaded."""
    own = backend_info(backend)
    if backend == Backend.ELSEWHERE:
        return  # loads nothing
    if backend not in BACKENDS:
        raise InferenceError(f"{backend} can't be loaded. {own.says}")
    if backend in ON_SERVERS:
        if not model_id:
            raise InferenceError("The model has no id. Give the name it has on the server.")
        names = servers.names(backend)
        if parameters.get("server") not in names:
            raise InferenceError(servers.no_such_server(parameters.get("server"), names))
        if parameters.get("clip_as") == BY_ADDRESS and is_loopback(settings.VERICAP_SITE):
            raise InferenceError(
                f"Model servers can't read clips at {settings.VERICAP_SITE}. Choose another form "
                "of the clip, or ask the person who runs this site to set VERICAP_SITE to its "
                "public address."
            )
    elif own.needs_id:
        if not model_id:
            raise InferenceError(
                "The model has no id. Give one such as openai/clip-vit-base-patch32."
            )
        adapter = str(parameters.get("adapter") or "").partition("@")[0]
        for name in filter(None, (model_id, adapter)):
            _refuse_unlisted_id(name)
    elif model_id:
        raise InferenceError(f"{own.label} has no model id. Leave it empty.")


def is_loopback(address: str) -> bool:
    """Return whether only this machine reaches the address."""
    host = urlsplit(address).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _refuse_unlisted_id(name: str) -> None:
    allowed = settings.VERICAP_ALLOWED_MODELS
    if not any(fnmatchcase(name, pattern) for pattern in allowed):
        raise InferenceError(
            f"{name} is not on the list of models that may be loaded here. Ask the person "
            "who runs this site to add it to VERICAP_ALLOWED_MODELS."
        )

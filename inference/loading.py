"""Models in a worker's memory: each is loaded once per process, and the oldest is removed for a new
one.
"""

from __future__ import annotations

import importlib
import json
import logging
import time
from collections import OrderedDict
from threading import Lock
from typing import Any

from django.conf import settings

from inference.allowed_models import refuse_unlisted
from inference.backends.protocols import BackendError, ModelSettings
from inference.backends.servers import ModelServer, server
from inference.devices import MAX_NAME_LENGTH, processor_name
from inference.errors import InferenceError
from inference.registry import ON_SERVERS, backend_info
from inference.weights import hash_of_weights, store_weights_hash

log = logging.getLogger(__name__)
# By the model's settings and by its server, so that a changed address or key takes effect.
_loaded: OrderedDict[tuple[str, ModelServer | None], Any] = OrderedDict()
_lock = Lock()


def load_model(model: ModelSettings) -> Any:
    """Return the captioner, encoder or text model; raises BackendError if it can't be loaded."""
    stated = json.dumps([model.backend, model.model_id, model.revision, model.parameters],
                        sort_keys=True, default=dict)  # fmt: skip
    on_server = model.backend in ON_SERVERS
    with _lock:
        name = stated, server(model.parameters["server"]) if on_server else None
        if name in _loaded:
            _loaded.move_to_end(name)
            return _loaded[name]
        try:
            refuse_unlisted(model.backend, model.model_id, model.parameters)
        except InferenceError as error:
            raise BackendError("not_allowed", str(error)) from error
        while len(_loaded) >= settings.VERICAP_MODELS_IN_MEMORY:
            _loaded.popitem(last=False)
        started = time.monotonic()
        _loaded[name] = _module(model.backend).load(model)
        _note_weights(model)
        log.info("Loaded %s in %.1f s.", f"{model.backend} {model.model_id}".strip(),
                 time.monotonic() - started)  # fmt: skip
        return _loaded[name]


def _note_weights(model: ModelSettings) -> None:
    """Store the hash of the model's weights, if its backend says which files these are. A failure
    fails no run, because no result depends on it.
    """
    files_of = getattr(_module(model.backend), "weights_files", None)
    if files_of is None:
        return
    try:
        store_weights_hash(model, hash_of_weights(files_of(model)))
    except OSError as error:
        log.warning("The weights of %s can't be hashed: %s", model.model_id, error)


def device_of(model: ModelSettings) -> str:
    """Return the device on which the model runs: a GPU or processor by name, or the name of its
    server. Loads no model. Raises BackendError if the device is missing.
    """
    name_device = getattr(_module(model.backend), "device_name", None)
    name: str = name_device(model) if name_device else processor_name()
    return name[:MAX_NAME_LENGTH]


def batch_size_of(model: ModelSettings) -> int:
    """Return the batch size: the model's setting, its server's parallel requests, or two, so that
    one item is read while the other is processed.
    """
    parameters = model.parameters
    return int(parameters.get("batch_size") or parameters.get("parallel") or 2)


def forget_models() -> None:
    with _lock:
        _loaded.clear()


def _module(backend: str) -> Any:
    info = backend_info(backend)
    if not info.module:
        raise BackendError("not_installed", f"{backend} can't be loaded. {info.says}")
    try:
        return importlib.import_module(info.module)
    except ImportError as error:
        raise BackendError(
            "not_installed",
            f"This worker lacks a library that {info.label} needs ({error.name}). "
            "Install it with: pip install -r requirements-models.txt",
        ) from error

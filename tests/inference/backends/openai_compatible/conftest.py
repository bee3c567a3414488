"""A model on a loopback server."""

from __future__ import annotations

from dataclasses import replace

import pytest

from config.environment import Secret
from inference.backends import openai_compatible
from inference.backends.protocols import ModelSettings
from tests.inference.backends.loopback import KEY, NOON, running


@pytest.fixture
def loopback():
    with running() as server:
        yield server


@pytest.fixture
def pauses():
    """How long each pause between two tries would have been, in seconds."""
    return []


@pytest.fixture
def load(loopback, pauses, settings):
    """A model on the loopback server; its pauses are written down instead of slept."""
    settings.VERICAP_MODEL_SERVERS = {"loop": {"url": loopback.url, "key": Secret(KEY)}}

    def load(**parameters):
        parameters = {"server": "loop", **parameters}
        model = openai_compatible.load(ModelSettings("openai-compatible", "m", "", parameters))
        model.retries = replace(
            model.retries, sleep=pauses.append, jitter=lambda: 0.0, now=lambda: NOON
        )
        return model

    return load

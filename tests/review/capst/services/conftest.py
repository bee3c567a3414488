"""A model server that answers as told, a model on it, and captions to judge."""

import pytest

from config.environment import Secret
from inference.loading import forget_models
from tests.inference.backends.loopback import KEY, running
from tests.review.capst.capst_runs import (
    PREDICTION,
    described_clip,
    predictions,
    server_model,
    thinks,
)


@pytest.fixture
def server(settings):
    """A model server on this machine that answers as told."""
    with running() as loopback:
        loopback.answers = [thinks]
        settings.VERICAP_MODEL_SERVERS = {"here": {"url": loopback.url, "key": Secret(KEY)}}
        forget_models()
        yield loopback
        forget_models()


@pytest.fixture
def model(project, server):
    return server_model(project)


@pytest.fixture
def clip(project):
    return described_clip(project)


@pytest.fixture
def captions(project, clip):
    return predictions(project, "Model A", {clip: PREDICTION})

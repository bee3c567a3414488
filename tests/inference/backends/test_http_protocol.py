"""Models behind Vericap's own protocol, on the example server that people copy."""

from __future__ import annotations

import importlib.util
import json
import threading
from http.server import ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest
from jsonschema import Draft202012Validator

from config.environment import Secret
from inference.backends import http_protocol
from inference.backends.protocols import (
    BackendError,
    CaptionRequest,
    ClipFrames,
    Generation,
    ModelSettings,
)
from inference.backends.replies import reasoning_of
from tests.inference.backends.loopback import KEY, fails, running, sends_json

CLIENTS = Path(__file__).parents[3] / "clients"
SCHEMAS = json.loads((CLIENTS / "model_server.openapi.json").read_text())["components"]["schemas"]
CLIP = ClipFrames(np.zeros((3, 24, 48, 3), np.uint8), (0, 25, 50), 75, 25.0)
REQUESTS = {"/v1/describe": "Describe", "/v1/complete": "Complete", "/v1/embed": "Embed"}


def model_on(url, settings, **parameters):
    settings.VERICAP_MODEL_SERVERS = {"mine": {"url": url, "key": Secret(KEY)}}
    parameters = {"server": "mine", **parameters}
    return http_protocol.load(ModelSettings("http-protocol", "m", "", parameters))


@pytest.fixture
def example(settings):
    """A model on the example server of clients/."""
    spec = importlib.util.spec_from_file_location("model_server", CLIENTS / "model_server.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.Handler.log_message = lambda *arguments: None
    server = ThreadingHTTPServer(("127.0.0.1", 0), module.Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield model_on(f"http://127.0.0.1:{server.server_port}", settings)
    server.shutdown()
    thread.join()
    server.server_close()


def test_the_example_server_does_all_that_a_model_does(example):
    requests = [CaptionRequest(CLIP, "Describe.")] * 2
    assert example.caption(requests, Generation()) == ["3 pictures of a clip of 3.0 seconds."] * 2
    [reply] = example.complete(["Name a color."], Generation())
    assert (reply, reasoning_of(reply)) == ("NAME A COLOR.", "Capitals may be enough.")
    dog, same, cat = example.encode_texts(["a dog", "a dog", "a cat"])
    assert (dog == same).all()
    assert not (dog == cat).all()
    [whole] = example.encode_clips([CLIP])
    frames = example.encode_frames(CLIP)
    assert (dog.shape, whole.shape, frames.shape, example.dimension) == ((64,), (64,), (3, 64), 64)
    assert np.linalg.norm([dog, whole, *frames], axis=1) == pytest.approx(1)


def test_requests_are_what_the_description_says(settings):
    with running() as loopback:
        loopback.answers = [sends_json({"text": "A dog.", "vectors": [[1.0, 0.0]]})]
        model = model_on(loopback.url, settings)
        model.__dict__["health"] = {"does": ["embed"], "dimension": 2}
        model.caption([CaptionRequest(CLIP, "Describe.", "Be terse.")], Generation())
        model.complete(["Why?"], Generation(json_schema={"type": "object"}))
        model.encode_texts(["a dog"])
        model.encode_clips([CLIP])
        assert {received.path for received in loopback.received} == set(REQUESTS)
        for received in loopback.received:
            schema = {"components": {"schemas": SCHEMAS}, **SCHEMAS[REQUESTS[received.path]]}
            Draft202012Validator(schema).validate(received.body)
            assert received.headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize(
    ("answer", "code", "concerns_all"),
    [
        (fails(401, "No."), "key_refused", True),
        (fails(404), "not_found", True),
        (sends_json({"error": "Too dark."}, status=422), "refused", False),
        (sends_json({"txt": "A dog."}), "wrong_shape", False),
        (sends_json([1]), "wrong_shape", False),
        (sends_json({"text": " "}), "empty", False),
        (sends_json({"text": "<think>A dog?"}), "reasoning_alone", False),
    ],
)
def test_a_request_that_fails_says_why(settings, answer, code, concerns_all):
    with running() as loopback:
        loopback.answers = [answer]
        [error] = model_on(loopback.url, settings, tries=1).complete(["Why?"], Generation())
        assert isinstance(error, BackendError)
        assert (error.code, error.concerns_all) == (code, concerns_all)
        assert "Too dark." in str(error) or code != "refused"


@pytest.mark.parametrize("vectors", [[[1.0]], [[0.0, 0.0]], [["a", "b"]], [[1.0, 2.0]] * 2, 7])
def test_vectors_of_another_shape_are_refused(settings, vectors):
    with running() as loopback:
        loopback.answers = [sends_json({"vectors": vectors})]
        model = model_on(loopback.url, settings)
        model.__dict__["health"] = {"dimension": 2}
        [error] = model.encode_texts(["a dog"])
        assert error.code == "wrong_shape"

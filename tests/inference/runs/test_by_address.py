"""Clips that a model server reads at an address of this site."""

from __future__ import annotations

import io

import av
import pytest

from annotate.media.errors import MediaError
from config.environment import Secret
from inference.errors import InferenceError
from inference.loading import forget_models
from inference.runs import services
from tests.inference.backends.loopback import KEY, running
from tests.inference.cast import make_model, run_through, start_run

pytestmark = pytest.mark.django_db


@pytest.fixture
def loopback(settings):
    forget_models()  # a model of another test would ask that test's server
    settings.VERICAP_SITE = "https://vericap.example.org"
    with running() as server:
        settings.VERICAP_MODEL_SERVERS = {"loop": {"url": server.url, "key": Secret(KEY)}}
        yield server


@pytest.fixture
def model(project, loopback):
    parameters = {"server": "loop", "clip_as": "video by address"}
    return make_model(project, "openai-compatible", model_id="m", parameters=parameters)


def test_the_server_gets_the_address_of_the_clip_alone(project, model, clips, loopback, client):
    run = run_through(start_run(project=project, kind="caption", model=model))
    assert set(run.items.values_list("state", flat=True)) == {"done"}
    for received in loopback.received:
        [video, prompt] = received.body["messages"][-1]["content"]
        assert (video["type"], prompt["type"]) == ("video_url", "text")
        site, slash, path = video["video_url"]["url"].partition("/signed/")
        assert site == "https://vericap.example.org"
        content = b"".join(client.get(slash + path).streaming_content)
        with av.open(io.BytesIO(content)) as container:
            assert sum(1 for _ in container.decode(video=0)) == clips[0].frames


def test_a_clip_that_cannot_be_cut_fails_alone(project, model, clips, loopback, monkeypatch):
    def refuse(clip):
        raise MediaError("damaged", "The playback file has no frame 3.")

    monkeypatch.setattr("inference.kinds.pictures.cut_clip", refuse)
    run = run_through(start_run(project=project, kind="caption", model=model))
    assert set(run.items.values_list("code", flat=True)) == {"damaged"}
    assert not loopback.received


@pytest.mark.parametrize("site", ["http://127.0.0.1:8000", "http://localhost", "http://[::1]"])
def test_it_needs_an_address_that_a_server_can_reach(project, model, clips, settings, site):
    settings.VERICAP_SITE = site
    with pytest.raises(InferenceError, match="VERICAP_SITE"):
        services.start_run(project=project, kind="caption", model=model)

"""Models on a server: what a request holds and a good reply gives."""

from __future__ import annotations

import base64
import io
import json
import logging
import threading

import av
import numpy as np
import pytest
from PIL import Image

from config.environment import Secret
from inference.backends import clip_parts, model_http
from inference.backends.protocols import (
    BackendError,
    CaptionRequest,
    ClipFrames,
    Generation,
    ModelSettings,
)
from inference.backends.replies import reasoning_of
from inference.loading import forget_models, load_model
from inference.registry import BACKENDS, Backend, checked_parameters
from tests.inference.backends.loopback import KEY, fails, says, sends, sends_json

pytestmark = pytest.mark.django_db

GREEDY = Generation()


def clip_of(frames: int, height: int = 24, width: int = 48) -> ClipFrames:
    """Frames of one color each, the n-th of red n."""
    pictures = np.zeros((frames, height, width, 3), np.uint8)
    pictures[..., 0] = np.arange(frames)[:, None, None]
    return ClipFrames(pictures, tuple(range(frames)), frames, 25.0)


def pictures_in(received) -> list[Image.Image]:
    urls = [part["image_url"]["url"] for part in received.body["messages"][-1]["content"][:-1]]
    start = "data:image/jpeg;base64,"
    assert [url[: len(start)] for url in urls] == [start] * len(urls)
    return [Image.open(io.BytesIO(base64.b64decode(url[len(start) :]))) for url in urls]


def test_it_completes_a_text(load, loopback):
    loopback.answers = [says("  A dog runs.\n")]
    assert load().complete(["What is it?"], GREEDY) == ["A dog runs."]


def test_a_request_says_what_is_asked_and_how_to_draw(load, loopback):
    generation = Generation(temperature=0.9, top_p=0.8, max_tokens=77, seed=5)
    load().complete(["What is it?"], generation, system="You are terse.")
    [received] = loopback.received
    assert received.path == "/v1/chat/completions"
    assert received.body == {
        "model": "m",
        "messages": [
            {"role": "system", "content": "You are terse."},
            {"role": "user", "content": "What is it?"},
        ],
        "temperature": 0.9,
        "top_p": 0.8,
        "max_tokens": 77,
        "seed": 5,
    }


def test_a_repetition_penalty_is_sent_where_one_is_set(load, loopback):
    load().complete(["What is it?"], Generation(repetition_penalty=1.05))
    assert loopback.received[0].body["repetition_penalty"] == 1.05


def test_a_json_schema_is_sent_where_one_is_asked_for(load, loopback):
    schema = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
    load().complete(["What is it?"], Generation(json_schema=schema))
    assert loopback.received[0].body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "reply", "strict": True, "schema": schema},
    }


def test_a_clip_is_sent_as_its_frames_before_the_prompt(load, loopback):
    request = CaptionRequest(clip_of(3), "Describe the clip.")
    assert load().caption([request], GREEDY) == ["A dog runs."]
    [received] = loopback.received
    assert len(received.body["messages"]) == 1
    assert received.body["messages"][0]["content"][-1] == {
        "type": "text",
        "text": "Describe the clip.",
    }
    assert [(p.format, p.size) for p in pictures_in(received)] == [("JPEG", (48, 24))] * 3


def test_large_frames_are_made_smaller_and_never_larger(load, loopback):
    model = load(longest_side=64)
    for clip in (clip_of(1, height=200, width=100), clip_of(1, height=20, width=40)):
        model.caption([CaptionRequest(clip, "Describe.")], GREEDY)
    assert [pictures_in(received)[0].size for received in loopback.received] == [(32, 64), (40, 20)]


def test_of_many_frames_it_sends_the_middles_of_equal_parts(load, loopback):
    load(max_frames=4).caption([CaptionRequest(clip_of(200), "Describe.")], GREEDY)
    reds = [
        int(np.asarray(p.convert("RGB"))[..., 0].mean()) for p in pictures_in(loopback.received[0])
    ]
    assert np.abs(np.array(reds) - [25, 75, 125, 175]).max() <= 3


def test_pictures_can_follow_their_times(load, loopback):
    clip = ClipFrames(clip_of(3).frames, (0, 10, 40), 50, 25.0)
    load(clip_as="timed pictures").caption([CaptionRequest(clip, "Describe.")], GREEDY)
    parts = loopback.received[0].body["messages"][-1]["content"]
    assert [part["type"] for part in parts] == [*["text", "image_url"] * 3, "text"]
    times = [part["text"] for part in parts[:-1] if part["type"] == "text"]
    assert times == ["<0.0 seconds>", "<0.4 seconds>", "<1.6 seconds>"]


def test_a_clip_can_be_sent_as_a_video_with_its_pace(load, loopback):
    clip = ClipFrames(clip_of(5, height=25, width=49).frames, (0, 25, 50, 75, 100), 101, 25.0)
    load(clip_as="video").caption([CaptionRequest(clip, "Describe.")], GREEDY)
    [video, prompt] = loopback.received[0].body["messages"][-1]["content"]
    assert (video["type"], prompt["text"]) == ("video_url", "Describe.")
    kind, content = video["video_url"]["url"].split(";base64,")
    assert kind == "data:video/mp4"
    with av.open(io.BytesIO(base64.b64decode(content))) as container:
        [stream] = container.streams
        frames = list(container.decode(stream))
        assert (stream.codec_context.name, stream.average_rate) == ("h264", 1)
    assert [(frame.width, frame.height, frame.time) for frame in frames] == [
        (48, 24, second) for second in range(5)
    ]


def test_a_model_offers_the_forms_that_its_backend_knows():
    parameters = {each.name: each for each in BACKENDS[Backend.OPENAI_COMPATIBLE].parameters}
    assert parameters["clip_as"].choices == clip_parts.CLIP_FORMS


def test_a_video_that_is_too_large_fails_alone(load, loopback, monkeypatch):
    monkeypatch.setattr(clip_parts, "MAX_VIDEO_BYTES", 100)
    [error] = load(clip_as="video").caption([CaptionRequest(clip_of(2), "Describe.")], GREEDY)
    assert error.code == "too_much"
    assert loopback.received == []


def test_the_results_keep_the_order_of_the_requests(load, loopback):
    answered, others = [], threading.Event()

    def first_as_last(received, out):
        if received.prompt == "clip 0":
            others.wait(10)
        answered.append(received.prompt)
        says(f"of {received.prompt}")(received, out)
        if len(answered) == 19:
            others.set()

    loopback.answers = [first_as_last]
    requests = [CaptionRequest(clip_of(1), f"clip {number}") for number in range(20)]
    texts = load(parallel=4).caption(requests, GREEDY)
    assert texts == [f"of clip {number}" for number in range(20)]
    assert answered[-1] == "clip 0"


def test_as_many_requests_as_allowed_travel_side_by_side(load, loopback):
    under_way, most, three = set(), [], threading.Barrier(3, timeout=10)

    def meeting(received, out):
        under_way.add(received.prompt)
        three.wait()
        most.append(len(under_way))
        three.wait()
        under_way.remove(received.prompt)
        says("Done.")(received, out)

    loopback.answers = [meeting]
    results = load(parallel=3).complete([f"text {number}" for number in range(9)], GREEDY)
    assert results == ["Done."] * 9
    assert max(most) == 3


def test_a_failing_request_fails_alone(load, loopback):
    def refuse_one(received, out):
        answer = fails(400, "too long") if received.prompt == "clip 1" else says("Fine.")
        answer(received, out)

    loopback.answers = [refuse_one]
    requests = [CaptionRequest(clip_of(1), f"clip {number}") for number in range(3)]
    first, second, third = load().caption(requests, GREEDY)
    assert (first, second.code, third) == ("Fine.", "refused", "Fine.")


def test_no_request_needs_no_server(load, loopback):
    assert load().caption([], GREEDY) == []
    assert loopback.received == []


def test_the_key_goes_to_its_server_and_nowhere_else(load, loopback, caplog):
    caplog.set_level(logging.DEBUG)
    for name in ("openai", "httpx2", "httpcore2"):
        caplog.set_level(logging.DEBUG, logger=name)
    echo = fails(401, f"Incorrect API key provided: {KEY}. {'x' * 300}")
    answers = [echo, sends(KEY.encode(), status=400), fails(500, KEY), says("Fine.")]
    texts = []
    for answer in answers:
        loopback.answers = [answer]
        model = load(tries=1)
        [result] = model.complete(["What is it?"], GREEDY)
        texts += [str(result), repr(result), repr(model), repr(model.server), repr(vars(model))]
        if isinstance(result, BackendError):
            texts += [repr(result.__cause__), repr(result.__context__)]
    assert {r.headers["authorization"] for r in loopback.received} == {f"Bearer {KEY}"}
    assert KEY not in json.dumps([received.body for received in loopback.received])
    assert [text for text in texts if KEY in text] == []
    assert len(caplog.records) > 10
    assert KEY not in caplog.text


def test_the_keys_of_the_environment_stay_here(load, loopback, settings, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-somebody-else")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-somebody-else")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "project-of-somebody-else")
    monkeypatch.setenv(
        "OPENAI_CUSTOM_HEADERS", "X-Own: somebody-else\nAuthorization: somebody-else"
    )
    load().complete(["What is it?"], GREEDY)
    settings.VERICAP_MODEL_SERVERS = {"loop": {"url": loopback.url, "key": Secret("")}}
    load().complete(["What is it?"], GREEDY)
    with_key, without_key = loopback.received
    assert with_key.headers["authorization"] == f"Bearer {KEY}"
    assert set(with_key.headers) - set(without_key.headers) == {"authorization"}
    assert set(without_key.headers) <= model_http.HEADERS_SENT
    assert "somebody-else" not in f"{with_key}{without_key}"


def test_a_model_on_an_unknown_server_is_not_loaded(load):
    with pytest.raises(BackendError) as caught:
        load(server="vllm")
    assert caught.value.code == "unknown_server"


def test_a_registered_model_is_loaded_and_answers(load, loopback, settings):
    load()  # puts the server into the settings
    parameters = checked_parameters(Backend.OPENAI_COMPATIBLE, {"server": "loop"})
    forget_models()
    model = load_model(ModelSettings(Backend.OPENAI_COMPATIBLE, "m", "", parameters))
    assert model.complete(["What is it?"], GREEDY) == ["A dog runs."]
    forget_models()


def test_the_registered_defaults_are_the_backends_own(load):
    registered = checked_parameters(Backend.OPENAI_COMPATIBLE, {"server": "loop"})
    assert load(**registered).options == load().options


@pytest.mark.parametrize(
    "message",
    [
        {"content": "<think>A cat?</think>A dog runs."},
        {"content": "A dog runs.", "reasoning_content": "A cat?"},
        {"content": "A dog runs.", "reasoning": "A cat?"},
        {"content": [{"type": "thinking", "thinking": "A cat?"},
                     {"type": "text", "text": "A dog runs."}]},
    ],
)  # fmt: skip
def test_reasoning_never_becomes_the_answer(load, loopback, message):
    loopback.answers = [
        sends_json({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})
    ]
    [reply] = load().complete(["What is it?"], GREEDY)
    assert (reply, reasoning_of(reply)) == ("A dog runs.", "A cat?")

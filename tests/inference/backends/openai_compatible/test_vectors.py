"""Encoders on a server: what a request for a vector holds, and replies that have none."""

from __future__ import annotations

import numpy as np
import pytest

from inference.backends.protocols import BackendError, ClipFrames, ComposedQuery
from tests.inference.backends.loopback import fails, sends_json

pytestmark = pytest.mark.django_db

CLIP = ClipFrames(np.zeros((3, 24, 48, 3), np.uint8), (0, 25, 50), 75, 25.0)


def gives(*numbers):
    return sends_json({"data": [{"index": 0, "embedding": list(numbers)}]})


def test_a_text_is_the_input_and_its_vector_has_length_1(load, loopback):
    loopback.answers = [gives(3, 4)]
    vectors = load().encode_texts(["a dog", "a cat"])
    assert np.array(vectors) == pytest.approx(np.array([[0.6, 0.8]] * 2))
    assert {received.path for received in loopback.received} == {"/v1/embeddings"}
    bodies = sorted((received.body for received in loopback.received), key=lambda b: b["input"])
    assert bodies == [
        {"model": "m", "encoding_format": "float", "input": [text]} for text in ("a cat", "a dog")
    ]


def test_with_an_instruction_texts_and_clips_are_messages_of_one_shape(load, loopback):
    loopback.answers = [gives(1, 0)]
    model = load(instruction="Represent the user's input.", clip_as="timed pictures")
    model.encode_texts(["a dog"])
    model.encode_clips([CLIP])
    model.encode_composed([ComposedQuery(CLIP, "a cat")])
    (_, text), (system, clip), (same, query) = (
        received.body["messages"] for received in loopback.received
    )
    assert system == {"role": "system", "content": "Represent the user's input."}
    assert text == {"role": "user", "content": [{"type": "text", "text": "a dog"}]}
    assert [part["type"] for part in clip["content"]] == ["text", "image_url"] * 3
    assert same == system
    assert query["content"] == [*clip["content"], {"type": "text", "text": "a cat"}]


def test_frames_are_encoded_one_by_one(load, loopback):
    loopback.answers = [gives(1, 0)]
    assert load().encode_frames(CLIP).shape == (3, 2)
    assert [len(received.body["messages"][0]["content"]) for received in loopback.received] == [
        1
    ] * 3


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (gives(), "wrong_shape"),
        (gives(0, 0), "wrong_shape"),
        (sends_json({"choices": []}), "wrong_shape"),
        (sends_json({"data": [{"embedding": "AAAA"}]}), "wrong_shape"),
        (fails(404, "This model does not support embeddings."), "not_found"),
        (fails(503), "server_failed"),
    ],
)
def test_a_reply_without_a_vector_says_what_is_wrong(load, loopback, answer, code):
    loopback.answers = [answer]
    [error] = load(tries=1).encode_texts(["a dog"])
    assert isinstance(error, BackendError)
    assert error.code == code


def test_a_busy_server_is_asked_again(load, loopback, pauses):
    loopback.answers = [fails(429, "", "Retry-After: 7"), gives(1, 0)]
    [vector] = load().encode_texts(["a dog"])
    assert vector.tolist() == [1, 0]
    assert pauses == [7]

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.text.lexicon import FUNCTION_WORDS
from inference.backends.lexical import LexicalEncoder, load
from inference.backends.opencv_draft import describe, describe_frame
from inference.backends.protocols import BackendError, ClipFrames, ModelSettings

ROOT = Path(__file__).parents[3]
MELON, MELON_AGAIN, SNOW = (
    "A man slices a ripe melon on the table.",
    "On a table, ripe melons are sliced by men.",
    "Two dogs run through deep snow.",
)


def encode(*texts, dimension=512):
    return np.stack(LexicalEncoder(dimension).encode_texts(texts))


def clip_of(*colors):
    """Half a second of each color, one frame every fifth."""
    frames = np.stack([np.full((72, 128, 3), color, np.uint8) for color in colors])
    return ClipFrames(frames, tuple(range(0, 5 * len(colors), 5)), 5 * len(colors), 10.0)


def test_texts_become_unit_vectors_of_the_dimension():
    vectors = encode(MELON, SNOW, dimension=100)
    assert (vectors.shape, vectors.dtype) == ((2, 100), np.float32)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1], abs=1e-6)


def test_texts_that_share_words_are_nearer_than_texts_that_do_not():
    cosines = encode(MELON, MELON_AGAIN, SNOW) @ encode(MELON, MELON_AGAIN, SNOW).T
    assert cosines[0, 1] > 0.5
    assert abs(cosines[0, 2]) < 0.2
    assert abs(cosines[1, 2]) < 0.2


def test_it_knows_words_but_no_meanings():
    assert abs(encode("A hound.")[0] @ encode("Some dogs!")[0]) < 0.2


def test_case_punctuation_and_inflection_make_no_difference():
    a, b = encode("The DOG runs, fast!", "the dogs' run - fast")
    assert a @ b == pytest.approx(1)


def test_the_order_of_words_matters_a_little():
    a, b = encode("red ball blue net", "blue ball red net")
    assert 0.5 < a @ b < 0.999


def test_a_word_said_ten_times_does_not_weigh_ten_times():
    once, often, dog = encode("dog snow", "dog, " * 10 + "snow", "dog")
    assert once @ dog < often @ dog < 0.99


def test_function_words_weigh_little_but_a_text_of_them_alone_still_counts():
    a, b, c = encode("dog snow", "it was there where the dog and the snow were", "it was there")
    assert a @ b > 0.9
    assert np.linalg.norm(c) == pytest.approx(1)


def test_a_word_shared_by_all_texts_lands_in_one_place_with_one_sign():
    (vector,) = encode("dog")
    assert np.abs(vector).tolist().count(1.0) == 1
    assert np.count_nonzero(vector) == 1


def test_about_half_of_the_words_are_negative():
    words = [f"word{number}" for number in range(400)]
    signs = encode(*words).sum(axis=1)
    assert 150 < (signs < 0).sum() < 250
    # 400 words in 512 places: 278 different ones expected.
    assert len({int(np.abs(vector).argmax()) for vector in encode(*words)}) > 240


def test_the_vectors_are_the_same_in_another_process():
    script = (
        "import json, sys; from inference.backends.lexical import LexicalEncoder;"
        f"print(json.dumps(LexicalEncoder(64).encode_texts([{MELON!r}])[0].tolist()));"
        "sys.exit('cv2' in sys.modules)"  # texts alone need no OpenCV
    )
    printed = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env={"PYTHONHASHSEED": "4711"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(printed.stdout) == encode(MELON, dimension=64)[0].tolist()


@pytest.mark.parametrize("wordless", ["", "  \n", "?! ...", "🎈🎈"])
def test_a_text_without_words_fails_alone(wordless):
    before, error, after = LexicalEncoder().encode_texts([MELON, wordless, SNOW])
    assert isinstance(error, BackendError)
    assert (error.code, error.transient) == ("no_words", False)
    assert np.stack([before, after]).tolist() == encode(MELON, SNOW).tolist()


def test_words_that_cancel_out_are_told_apart_from_no_words():
    # Function words make no pairs, so two of one place and opposite signs leave nothing.
    words = sorted(FUNCTION_WORDS)
    vectors = encode(*words, dimension=64)
    first, second = np.argwhere(vectors @ vectors.T == -1)[0]
    (error,) = LexicalEncoder(64).encode_texts([f"{words[first]} {words[second]}"])
    assert isinstance(error, BackendError)
    assert error.code == "words_cancel_out"


def test_without_texts_and_clips_there_are_no_vectors():
    assert LexicalEncoder().encode_texts([]) == []
    assert LexicalEncoder().encode_clips([]) == []


@given(st.lists(st.text(max_size=40), max_size=5))
def test_every_text_gets_a_unit_vector_or_an_error(texts):
    answers = LexicalEncoder(64).encode_texts(texts)
    assert len(answers) == len(texts)
    for answer in answers:
        assert isinstance(answer, BackendError) or (
            answer.shape == (64,) and np.linalg.norm(answer) == pytest.approx(1, abs=1e-6)
        )


def test_a_clip_is_encoded_by_its_measured_draft():
    red, blue = clip_of(*[(200, 20, 20)] * 4), clip_of(*[(20, 20, 200)] * 4)
    encoder = LexicalEncoder()
    vectors = np.stack(encoder.encode_clips([red, blue]))
    assert vectors.tolist() == encode(describe(red), describe(blue)).tolist()
    reds, blues = vectors @ encode("The picture is mostly red.")[0]
    assert reds > blues


def test_a_clip_that_cannot_be_measured_fails_alone():
    good, bad = clip_of((200, 20, 20)), replace(clip_of((20, 20, 200)), numbers=(0, 5))
    vector, error = LexicalEncoder().encode_clips([good, bad])
    assert vector.tolist() == encode(describe(good))[0].tolist()
    assert isinstance(error, BackendError)
    assert error.code == "not_measured"


def test_each_frame_is_encoded_by_what_is_measured_in_it():
    clip = clip_of((200, 20, 20), (20, 20, 200), (20, 20, 200))
    vectors = LexicalEncoder().encode_frames(clip)
    assert vectors.shape == (3, 512)
    assert vectors.tolist() == encode(*[describe_frame(frame) for frame in clip.frames]).tolist()
    red, blue, blue_again = vectors
    assert red.tolist() != blue.tolist() == blue_again.tolist()


def test_it_loads_with_its_one_setting():
    assert load(ModelSettings("lexical", "")).dimension == 512
    assert load(ModelSettings("lexical", "", parameters={"dimension": 64})).dimension == 64


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"dimension": 63}, "dimension is 63: set a whole number from 64 to 8192."),
        ({"dimension": 8193}, "dimension is 8193: set a whole number from 64 to 8192."),
        ({"dimension": "512"}, "dimension is '512': set a whole number from 64 to 8192."),
        ({"dimension": True}, "dimension is True: set a whole number from 64 to 8192."),
        (
            {"size": 3, "dimension": 64},
            "The lexical encoder has no setting size. Its one setting is dimension: "
            "remove the others.",
        ),
    ],
)
def test_a_bad_setting_is_refused_with_what_to_do(parameters, message):
    with pytest.raises(BackendError) as refused:
        load(ModelSettings("lexical", "", parameters=parameters))
    assert (refused.value.code, str(refused.value)) == ("bad_setting", message)

"""The options of a run: the papers' values unless others are set."""

from __future__ import annotations

import pytest

from inference.errors import InferenceError
from inference.planning.options import OPTIONS, CaptionOptions, FuseOptions, SegmentOptions
from inference.sampling import Sampling


def test_the_defaults_are_lovrs():
    segment = SegmentOptions()
    assert (segment.min_video_seconds, segment.min_scene_seconds) == (900, 5)
    assert (segment.threshold, segment.min_clips, segment.downscale) == (34, 40, 3)
    caption = CaptionOptions()
    assert (caption.temperature, caption.top_p, caption.repetition_penalty) == (0.9, 0.001, 1.05)
    assert str(caption.sampling) == "a frame a second, 8 to 64"
    assert FuseOptions().temperature == 0.5


@pytest.mark.parametrize("kind", sorted(OPTIONS))
def test_what_is_stored_is_read_back_the_same(kind):
    options = OPTIONS[kind].parse({})
    assert OPTIONS[kind].parse(options.as_dict()) == options


def test_text_of_a_form_becomes_numbers():
    options = SegmentOptions.parse({"threshold": "27", "min_clips": "1"})
    assert (options.threshold, options.min_clips) == (27.0, 1)


def test_what_is_empty_is_what_nobody_set():
    assert SegmentOptions.parse({"threshold": ""}).threshold == 34.0
    assert CaptionOptions.parse({"prompt": ""}) == CaptionOptions()


def test_a_detector_has_a_threshold_of_its_own_and_the_first_one_stays_out_of_recipes():
    earlier = {
        "min_video_seconds": 900.0, "threshold": 34.0, "min_scene_seconds": 5.0, "min_clips": 40,
        "downscale": 3,
    }  # fmt: skip
    assert SegmentOptions.parse({"cut_detector": "content"}).as_dict() == earlier
    by_hash = SegmentOptions.parse({"cut_detector": "hash", "threshold": ""})
    assert by_hash.as_dict() == earlier | {"threshold": 0.35, "cut_detector": "hash"}
    with pytest.raises(InferenceError) as refused:
        SegmentOptions.parse({"cut_detector": "hash", "threshold": 34})
    assert str(refused.value) == (
        "Threshold is 34. Keep it between 0.01 and 1 for HashDetector, or leave it empty for 0.35."
    )


def test_a_system_prompt_can_be_left_out():
    assert CaptionOptions.parse({"system": ""}).system == ""


@pytest.mark.parametrize("prompt", ["Join them.", "{first}", "{first} {second} {first}"])
def test_the_prompt_of_a_joint_has_both_paragraphs_once(prompt):
    with pytest.raises(InferenceError, match="once each"):
        FuseOptions.parse({"prompt": prompt})


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"prompt": "  "}, "The prompt is empty"),
        ({"prompt": "x" * 8001}, "Keep it to 8,000"),
        ({"temperature": "warm"}, "Temperature is 'warm'. Give a number"),
        ({"temperature": float("nan")}, "Give a finite number"),
        ({"seed": 1.5}, "Seed is 1.5. Give a whole number"),
        ({"seed": "1.5"}, "Give a whole number"),
        ({"top_p": 0}, "Top p is 0. Keep it between"),
        ({"warmth": 1}, "warmth can't be set here"),
        ({"sampling": {"kind": "all"}}, "Sampling: Sampling 'all' is unknown"),
    ],
)
def test_each_wrong_setting_says_what_to_do(values, words):
    with pytest.raises(InferenceError) as refused:
        CaptionOptions.parse(values)
    assert words in str(refused.value)


def test_a_sampling_may_be_given_as_it_is():
    few = Sampling("middle", count=4)
    assert CaptionOptions.parse({"sampling": few}).sampling == few


def test_the_line_breaks_of_a_form_change_no_recipe():
    prompt = FuseOptions().prompt
    assert "\n" in prompt
    assert FuseOptions.parse({"prompt": prompt.replace("\n", "\r\n")}) == FuseOptions()

"""The measured draft of clips that a camera or an animator made."""

from fractions import Fraction
from functools import cache

import av
import pytest

from fixtures.real_clips import real_clips
from inference.backends.opencv_draft import MAX_SIDE, SAMPLING, describe
from inference.frames import read_clip

CLIPS = real_clips()


@cache
def draft(name):
    with av.open(str(CLIPS[name])) as container:
        stream = container.streams.video[0]
        frames, fps = stream.frames, Fraction(stream.average_rate)
    return describe(read_clip(CLIPS[name], 0, frames, fps, SAMPLING, longest_side=MAX_SIDE)).split(
        "\n\n"
    )


def test_the_six_shots_of_a_street_begin_where_they_are_cut():
    whole, *shots = draft("bikes.mp4")
    assert whole.startswith("The clip lasts 10.0 seconds (250 frames), and its picture ")
    assert "It has 6 shots, divided by 5 hard cuts." in whole
    # The cuts by frame-exact detection: 30, 76, 137, 187 and 242 of 25 frames a second.
    assert [shot.split(". ")[0] for shot in shots] == [
        "Shot 1 runs from 0.0 to 1.2 seconds",
        "Shot 2 runs from 1.2 to 3.0 seconds",
        "Shot 3 runs from 3.0 to 5.5 seconds",
        "Shot 4 runs from 5.5 to 7.5 seconds",
        "Shot 5 runs from 7.5 to 9.7 seconds",
        "Shot 6 runs from 9.7 to 10.0 seconds",
    ]


def test_a_meadow_under_a_camera_that_stands_still():
    (whole,) = draft("bigbuckbunny.mp4")
    assert "It is one shot without a hard cut." in whole
    assert "yellow green (" in whole
    assert "The picture as a whole stays in place." in whole
    assert "There is moderate " in whole


def test_a_speaker_in_a_moving_car():
    (whole,) = draft("carphone_pristine.mp4")
    assert "The clip lasts 4.0 seconds (120 frames)" in whole
    assert "It is one shot without a hard cut." in whole
    assert "Its pale colors are " in whole


@pytest.mark.parametrize("name", sorted(CLIPS))
def test_every_paragraph_is_of_a_readable_length(name):
    assert all(40 <= len(paragraph.split()) <= 120 for paragraph in draft(name))


def test_clips_differ_in_their_words():
    words = [set(" ".join(draft(name)).split()) for name in sorted(CLIPS)]
    for place, vocabulary in enumerate(words):
        for other in words[place + 1 :]:
            assert len(vocabulary & other) / len(vocabulary | other) < 0.6

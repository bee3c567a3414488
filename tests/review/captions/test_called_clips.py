"""A clip is found by what files from elsewhere call it."""

import pytest

from review.captions.clip_names import clip_called

CLIPS = {"v-Scene-001": 1, "v.2": 2, "caf\u00e9": 3, "dive.mp4": 4, "dive": 5}


@pytest.mark.parametrize(
    ("given", "clip"),
    [
        ("v-Scene-001", 1),
        ("v-Scene-001.mp4", 1),
        ("v/v-Scene-001.MP4", 1),
        ("v\\v-Scene-001", 1),
        ("v.2", 2),
        ("v.2.webm", 2),
        ("cafe\u0301.mp4", 3),
        ("dive.mp4", 4),
        ("some/dive.mp4", 5),
        ("v", None),
        ("v.3", None),
        ("", None),
    ],
)
def test_as_it_stands_or_without_suffix_and_folder(given, clip):
    assert clip_called(given, CLIPS) == clip

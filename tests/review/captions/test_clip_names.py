"""A clip is found by its name in files from elsewhere."""

import pytest

from review.captions.clip_names import clip_called

CLIPS = {"v-Scene-001": 1, "v.2": 2, "caf\u00e9": 3, "dive.mp4": 4, "dive": 5}


@pytest.mark.parametrize(
    ("name", "clip"),
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
def test_a_name_is_tried_as_written_and_without_suffix_and_folder(name, clip):
    assert clip_called(name, CLIPS) == clip

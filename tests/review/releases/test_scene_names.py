"""The names that videos and clips have in a release in LoVR's form."""

from review.frozen.scene_names import unique_names


def test_names_of_videos_are_safe_unique_and_never_look_like_clips():
    names = unique_names(
        [
            (1, "dive"),
            (2, "Dive"),
            (3, "a/../b"),
            (4, "?"),
            (5, "x-Scene-001"),
            (6, "dive-2"),
            (7, "Con"),
        ]
    )
    assert names == {
        1: "dive",
        2: "Dive-2",
        3: "a_b",
        4: "video-4",
        5: "x-part-001",
        6: "dive-2-6",
        7: "Con-7",
    }

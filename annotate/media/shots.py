"""Find the shots of a playback file."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import av

from annotate.media.contents import StackedContentValues
from annotate.media.cuts import place_cuts
from annotate.media.decoding import choose_video, exact

# PySceneDetect's defaults, on pictures half as wide, so that comparing every frame hardly slows
# down an import.
WIDTH, THRESHOLD, MIN_FRAMES = 128, 27.0, 15


def find_shots(playback: Path) -> list[int]:
    """Return the first frame of each shot, including 0."""
    with av.open(str(playback)) as container, compare_for_shots() as contents:
        stream = choose_video(container)
        for frame in container.decode(stream):
            contents.add(frame)
        return place_shots(contents.finish(), exact(stream.average_rate))


def compare_for_shots() -> StackedContentValues:
    """Return the comparison of 4:2:0 frames whose values `place_shots` reads."""
    return StackedContentValues(WIDTH)


def place_shots(values: Sequence[float], rate: Fraction) -> list[int]:
    """Return the first frame of each shot from the content value of each frame."""
    return place_cuts(values, rate, threshold=THRESHOLD, min_scene_frames=MIN_FRAMES)

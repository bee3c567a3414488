"""Where the shots of a playback file begin."""

from pathlib import Path

import av
from scenedetect import ContentDetector, FrameTimecode  # type: ignore[import-untyped]

from annotate.media.decoding import exact

WIDTH = 256  # What PySceneDetect itself scales pictures down to.


def find_shots(playback: Path) -> list[int]:
    """Return the first frame of each shot, 0 included."""
    detector = ContentDetector()
    cuts: list[FrameTimecode] = []
    with av.open(str(playback)) as container:
        stream = container.streams.video[0]
        stream.thread_type = "AUTO"
        width = min(WIDTH, stream.width)
        height = max(2, stream.height * width // stream.width)
        rate = exact(stream.average_rate)
        for number, frame in enumerate(container.decode(stream)):
            picture = frame.to_ndarray(format="bgr24", width=width, height=height)
            cuts += detector.process_frame(FrameTimecode(number, rate), picture)
        cuts += detector.post_process(FrameTimecode(number, rate))
    return [0, *(cut.frame_num for cut in cuts)]

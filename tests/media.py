"""A tiny real video for tests that play one: two seconds of a bar that moves with the frame."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import av
import numpy as np
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from PIL import Image

from annotate.models import Clip, Project, Video
from tests.cast import make_clip

FRAMES, FPS, WIDTH, HEIGHT = 50, 25, 320, 180
TILE_WIDTH, TILE_HEIGHT, TILES = 80, 45, 10


def draw_frame(number: int) -> np.ndarray:
    """RGB; the left edge of the white bar is at `number` of FRAMES across the picture."""
    picture = np.full((HEIGHT, WIDTH, 3), (20, 60, 90), dtype=np.uint8)
    left = number * (WIDTH - 16) // (FRAMES - 1)
    picture[:, left : left + 16] = 255
    return picture


def render_playback(path: Path) -> Path:
    """H.264 in MP4, constant frame rate, index in front: what an import makes of any source."""
    with av.open(str(path), "w", options={"movflags": "+faststart"}) as container:
        stream = container.add_stream("libx264", rate=FPS)
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        stream.options = {"preset": "ultrafast", "g": "10"}
        for number in range(FRAMES):
            frame = av.VideoFrame.from_ndarray(draw_frame(number), format="rgb24")
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return path


def render_poster(path: Path) -> Path:
    Image.fromarray(draw_frame(0)).save(path, quality=80)
    return path


def render_filmstrip(path: Path) -> Path:
    strip = Image.new("RGB", (TILE_WIDTH * TILES, TILE_HEIGHT))
    for tile in range(TILES):
        picture = Image.fromarray(draw_frame(tile * FRAMES // TILES))
        strip.paste(picture.resize((TILE_WIDTH, TILE_HEIGHT)), (tile * TILE_WIDTH, 0))
    strip.save(path, quality=80)
    return path


def render_all(folder: Path) -> Path:
    render_playback(folder / "playback.mp4")
    render_poster(folder / "poster.jpg")
    render_filmstrip(folder / "filmstrip.jpg")
    return folder


def attach_media(video: Video, rendered: Path) -> Video:
    """Puts the rendered files into the storage under the names that `video` already has."""
    for name, file in [
        (video.source_file, "playback.mp4"),
        (video.playback_file, "playback.mp4"),
        (video.poster_file, "poster.jpg"),
        (video.filmstrip_file, "filmstrip.jpg"),
    ]:
        if not default_storage.exists(name):
            default_storage.save(name, ContentFile((rendered / file).read_bytes()))
    return video


PLAYABLE = {
    "fps_num": FPS,
    "fps_den": 1,
    "frames": FRAMES,
    "width": WIDTH,
    "height": HEIGHT,
    "filmstrip": {
        "columns": TILES,
        "rows": 1,
        "tile_width": TILE_WIDTH,
        "tile_height": TILE_HEIGHT,
        "frames": [tile * FRAMES // TILES for tile in range(TILES)],
    },
}


def make_playable(rendered: Path, project: Project, **fields: Any) -> Clip:
    """Like tests.cast.make_clip, with the rendered files: 50 frames at 25 fps."""
    clip = make_clip(project, **{**PLAYABLE, **fields})
    attach_media(clip.video, rendered)
    return clip

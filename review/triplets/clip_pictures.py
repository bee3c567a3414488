"""Still pictures of a clip for figures: tiles of its video's filmstrip, or its poster."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.core.files.storage import default_storage

from annotate.file_store import clip_poster_name
from annotate.models import Clip

if TYPE_CHECKING:
    from PIL.Image import Image

WIDTH = 320  # pixels of a picture
JPEG_QUALITY = 85


def pictures_of(clip: Clip, number: int) -> list[str]:
    """Return up to `number` pictures of a clip in order of time, as data addresses.

    The tiles of the filmstrip between the clip's first and last frame are spread evenly; if there
    are fewer than `number`, return only its poster. Empty if no picture is stored.
    """
    tiles = _tiles(clip, number)
    if tiles and (pictures := _cut(clip, tiles)):
        return pictures
    video = clip.video
    for name in (clip_poster_name(video, clip.start_frame, clip.end_frame), video.poster_file):
        if poster := _opened(name):
            return [_address(poster)]
    return []


def _tiles(clip: Clip, number: int) -> list[int]:
    """Return the places of the tiles; none if one picture is enough or there are too few."""
    frames = clip.video.filmstrip.get("frames", [])
    within = [
        place for place, frame in enumerate(frames) if clip.start_frame <= frame < clip.end_frame
    ]
    if number == 1 or len(within) < number:
        return []
    return [within[(2 * part + 1) * len(within) // (2 * number)] for part in range(number)]


def _cut(clip: Clip, tiles: Sequence[int]) -> list[str]:
    sheet = _opened(clip.video.filmstrip_file)
    if sheet is None:
        return []
    strip = clip.video.filmstrip
    width, height, columns = strip["tile_width"], strip["tile_height"], strip["columns"]
    pictures = []
    for tile in tiles:
        row, column = divmod(tile, columns)
        left, top = column * width, row * height
        pictures.append(_address(sheet.crop((left, top, left + width, top + height))))
    return pictures


def _opened(name: str) -> Image | None:
    # Figures are rare, so the first one imports the library.
    from PIL import Image

    if not name or not default_storage.exists(name):
        return None
    with default_storage.open(name) as file:
        return Image.open(io.BytesIO(file.read()))


def _address(picture: Image) -> str:
    content = io.BytesIO()
    picture = picture.convert("RGB")
    picture.thumbnail((WIDTH, WIDTH))
    picture.save(content, "JPEG", quality=JPEG_QUALITY)
    return f"data:image/jpeg;base64,{base64.b64encode(content.getvalue()).decode()}"

"""The error that this package raises about a file."""

from typing import Literal

from annotate.errors import ItemFailed

Code = Literal[
    "audio_only",
    "bad_fps",
    "bad_name",
    "damaged",
    "empty",
    "not_a_video",
    "playlist",
    "too_large",
    "too_long",
    "too_many_frames",
    "too_many_pixels",
    "too_short",
    "too_small",
    "truncated",
    "unknown_codec",
]


class MediaError(ItemFailed):
    """A file is refused; `message` says what is wrong and how to fix it."""

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(code, message)
        self.message = message

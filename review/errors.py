"""What the services of this app raise when they refuse."""

from annotate.errors import Refused


class ReviewError(Refused):
    """Refused. `str(error)` is a sentence for the person who asked."""


class NameRefused(ReviewError):
    """It is the name that is to be mended."""


class SameWords(ReviewError):
    """Two texts read the same and lead to different labels; `keys` are those of the two."""

    def __init__(self, message: str, keys: tuple[int, int]) -> None:
        super().__init__(message)
        self.keys = keys

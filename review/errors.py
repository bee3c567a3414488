"""Errors that the services of this app raise."""

from annotate.errors import Refused


class ReviewError(Refused):
    """Refused. `str(error)` is a sentence for the person who asked."""


class NameRefused(ReviewError):
    """It is the name that is to be mended."""

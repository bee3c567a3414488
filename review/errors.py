"""What the services of this app raise when they refuse."""


class ReviewError(Exception):
    """Refused. `str(error)` is a sentence for the person who asked."""

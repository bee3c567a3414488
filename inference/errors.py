"""What the services of this app raise when they refuse: always with a sentence to show."""

from annotate.errors import Refused


class InferenceError(Refused):
    """Refused. `str(error)` is a sentence for the person who asked."""


class UnfinishedCaptions(InferenceError):
    """A fuse run would join captions that still wait for people, and nobody has confirmed it."""

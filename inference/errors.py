"""The errors of this app's services, each with a sentence to show."""

from annotate.errors import Refused


class InferenceError(Refused):
    """A refusal. `str(error)` is a sentence for the user."""


class UnfinishedCaptions(InferenceError):
    """A fuse run would join captions that still wait for people, and this was not confirmed."""


class UndecidedVideos(InferenceError):
    """A caption run would describe undecided videos, and this was not confirmed."""

"""The forms in which a clip can be sent to an OpenAI-compatible server."""

from __future__ import annotations

from inference.backends.protocols import ModelSettings

CLIP_FORMS = ("pictures", "timed pictures", "video", "video by address")
BY_ADDRESS = CLIP_FORMS[-1]


def reads_addresses(settings: ModelSettings) -> bool:
    """Return whether the model's server reads clips itself."""
    return settings.parameters.get("clip_as") == BY_ADDRESS

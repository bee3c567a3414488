"""What every name that people type is held to."""

from __future__ import annotations

from django.core.exceptions import ValidationError

from annotate.text.visible import has_hidden_characters

HIDDEN_CHARACTERS = (
    "It holds a character that cannot be seen or that turns the direction of writing. "
    "Type it again."
)


def validate_visible(value: str) -> None:
    """Raise ValidationError for a name that does not look like what it is."""
    if has_hidden_characters(value):
        raise ValidationError(HIDDEN_CHARACTERS, code="hidden_characters")

"""Check a model's name by one rule for all forms."""

from __future__ import annotations

from collections.abc import Iterable

from review.errors import NameRefused

MAX_NAME_LENGTH = 80


def checked_model_name(name: str, others: Iterable[str], taken: str) -> str:
    """Return the name with single spaces. Raises NameRefused if it is empty, too long, has an
    invisible character, or equals one of `others` (ignoring case); the message is then `taken` with
    the name for {}."""
    lines = name.strip().splitlines()
    if not lines:
        raise NameRefused("Give the model a name.")
    name = " ".join(lines[0].split())
    if len(lines) > 1 or not name.isprintable():
        raise NameRefused(
            "The name of the model has a line break or an invisible character. Type it again."
        )
    if len(name) > MAX_NAME_LENGTH:
        raise NameRefused(f"The name is longer than {MAX_NAME_LENGTH} characters. Shorten it.")
    # Compared here, because databases disagree on which letters are equal.
    if name.casefold() in {other.casefold() for other in others}:
        raise NameRefused(taken.format(name))
    return name

"""What people call a model, by one rule wherever they name one."""

from __future__ import annotations

from collections.abc import Iterable

from review.errors import NameRefused

LONGEST_NAME = 80


def checked_model_name(name: str, others: Iterable[str], taken: str) -> str:
    """The name as it is stored: of one line, each space once. Raises NameRefused when it is empty,
    too long, has a sign that can't be seen, or is one of the `others`, whatever the case: then
    with the sentence `taken`, in which "{}" stands for it."""
    lines = name.strip().splitlines()
    if not lines:
        raise NameRefused("Give the model a name.")
    name = " ".join(lines[0].split())
    if len(lines) > 1 or not name.isprintable():
        raise NameRefused(
            "The name of the model has a line break or an invisible character. Type it again."
        )
    if len(name) > LONGEST_NAME:
        raise NameRefused(f"The name is longer than {LONGEST_NAME} characters. Shorten it.")
    # Compared here: databases differ in which letters they take for the same.
    if name.casefold() in {other.casefold() for other in others}:
        raise NameRefused(taken.format(name))
    return name

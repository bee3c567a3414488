"""Check that names of clips can be file names. Pure."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable

UNSAFE = set('/\\:*?"<>|')


def clashing_names(names: Iterable[str]) -> list[str]:
    """Return names that some file systems treat as equal: only case or the encoding of accents
    differs.
    """
    groups: dict[str, list[str]] = defaultdict(list)
    for name in names:
        groups[unicodedata.normalize("NFC", name).casefold()].append(name)
    return [name for group in groups.values() if len(group) > 1 for name in group]


def is_safe(name: str) -> bool:
    return not (UNSAFE & set(name)) and name.isprintable() and not name.startswith(".")

"""What files of models that were run elsewhere call a clip."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from unicodedata import normalize

from annotate.datasets.rows import without_suffix


def clip_called(given: str, by_name: Mapping[str, int]) -> int | None:
    """The clip that has the name, as it stands or else without suffix and folder."""
    return next((by_name[name] for name in _names(given) if name in by_name), None)


def _names(given: str) -> Iterator[str]:
    yield given
    # Names are stored composed; some systems list files with letters and accents apart.
    bare = without_suffix(normalize("NFC", given))
    yield bare
    yield bare.replace("\\", "/").rsplit("/", 1)[-1]

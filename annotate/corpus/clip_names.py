"""Names of clips: safe as file names everywhere, and unique in their project."""

from __future__ import annotations

import os.path
import re
import unicodedata
from collections.abc import Sequence
from pathlib import PurePosixPath

from annotate.models import Clip, Project
from annotate.text.file_names import is_reserved_name

UNSAFE_IN_A_NAME = re.compile(r"[^\w.-]+")
MAX_STEM_LENGTH = 180  # bytes, so that a release can extend it to a valid file name


def safe_stem(file_name: str) -> str:
    """Return the file's name without its suffix, made a valid clip name."""
    stem = UNSAFE_IN_A_NAME.sub("_", PurePosixPath(file_name).stem).lstrip(".")
    stem = stem.encode()[:MAX_STEM_LENGTH].decode(errors="ignore").rstrip(".") or "clip"
    return f"_{stem}" if is_reserved_name(stem) else stem


def folded_name(name: str) -> str:
    """Return the same for names that some file systems treat as equal: only case or the encoding of
    accents differs."""
    return unicodedata.normalize("NFC", name).casefold()


def free_names(project: Project, proposed: Sequence[str]) -> list[str]:
    """Return the requested names in order, with a number appended if one is taken in
    the project, in whatever case.
    """
    if not proposed:
        return []
    begin = os.path.commonprefix(list(proposed))  # noqa: RUF071 (characters are meant)
    like = Clip.objects.filter(project=project)
    if begin.isascii():  # SQLite knows no other letters in both cases
        like = like.filter(name__istartswith=begin)
    taken = {folded_name(name) for name in like.values_list("name", flat=True)}
    names = []
    for stem in proposed:
        name, number = stem, 2
        while folded_name(name) in taken:
            name, number = f"{stem}-{number}", number + 1
        taken.add(folded_name(name))
        names.append(name)
    return names

"""The rows that every format is read into, and the checks that all formats share."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db.models import Field

from annotate.corpus.clip_names import folded_name, safe_stem
from annotate.datasets.faults import Faults
from annotate.models import ActionLabel, Video


def longest(field: Field[Any, Any]) -> int:
    """Return the largest number of characters in a text column."""
    assert field.max_length is not None
    return field.max_length


MAX_LABEL_LENGTH = longest(ActionLabel._meta.get_field("key"))
MAX_SOURCE_LENGTH = longest(Video._meta.get_field("cut_from"))
WHOLE_NUMBER = re.compile(r"\d{1,9}", re.ASCII)
DECIMAL = re.compile(r"\d{1,7}(\.\d{1,9})?", re.ASCII)


@dataclass(frozen=True)
class Frames:
    """The frames from `first` up to, but not including, `end`; the source file begins with 0."""

    first: int
    end: int


@dataclass(frozen=True)
class Seconds:
    """The exact time in the source file, from `start` up to, but not including, `end`."""

    start: Fraction
    end: Fraction


def frames_at(span: Seconds, fps: Fraction) -> Frames:
    """Return the frames that begin within the span; of one shorter than a frame, the frame that is
    shown at this time."""
    first, end = math.ceil(span.start * fps), math.ceil(span.end * fps)
    return Frames(first - (first == end), end)


@dataclass(frozen=True)
class LabeledClip:
    """A clip of the long video `source`; without `span`, the clip is a file of its own.

    `source` and `name` are file names without suffix. `row` is the clip's place in the data file.
    """

    row: str
    source: str
    name: str
    label: str
    span: Frames | Seconds | None


@dataclass(frozen=True)
class LabelRow:
    """The meaning of a label's id; `domain` is the sport, "" if it isn't stated.

    `event` is "" if it isn't stated; then the caption can begin with it, in brackets.
    """

    row: str
    key: str
    caption: str
    domain: str
    event: str = ""


def without_suffix(name: str) -> str:
    """Return a video's file name without a suffix such as .mp4; other dots stay."""
    # This module of media loads no video library, so a web process can import it.
    from annotate.media.names import EXTENSIONS

    stem, _, suffix = name.rpartition(".")
    has_stem = stem and not stem.endswith("/")
    return stem if has_stem and f".{suffix.lower()}" in EXTENSIONS else name


def source_name(cut_from: str, file_name: str) -> str:
    """Return the name of the long video that a file was cut from, or else of the file itself."""
    return cut_from or without_suffix(file_name)


def check_name(faults: Faults, row: str, field: str, name: str) -> None:
    """Add a fault if a release could not use this name of a clip for a file."""
    if not name:
        faults.add(row, field, "It is empty. Give the clip's name.")
    elif safe_stem(f"{name}.mp4") != name:
        faults.add(
            row,
            field,
            f"{_quoted(name)} is not a safe file name. Use up to 180 letters, digits, '_', '-' and "
            "'.', and don't begin with '.'.",
        )


def check_source(faults: Faults, row: str, field: str, source: str) -> None:
    if not source:
        faults.add(row, field, "It is empty. Name the source video.")
    elif len(source) > MAX_SOURCE_LENGTH or not source.isprintable():
        faults.add(row, field, f"{_quoted(source)} can't be the name of a video. Fix it.")


def check_label(faults: Faults, row: str, field: str, label: str) -> None:
    if not label:
        faults.add(row, field, "It is empty. Give the label's id.")
    elif len(label) > MAX_LABEL_LENGTH or not label.isprintable():
        faults.add(
            row,
            field,
            f"{_quoted(label)} is not a label id. Use at most {MAX_LABEL_LENGTH} characters.",
        )


def checked_clips(faults: Faults, field: str, clips: Sequence[LabeledClip]) -> list[LabeledClip]:
    """Return the clips that have no fault and a name of their own. Raises DatasetInvalid unless the
    others are left out.
    """
    firsts: dict[str, LabeledClip] = {}
    for clip in faults.kept(clips):
        first = firsts.setdefault(folded_name(clip.name), clip)
        if first is not clip:
            mend = (
                f"already appears at {first.row}. Keep one."
                if first.name == clip.name
                else f"is {_quoted(first.name)} at {first.row} in other capitals. Rename one."
            )
            faults.add(clip.row, field, f"{_quoted(clip.name)} {mend}")
    return faults.leave_out(clips)


def read_frames(faults: Faults, row: str, first: str, end: str) -> Frames | None:
    for field, value in (("first_frame", first), ("end_frame", end)):
        if not WHOLE_NUMBER.fullmatch(value):
            faults.add(row, field, f"{_quoted(value)} is not a frame number. Give a whole number.")
            return None
    if int(first) >= int(end):
        faults.add(row, "end_frame", f"It must come after the first frame, {int(first)}.")
        return None
    return Frames(int(first), int(end))


def read_seconds(faults: Faults, row: str, start: str, end: str) -> Seconds | None:
    for field, value in (("start", start), ("end", end)):
        if not DECIMAL.fullmatch(value):
            faults.add(row, field, f"{_quoted(value)} is not a time. Give seconds, such as 12.48.")
            return None
    if Fraction(start) >= Fraction(end):
        faults.add(row, "end", f"It must come after the start, {start}.")
        return None
    return Seconds(Fraction(start), Fraction(end))


def _quoted(value: str) -> str:
    return repr(value if len(value) <= 80 else f"{value[:80]}…")

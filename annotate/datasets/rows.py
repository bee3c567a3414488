"""What every format is read into, and the checks that all of them share."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import PurePosixPath
from typing import Any

from django.db.models import Field

from annotate.corpus.clip_names import safe_stem
from annotate.datasets.faults import Faults
from annotate.models import ActionLabel, Video


def longest(field: Field[Any, Any]) -> int:
    """How many characters a column of text takes."""
    assert field.max_length is not None
    return field.max_length


LONGEST_LABEL = longest(ActionLabel._meta.get_field("key"))
LONGEST_SOURCE = longest(Video._meta.get_field("cut_from"))
WHOLE_NUMBER = re.compile(r"\d{1,9}", re.ASCII)
DECIMAL = re.compile(r"\d{1,7}(\.\d{1,9})?", re.ASCII)


@dataclass(frozen=True)
class Frames:
    """The frames of the source file from `first` up to, and without, `end`; its first one is 0."""

    first: int
    end: int


@dataclass(frozen=True)
class Seconds:
    """The time in the source file from `start` up to, and without, `end`; exact."""

    start: Fraction
    end: Fraction


@dataclass(frozen=True)
class LabelledClip:
    """A clip of the long video `source`; no `span` where it is only known as a file of its own.

    `source` and `name` are file names without their suffix, `row` is where the file tells it.
    """

    row: str
    source: str
    name: str
    label: str
    span: Frames | Seconds | None


@dataclass(frozen=True)
class LabelRow:
    """What a label's id means; `domain` is the kind of sport, empty where it isn't told. So is
    `event`, which is then in the brackets that begin the caption, if there are any.
    """

    row: str
    key: str
    caption: str
    domain: str
    event: str = ""


def without_suffix(name: str) -> str:
    """The name of a video file without .mp4 or the like; any other dot stays."""
    # Names need no decoder, so the web process may load this module.
    from annotate.media.names import EXTENSIONS

    path = PurePosixPath(name)
    return name.removesuffix(path.suffix) if path.suffix.lower() in EXTENSIONS else name


def source_name(cut_from: str, file_name: str) -> str:
    """The long video that a file was cut from, else the file itself."""
    return cut_from or without_suffix(file_name)


def check_name(faults: Faults, row: str, field: str, name: str) -> None:
    """A clip is called what a release can call its file."""
    if not name:
        faults.add(row, field, "It is empty. Give the clip's name.")
    elif safe_stem(f"{name}.mp4") != name:
        faults.add(
            row,
            field,
            f"{_shown(name)} is not a safe file name. Use up to 180 letters, digits, '_', '-' and "
            "'.', with no '.' in front.",
        )


def check_source(faults: Faults, row: str, field: str, source: str) -> None:
    if not source:
        faults.add(row, field, "It is empty. Name the source video.")
    elif len(source) > LONGEST_SOURCE or not source.isprintable():
        faults.add(row, field, f"{_shown(source)} can't be the name of a video. Fix it.")


def check_label(faults: Faults, row: str, field: str, label: str) -> None:
    if not label:
        faults.add(row, field, "It is empty. Give the label's id.")
    elif len(label) > LONGEST_LABEL or not label.isprintable():
        faults.add(
            row, field, f"{_shown(label)} is not a label id: {LONGEST_LABEL} characters at most."
        )


def check_unique_names(faults: Faults, field: str, clips: Iterable[LabelledClip]) -> None:
    first_row: dict[str, str] = {}
    for clip in clips:
        first = first_row.setdefault(clip.name, clip.row)
        if first != clip.row:
            faults.add(
                clip.row, field, f"{_shown(clip.name)} is there already, at {first}. Keep one."
            )


def read_frames(faults: Faults, row: str, first: str, end: str) -> Frames | None:
    for field, value in (("first_frame", first), ("end_frame", end)):
        if not WHOLE_NUMBER.fullmatch(value):
            faults.add(row, field, f"{_shown(value)} is not a frame number. Give a whole number.")
            return None
    if int(first) >= int(end):
        faults.add(row, "end_frame", f"It must come after the first frame, {int(first)}.")
        return None
    return Frames(int(first), int(end))


def read_seconds(faults: Faults, row: str, start: str, end: str) -> Seconds | None:
    for field, value in (("start", start), ("end", end)):
        if not DECIMAL.fullmatch(value):
            faults.add(row, field, f"{_shown(value)} is not a time. Give seconds, such as 12.48.")
            return None
    if Fraction(start) >= Fraction(end):
        faults.add(row, "end", f"It must come after the start, {start}.")
        return None
    return Seconds(Fraction(start), Fraction(end))


def _shown(value: str) -> str:
    return repr(value if len(value) <= 80 else f"{value[:80]}…")

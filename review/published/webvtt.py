"""Read a WebVTT file as a caption of the video with the same name. Pure.

Its cues, in order of time, are the caption's sentences.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import PurePath
from typing import Any

from annotate.datasets.faults import Faults
from review.errors import ReviewError

HEADER = re.compile(r"\AWEBVTT(?:[ \t][^\n]*)?(?:\n|\Z)")
TIME = r"(?:(\d{2,}):)?([0-5]\d):([0-5]\d)\.(\d{3})"
TIMES = re.compile(rf"^[ \t]*{TIME}[ \t]+-->[ \t]+{TIME}(?:[ \t].*)?$")
NO_CUE = re.compile(r"^(NOTE|STYLE|REGION)(?:[ \t]|$)")
TAG = re.compile(r"</?[A-Za-z0-9.][^<>]*>|</?>")


def caption_of_cues(
    text: str, file_name: str, faults: Faults
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the one row of the file. Raises ReviewError for a text that isn't WebVTT or has no
    cue."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not HEADER.match(text):
        raise ReviewError("The file isn’t WebVTT: its first line must be WEBVTT.")
    cues: list[tuple[int, str]] = []
    for line, block in _blocks(text):
        if NO_CUE.match(block[0]) and not any(map(TIMES.match, block[:2])):
            continue
        place = next(
            (place for place, block_line in enumerate(block[:2]) if "-->" in block_line), None
        )
        times = TIMES.match(block[place]) if place is not None else None
        if place is None or times is None:
            faults.add(
                f"line {line + (place or 0)}",
                "time",
                "A cue begins with its times, such as 00:01.000 --> 00:04.500. Fix the line.",
            )
            continue
        start, end = _milliseconds(*times.groups()[:4]), _milliseconds(*times.groups()[4:])
        if end <= start:
            faults.add(f"line {line + place}", "time", "The cue ends before it begins.")
        if words := _words(block[place + 1 :]):
            cues.append((start, words))
    if not cues and not faults.collected:
        raise ReviewError("The file has no cue with text. Choose the file with the captions.")
    in_order = " ".join(words for _, words in sorted(cues, key=lambda cue: cue[0]))
    if in_order:
        yield "the cues", {"video": PurePath(file_name).stem, "caption": in_order}


def _blocks(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines between empty ones, after the header, with the number of the first."""
    lines = text.split("\n")
    first = lines.index("") if "" in lines else len(lines)
    block: list[str] = []
    for number, line in enumerate(lines[first:], first + 1):
        if line.strip():
            block.append(line)
        elif block:
            yield number - len(block), block
            block = []
    if block:
        yield len(lines) + 1 - len(block), block


def _words(lines: list[str]) -> str:
    return " ".join(html.unescape(TAG.sub("", " ".join(lines))).split())


def _milliseconds(hours: str | None, minutes: str, seconds: str, thousandths: str) -> int:
    whole = (int(hours or 0) * 60 + int(minutes)) * 60 + int(seconds)
    return whole * 1000 + int(thousandths)

"""Read WebVTT and SubRip as a caption of the video with the same name. Pure.

The cues, in order of time, are the caption's sentences with their times. Blocks are collected as
the parser of the standard does (https://www.w3.org/TR/webvtt1/#file-parsing): a line with an arrow
ends the text of a cue. What that parser drops without a word, such as a cue whose times can't be
read, is a fault here.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any

from annotate.datasets.faults import Faults
from review.errors import ReviewError

ARROW = "-->"
_HEADER = re.compile(r"WEBVTT(?:[ \t\n]|\Z)")
_SPACE = r"[ \t\f]*"
_WEBVTT_TIME = r"(?:(\d{1,6}):)?([0-5]\d):([0-5]\d)\.(\d{3})(?!\d)"
_SUBRIP_TIME = r"(?:(\d{1,6}):)?(\d{1,2}):(\d{1,2})(?:[,.](\d{1,3}))?(?!\d)"
WEBVTT, SUBRIP = (
    re.compile(rf"{_SPACE}{time}{_SPACE}{ARROW}{_SPACE}{time}", re.ASCII)
    for time in (_WEBVTT_TIME, _SUBRIP_TIME)
)
_SUBRIP_FILE = re.compile(rf"\s*\d+[ \t]*\r?\n{SUBRIP.pattern}", re.ASCII)
_NO_CUE = re.compile(r"(?:NOTE|STYLE|REGION)(?:[ \t]|$)")
_TAG = re.compile(r"</?[A-Za-z0-9.][^<>]*>|</?>")
_SUBRIP_PLACE = re.compile(r"\{\\[^{}]*\}")


Rows = Iterator[tuple[str, dict[str, Any]]]


@dataclass(frozen=True)
class Block:
    """Lines without an empty one between. `first`: the first of them. `times`: the line with the
    arrow, "" without one, and `line` its number, or that of the first line. `lines`: the text below
    the arrow, or all lines. `is_cut`: a second arrow ended it."""

    first: str
    line: int
    times: str
    lines: list[str]
    is_cut: bool


def is_webvtt(text: str) -> bool:
    return _HEADER.match(_with_line_feeds(text[:16])) is not None


def is_subrip(text: str) -> bool:
    return _SUBRIP_FILE.match(text) is not None


def caption_of_webvtt(text: str, name: str, faults: Faults) -> Rows:
    """Yield the one row of the file. Raises ReviewError for a text that isn't WebVTT or has no
    cue."""
    text = _with_line_feeds(text).replace("\0", "\ufffd")
    if not _HEADER.match(text):
        raise ReviewError("The file isn’t WebVTT: its first line must be WEBVTT.")
    lines = text.split("\n")
    ends_header = (n for n, line in enumerate(lines) if n and (not line or ARROW in line))
    return _caption(blocks_of(lines, next(ends_header, len(lines))), WEBVTT, name, faults)


def caption_of_subrip(text: str, name: str, faults: Faults) -> Rows:
    """Yield the one row of the file. Raises ReviewError for a file without a cue."""
    lines = _SUBRIP_PLACE.sub("", _with_line_feeds(text)).split("\n")
    return _caption(map(_without_number, blocks_of(lines)), SUBRIP, name, faults)


def blocks_of(lines: list[str], at: int = 0) -> Iterator[Block]:
    """Yield the blocks from the line `at`, counted from 0."""
    while at < len(lines):
        first, line, times, text = at, at, "", list[str]()
        while at < len(lines) and lines[at]:
            if ARROW in lines[at]:
                if times or at - first > 1:
                    break
                line, times, text = at, lines[at], []
            else:
                text.append(lines[at])
            at += 1
        if at > first:
            yield Block(
                lines[first], line + 1, times, text, is_cut=at < len(lines) and bool(lines[at])
            )
        else:
            at += 1


def _caption(blocks: Iterable[Block], timing: re.Pattern[str], name: str, faults: Faults) -> Rows:
    before = len(faults.collected)
    cues: list[tuple[float, float, str]] = []
    for block in blocks:
        times = timing.match(block.times)
        if times is None and _NO_CUE.match(block.first):
            continue
        if not block.times:
            _refuse_text(block, faults)
            continue
        if times is None:
            due = "A cue begins with its times, such as 00:01.000 --> 00:04.500. Fix the line."
            faults.add(f"line {block.line}", "time", due)
            continue
        start, end = _seconds(*times.groups()[:4]), _seconds(*times.groups()[4:])
        if end <= start:
            faults.add(f"line {block.line}", "time", "The cue ends before it begins. Fix the line.")
        elif words := " ".join(html.unescape(_TAG.sub("", " ".join(block.lines))).split()):
            cues.append((start, end, words))
    if not cues and len(faults.collected) == before:
        raise ReviewError("The file has no cue with text. Choose the file with the captions.")
    if cues:
        cues.sort(key=lambda cue: cue[0])
        row = {
            "video": PurePath(name).stem,
            "sentences": [words for _, _, words in cues],
            "timestamps": [[start, end] for start, end, _ in cues],
        }
        yield "the cues", row


def _refuse_text(block: Block, faults: Faults) -> None:
    """Name text that no cue has; a lone number isn't text."""
    if " ".join(block.lines).strip().isdecimal():
        return
    due = (
        "This text has no times, such as 00:01.000 --> 00:04.500, above it. Add them, or remove "
        "the empty line that separates it from its cue."
    )
    if any(line.strip() for line in block.lines):
        faults.add(f"line {block.line}", "time", due)


def _without_number(block: Block) -> Block:
    """Leave out the number of the next cue where no empty line is above it."""
    has_number = block.is_cut and block.lines and block.lines[-1].strip().isdecimal()
    return replace(block, lines=block.lines[:-1]) if has_number else block


def _seconds(hours: str | None, minutes: str, seconds: str, thousandths: str | None) -> float:
    whole = (int(hours or 0) * 60 + int(minutes)) * 60 + int(seconds)
    return (whole * 1000 + int((thousandths or "").ljust(3, "0"))) / 1000


def _with_line_feeds(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")

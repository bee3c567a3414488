"""Read the annotations of FineAction, in the form of ActivityNet's, into segments."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from annotate.datasets.faults import Faults
from annotate.datasets.files import MAX_BYTES, DatasetFile, read_json, read_text, refused
from annotate.datasets.rows import check_source, longest, without_suffix
from annotate.models import Candidate

GZIP = b"\x1f\x8b"
TIME = re.compile(r"-?\d{1,7}(\.\d{1,20})?([eE]-\d{1,2})?", re.ASCII)
MAX_NAME_LENGTH = longest(Candidate._meta.get_field("subcategory"))
ROOT = "root"


@dataclass(frozen=True)
class Segment:
    """Seconds [start, end) of the video `source`, a file name without suffix. `number` is its place
    among the annotations of the video, from 1; `category` is empty if the file has no taxonomy.
    """

    source: str
    number: int
    category: str
    label: str
    start: Fraction
    end: Fraction


@dataclass(frozen=True)
class Annotations:
    """`seconds` has the length of each video that states one."""

    segments: list[Segment]
    seconds: dict[str, Fraction]


def read_annotations(file: DatasetFile) -> Annotations:
    """Return all segments, in the order of the file; it may be compressed by gzip.

    The form: `{"database": {ID: {"duration": 42.5, "annotations": [{"label": "dig_hole", "segment":
    [3.2, 8.7]}]}}}`; other fields are ignored. Raises DatasetInvalid with every fault.
    """
    data = read_json(file, read_text(_unpacked(file)))
    database = data.get("database") if isinstance(data, dict) else None
    if not isinstance(database, dict):
        raise refused(
            file, "It must be an object with “database”: the videos by their id.", field="database"
        )
    faults = Faults(file.name)
    categories = _categories(data.get("taxonomy"))
    segments: list[Segment] = []
    seconds: dict[str, Fraction] = {}
    for name, video in database.items():
        source = without_suffix(name)
        check_source(faults, name[:80], "", source)
        if not isinstance(video, dict):
            faults.add(name[:80], "", "It must be an object with “annotations”.")
            continue
        if (length := _time(video.get("duration"))) is not None:
            seconds[source] = length
        segments += _segments(faults, name[:80], source, video.get("annotations"), categories)
    faults.raise_any()
    return Annotations(segments, seconds)


def _unpacked(file: DatasetFile) -> DatasetFile:
    if file.data[:2] != GZIP:
        return file
    try:
        # One byte more than allowed, which `read_text` refuses: any file can unpack to more.
        data = zlib.decompressobj(wbits=31).decompress(file.data, MAX_BYTES + 1)
    except zlib.error:
        raise refused(file, "It is damaged: gzip can't unpack it. Compress it again.") from None
    return DatasetFile(file.name, data)


def _segments(
    faults: Faults, row: str, source: str, annotations: Any, categories: dict[str, str]
) -> Iterator[Segment]:
    if annotations is None:  # The annotations of a test subset can be withheld.
        return
    if not isinstance(annotations, list):
        faults.add(row, "annotations", "It must be a list of segments.")
        return
    for number, entry in enumerate(annotations, 1):
        where = f"{row}, annotation {number}"
        label = entry.get("label") if isinstance(entry, dict) else None
        if not isinstance(label, str) or not label.strip() or not label.isprintable():
            faults.add(where, "label", "It is missing. Name the action, the clip's subcategory.")
            continue
        if len(label.strip()) > MAX_NAME_LENGTH:
            faults.add(where, "label", f"Shorten it to {MAX_NAME_LENGTH} characters.")
            continue
        pair = entry.get("segment")
        times = [_time(value) for value in pair] if isinstance(pair, list) else []
        if len(times) != 2 or times[0] is None or times[1] is None:
            faults.add(where, "segment", "It must be a pair of seconds, such as [3.2, 8.7].")
            continue
        if times[0] < 0:
            faults.add(where, "segment", "It begins before its video. Start it at 0 or later.")
            continue
        label = label.strip()
        yield Segment(source, number, categories.get(label, ""), label, times[0], times[1])


def _time(value: Any) -> Fraction | None:
    return Fraction(value) if isinstance(value, str) and TIME.fullmatch(value) else None


def _categories(taxonomy: Any) -> dict[str, str]:
    """Return the highest group of each label, of a taxonomy with `nodeName` and `parentName`."""
    nodes = taxonomy if isinstance(taxonomy, list) else []
    parents = {
        node["nodeName"]: node["parentName"]
        for node in nodes
        if isinstance(node, dict)
        and isinstance(node.get("nodeName"), str)
        and isinstance(node.get("parentName"), str)
    }
    categories = {}
    for name in parents:
        highest, visited = name, {name}
        while (parent := parents.get(highest)) and parent.casefold() != ROOT:
            if parent in visited:
                break
            visited.add(parent)
            highest = parent
        if highest != name and len(highest) <= MAX_NAME_LENGTH and highest.isprintable():
            categories[name] = highest
    return categories

"""What the files of a release say about each clip, and what people judged."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from metrics.plain_words import count_plain_words
from review.proof.verifying.released import (
    CLIPS,
    METADATA,
    VERDICTS,
    VIDEOS,
    Lines,
    csv_rows,
    json_items,
    json_rows,
    read_in_form,
)

TEXTS = {
    "general": "caption",
    "spatial": "spatial_caption",
    "temporal": "temporal_caption",
}
CAP = "cap"
LENGTH = "milliseconds"
OBJECTS = "objects"
ANSWERS = ("right", "enough", "needed")
YES_OR_NO = {True: "yes", False: "no"}
# (item, field) -> value; and question -> labels of a unit -> how often.
Facts = dict[tuple[str, str], Any]
Judgments = dict[str, Counter[tuple[str, ...]]]


class Judged(NamedTuple):
    """What somebody answered to a question about a unit."""

    by: str
    question: str
    unit: Hashable
    label: str


def released_facts(form: str, lines: Lines) -> tuple[Facts, list[Judged]]:
    """Return what the frozen files of this form have. Raises Unreadable."""
    facts = read_in_form(lambda: dict(FACTS[form](lines)))
    return facts, read_in_form(lambda: list(_judged(lines))) if form == "tfcovr" else []


def _clips_with_texts(lines: Lines) -> Iterator[tuple[tuple[str, str], Any]]:
    for row in json_items(lines(METADATA)):
        item = row["video"]
        for field in ("category", "subcategory"):
            yield (item, field), row[field]
        for kind, field in TEXTS.items():
            yield (item, kind), _measured(row[field])
        if OBJECTS in row:
            yield (item, OBJECTS), len(row[OBJECTS])


def _scenes(lines: Lines) -> Iterator[tuple[tuple[str, str], Any]]:
    for file, key, kind in ((CLIPS, "path", "general"), (VIDEOS, "vid", "full_video")):
        for row in json_rows(lines(file)):
            yield (row[key], kind), _measured(row[CAP])


def _labeled_clips(lines: Lines) -> Iterator[tuple[tuple[str, str], Any]]:
    for row in csv_rows(lines("clips.csv")):
        yield (row["clip"], "label"), row["label"]


def lengths_of(form: str, manifest: Any) -> Iterator[tuple[tuple[str, str], int]]:
    """Yield the milliseconds of each clip and whole video."""
    for entry in manifest["videos" if form == "lovr" else "clips"]:
        path, fps = PurePosixPath(entry["path"]), Fraction(entry["fps"])
        item = path.name if form == "carebench" else path.stem
        yield (item, LENGTH), round(entry["frames"] / fps * 1000)
        for scene in entry.get("clips", ()):
            frames = scene["end_frame"] - scene["start_frame"]
            clip = f"{item}/{item}-Scene-{scene['scene']:03d}.mp4"
            yield (clip, LENGTH), round(frames / fps * 1000)


def _measured(text: str) -> tuple[str, int | None]:
    """Return the hash of a text and its words; None where these take a package to count."""
    return sha256(text.encode()).hexdigest(), count_plain_words(text)


def _judged(lines: Lines) -> Iterator[Judged]:
    """Yield the labels of queries, targets and pairs of labels."""
    for row in json_rows(lines(VERDICTS)):
        by, query = row["by"], (row["split"], row["query"])
        for name in ANSWERS:
            yield Judged(by, name, query, YES_OR_NO[row[name]])
        for name in ("valid", "wrong"):
            for clip in row[name]:
                yield Judged(by, "targets", (*query, clip), name)
    pairs = {
        frozenset((row["label1"], row["label2"])): row["pair_verdicts"].lstrip("'")
        for row in csv_rows(lines("modifications.csv"))
    }
    for pair, verdicts in pairs.items():
        for verdict in filter(None, verdicts.split("; ")):
            by, _, kind = verdict.rpartition(" ")
            yield Judged(by, "kind", pair, kind)


def units_of(labels: Iterable[tuple[str, Hashable, str]]) -> Judgments:
    of_unit: dict[tuple[str, Hashable], list[str]] = defaultdict(list)
    for question, unit, label in labels:
        of_unit[question, unit].append(label)
    judgments: Judgments = defaultdict(Counter)
    for (question, _), given in of_unit.items():
        judgments[question][tuple(sorted(given))] += 1
    return judgments


FACTS: Mapping[str, Callable[[Lines], Iterator[tuple[tuple[str, str], Any]]]] = {
    "carebench": _clips_with_texts,
    "lovr": _scenes,
    "tfcovr": _labeled_clips,
}

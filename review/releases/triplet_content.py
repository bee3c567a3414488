"""The content of a release in TF-CoVR's form, and its files.

A build makes the content from the project, measures its files and freezes it. An export makes it
from the frozen rows, so that its files are the measured ones.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from annotate.datasets.writing import FRAMES, SECONDS
from annotate.models import Video
from annotate.text.spreadsheets import guarded
from review.display.tables import csv_lines
from review.releases.tensor_pickle import pickled_vectors
from review.triplets.exchange import TripletFile
from review.triplets.rows import ComposedRow
from review.triplets.writers import (
    TEST_COLUMNS,
    TRAIN_COLUMNS,
    loader_table,
    query_rows,
    triplet_rows,
)

Split = Video.Split
# Pages show test first.
SPLITS = (Split.TEST, Split.VALIDATION, Split.TRAIN)
# TF-CoVR's loader fails with more targets per query.
LOADER_TARGETS = 10

TRAIN = "annotations/train_finegd.csv"
VALIDATION = "annotations/val_finegd.csv"
TEST = "annotations/test_finegd.csv"
VERDICTS = "verdicts.jsonl"
EMBEDDINGS = "embeddings/clips.pkl"

PLACE_COLUMNS = (*FRAMES, *SECONDS)
CLIP_COLUMNS = ("id", "clip", "label", "split", "test_gallery", "source_video", *PLACE_COLUMNS)
LABEL_COLUMNS = ("label", "caption", "event", "source", "counts_as")
MADE = ("made", "model", "prompt", "imported_from", "edited_from", "decided_by", "pair_verdicts")
# The keys of each line, in order: PostgreSQL doesn't keep the order of JSON keys.
VERDICT = ("by", "right", "enough", "needed", "corrected", "valid", "wrong", "added")
OF_CLIPS = ("valid", "wrong", "added")
TEXT_COLUMNS = ("label1", "label2", "kind", "modification", *MADE)


@dataclass(frozen=True)
class LabelLine:
    key: str
    caption: str
    event: str
    source: str
    counts_as: str


@dataclass(frozen=True)
class ClipLine:
    """`label` is a key, "" without one. `provenance` has PLACE_COLUMNS under `place`. `number`: its
    place among all clips of the release, including those taken down since."""

    name: str
    label: str
    split: str
    is_in_gallery: bool
    source_video: str
    provenance: Mapping[str, Any]
    number: int = field(default=0, compare=False)


@dataclass(frozen=True)
class TextLine:
    """The text from one label to another; `provenance` has the columns of MADE."""

    source: str
    target: str
    kind: str
    text: str
    provenance: Mapping[str, str]


@dataclass(frozen=True)
class JudgedQuery:
    """A query as judged by people, or as generated if nobody judged it. `number` is its place in
    its split."""

    split: str
    number: int
    row: ComposedRow
    verdicts: Sequence[Mapping[str, Any]]


def without_clips(query: JudgedQuery, names: Set[str]) -> JudgedQuery | None:
    """Return the query and its verdicts without these clips; None if the query clip is one of them,
    or no other target is left."""
    if not names:
        return query
    targets = tuple(name for name in query.row.targets if name not in names)
    if query.row.clip in names or not targets:
        return None
    verdicts = [
        {**verdict, **{kind: [n for n in verdict[kind] if n not in names] for kind in OF_CLIPS}}
        for verdict in query.verdicts
    ]
    return replace(query, row=replace(query.row, targets=targets), verdicts=verdicts)


# Ids with their vectors: float32, little-endian.
Vectors = Iterator[Sequence[tuple[str, bytes]]]


@dataclass(frozen=True)
class TripletContent:
    """`clips` are in the order of their numbers; `queries` yields those of a split in order.
    `judged_splits`: the splits with queries that people verified. `vectors`: None without vectors.
    """

    labels: Sequence[LabelLine]
    clips: Sequence[ClipLine]
    texts: Sequence[TextLine]
    queries: Callable[[str], Iterator[JudgedQuery]]
    judged_splits: Sequence[str]
    vectors: Callable[[], Vectors] | None

    def rows(self, split: str) -> Iterator[ComposedRow]:
        return (query.row for query in self.queries(split))

    def numbered(self, split: str) -> Iterator[tuple[int, ComposedRow]]:
        return ((query.number, query.row) for query in self.queries(split))


def content_chunks(content: TripletContent) -> dict[str, Callable[[], Iterator[bytes]]]:
    """Return how the bytes of each file but the videos are made, by path."""
    texts = [
        TripletFile(TRAIN, lambda: loader_table(TRAIN_COLUMNS, _triplets(content))),
        TripletFile(VALIDATION, partial(_held_out, content, Split.VALIDATION)),
        TripletFile(TEST, partial(_held_out, content, Split.TEST)),
        clip_file(content.clips),
        TripletFile("labels.csv", partial(_labels, content)),
        TripletFile("modifications.csv", partial(_texts, content)),
        TripletFile(VERDICTS, partial(_verdicts, content)),
    ]
    chunks: dict[str, Callable[[], Iterator[bytes]]] = {file.path: file.chunks for file in texts}
    if vectors := content.vectors:
        chunks[EMBEDDINGS] = lambda: pickled_vectors(vectors())
    return chunks


def clip_file(clips: Sequence[ClipLine]) -> TripletFile:
    """Return `clips.csv`, whose `id` is the number in CIRCO's form."""
    return TripletFile("clips.csv", lambda: loader_table(CLIP_COLUMNS, _clips(clips)))


def _triplets(content: TripletContent) -> Iterator[tuple[object, ...]]:
    return triplet_rows(content.rows(Split.TRAIN))


def _held_out(content: TripletContent, split: Split) -> Iterator[str]:
    return loader_table(TEST_COLUMNS, query_rows(content.numbered(split), LOADER_TARGETS))


def _clips(clips: Sequence[ClipLine]) -> Iterator[tuple[object, ...]]:
    for clip in clips:
        place = clip.provenance["place"]
        yield (
            clip.number,
            clip.name,
            clip.label,
            clip.split,
            int(clip.is_in_gallery),
            clip.source_video,
            *(place.get(column, "") for column in PLACE_COLUMNS),
        )


def _labels(content: TripletContent) -> Iterator[str]:
    # Ids stay unchanged, because other files name them.
    rows = (
        (
            label.key,
            guarded(label.caption),
            guarded(label.event),
            guarded(label.source),
            label.counts_as,
        )
        for label in content.labels
    )
    return csv_lines(LABEL_COLUMNS, rows, is_guarded=False)


def _texts(content: TripletContent) -> Iterator[str]:
    rows = (
        (
            text.source,
            text.target,
            text.kind,
            guarded(text.text),
            *(guarded(text.provenance.get(column, "")) for column in MADE),
        )
        for text in content.texts
    )
    return csv_lines(TEXT_COLUMNS, rows, is_guarded=False)


def _verdicts(content: TripletContent) -> Iterator[str]:
    for split in content.judged_splits:
        for query in content.queries(split):
            for verdict in query.verdicts:
                line = {"split": split, "query": query.number}
                line |= {name: verdict[name] for name in VERDICT}
                yield json.dumps(line, ensure_ascii=False) + "\n"

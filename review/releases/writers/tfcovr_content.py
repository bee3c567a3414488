"""A release in TF-CoVR's form as tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from io import BytesIO
from typing import Any

import numpy as np
from django.db.models import Count

from annotate.models import Video
from review.exchange.files import ExportFile, measured_file
from review.frozen.models import Release
from review.releases.frozen_triplets import frozen_content
from review.releases.triplet_content import VERDICT, TextLine, TripletContent, Vectors
from review.releases.triplet_tally import TripletFacts
from review.releases.writers.key_order import TEXT, VIDEO, in_order
from review.releases.writers.tables import Column, Content, Making, Table
from review.releases.writers.tfcovr import (
    clip_files,
    counts_in_words,
    current_facts,
    offered_clips,
    split_path,
)
from review.triplets.rows import ComposedRow

QUERY = (
    Column("query", "text", "The name of the query clip"),
    Column("label1", "text", "The label of the query clip"),
    Column("label2", "text", "The label of the targets"),
    Column("kind", "text", "temporal or event"),
    Column("domain", "text", "The sport"),
    Column("modification", "text", "What differs between the query clip and its targets"),
    Column("targets", "texts", "The names of the target clips, the primary one first"),
)
CLIP = (
    Column("file_name", "text", "The clip's video in this folder"),
    Column("clip", "text", "The clip's name"),
    Column("label", "text", "The id of its label; empty without one"),
    Column("label_caption", "text", "What the label means"),
    Column("source_video", "text", "The video that it was cut from"),
    Column("test_gallery", "boolean", "Test queries are looked for among these"),
)
CLIP_RECORD = (
    *CLIP[1:3],
    Column("split", "text", "train, validation or test"),
    *CLIP[4:],
    Column("file_name", "text", "The clip's video in this folder"),
    Column("size", "integer", "Bytes of the video"),
    Column("sha256", "text", "Of the video"),
    Column("provenance", "object", "What file the clip is from"),
)
LABEL = (
    Column("label", "text", "The id"),
    Column("caption", "text", "What it means; several labels can share it"),
    Column("event", "text", "The event, if there are events"),
    Column("source", "text", "The sport"),
    Column("counts_as", "text", "The label that it counts as for targets, if any"),
)
MODIFICATION = (
    Column("label1", "text", "The label of the query clip"),
    Column("label2", "text", "The label of the targets"),
    Column("kind", "text", "temporal or event"),
    Column("modification", "text", "The text"),
    Column("provenance", "object", "Who or what made it, and under numbers who judged it"),
)
QUERY_RECORD = (
    Column("split", "text", "train, validation or test"),
    Column("number", "integer", "Its place in the split, from 0"),
    *QUERY,
    Column("verdicts", "objects", "What each person said about it, under numbers"),
)


def tfcovr_content(release: Release) -> Content:
    frozen = frozen_content(release)
    facts = current_facts(release)
    queries = facts.queries
    clips = dict(offered_clips(release).order_by().values_list("split").annotate(count=Count("pk")))
    labels = {label.key: label.caption for label in frozen.labels}
    splits = [split.value for split in Video.Split if clips.get(split)]
    return Content(
        tables=tfcovr_tables(
            queries,
            clips,
            lambda split: _query_rows(frozen, split),
            lambda split: _clip_rows(frozen, split, labels),
        ),
        records=(
            Table(
                name="clips",
                about="One line per labeled clip",
                columns=CLIP_RECORD,
                count=len(frozen.clips),
                rows=partial(_clip_records, release),
            ),
            Table(
                name="labels",
                about="One line per label",
                columns=LABEL,
                count=len(frozen.labels),
                rows=lambda: (tuple(vars(label).values()) for label in frozen.labels),
            ),
            Table(
                name="modifications",
                about="One line per text from one label to another",
                columns=MODIFICATION,
                count=len(frozen.texts),
                rows=lambda: map(_text_record, frozen.texts),
            ),
            Table(
                name="queries",
                about="One line per query, with its targets and verdicts",
                columns=QUERY_RECORD,
                count=sum(queries.values()),
                rows=partial(_query_records, frozen, splits),
            ),
        ),
        videos=clip_files(release),
        licenses=[
            (split_path(clip.split, clip.name), dict(clip.provenance)) for clip in frozen.clips
        ],
        making=tfcovr_making(facts),
        arrays=_arrays(frozen, facts),
        licensed="Annotations",
    )


def tfcovr_tables(
    queries: Mapping[str, int],
    clips: Mapping[str, int],
    query_rows: Callable[[str], Iterator[tuple[Any, ...]]],
    clip_rows: Callable[[str], Iterator[tuple[Any, ...]]],
) -> tuple[Table, ...]:
    """Return the tables of the splits that have any, by how many queries and clips each has."""
    of_queries = [
        Table(
            name="queries",
            about="One row per query; file_name is the query clip",
            columns=(CLIP[0], *QUERY),
            count=queries[split],
            rows=partial(query_rows, split.value),
            split=split.value,
            place=f"{split.value}/",
            videos=f"{split.value}/clips/*.mp4",
        )
        for split in Video.Split
        if queries.get(split) and clips.get(split)
    ]
    of_clips = [
        Table(
            name="clips",
            about="One row per labeled clip",
            columns=CLIP,
            count=clips[split],
            rows=partial(clip_rows, split.value),
            has_own_files=True,
            split=split.value,
            place=f"{split.value}/clips/",
            videos=f"{split.value}/clips/*.mp4",
        )
        for split in Video.Split
        if clips.get(split)
    ]
    return (*of_queries, *of_clips)


def _query_rows(frozen: TripletContent, split: str) -> Iterator[tuple[Any, ...]]:
    for row in frozen.rows(split):
        yield (split_path(split, row.clip), *_of_query(row))


def _of_query(row: ComposedRow) -> tuple[Any, ...]:
    return (row.clip, row.source, row.target, row.kind, row.domain, row.text, list(row.targets))


def _query_records(frozen: TripletContent, splits: list[str]) -> Iterator[tuple[Any, ...]]:
    for split in splits:
        for query in frozen.queries(split):
            verdicts = in_order(list(query.verdicts), VERDICT)
            yield (split, query.number, *_of_query(query.row), verdicts)


def _text_record(text: TextLine) -> tuple[Any, ...]:
    *values, provenance = vars(text).values()
    return (*values, in_order(provenance, TEXT))


def _clip_rows(
    frozen: TripletContent, split: str, labels: dict[str, str]
) -> Iterator[tuple[Any, ...]]:
    for clip in frozen.clips:
        if clip.split == split:
            yield (
                split_path(split, clip.name),
                clip.name,
                clip.label,
                labels.get(clip.label, ""),
                clip.source_video,
                clip.is_in_gallery,
            )


def _clip_records(release: Release) -> Iterator[tuple[Any, ...]]:
    columns = (
        *("name", "label__key", "split", "source_video", "is_in_gallery"),
        *("video_size", "video_sha256", "provenance"),
    )
    rows = offered_clips(release).order_by("number").values_list(*columns)
    for name, label, split, *middle, size, sha256, provenance in rows.iterator():
        path = split_path(split, name)
        yield (name, label or "", split, *middle, path, size, sha256, in_order(provenance, VIDEO))


def _arrays(frozen: TripletContent, facts: TripletFacts) -> tuple[ExportFile, ...]:
    """Return the vectors of the clips as an array of numpy, if the release has them."""
    if frozen.vectors is None or facts.vectors is None:
        return ()
    shape = (len(frozen.clips), facts.vectors.dimension)
    return (measured_file("clip_vectors.npy", partial(_array, frozen.vectors, shape)),)


def _array(vectors: Callable[[], Vectors], shape: tuple[int, int]) -> Iterator[bytes]:
    header = BytesIO()
    described = {"descr": "<f4", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(header, described)
    yield header.getvalue()
    for batch in vectors():
        yield b"".join(vector for _, vector in batch)


def tfcovr_making(facts: TripletFacts) -> Making:
    """Return how queries with these facts and counts were made."""
    return Making(
        summary="A query clip and a modification ask for target clips.",
        collection=f"{counts_in_words(facts)}.",
        protocol="Pairs of labels that differ in time or event are chosen, each with a text about "
        "the difference. Queries and targets are generated from the labels of the clips. Queries "
        "that people verified have the text and the targets that most of them found right.",
        composition=f"Seed {facts.generated.seed}; at most "
        f"{facts.generated.most_targets} targets per query.",
    )

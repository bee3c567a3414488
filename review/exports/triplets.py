"""A set of triplets as files: TF-CoVR's CSVs, CIRCO's JSON, and what the two leave out.

Nothing in them names the project or the moment, so that a set that is exported, imported elsewhere
and exported again gives the same bytes.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db.models import Q

from annotate.datasets.rows import source_name
from annotate.models import ActionLabel, Clip, Video
from review.errors import ReviewError
from review.exports.files import ExportFile, measure
from review.models import LabelPair, Modification, TargetVerdict, Triplet, TripletSet
from review.queries.composed_rows import ComposedRow, composed_rows

Split = Video.Split

FORMAT = "vericap-triplets 1"
CSV_NAMES = {Split.TRAIN: "train.csv", Split.VALIDATION: "val.csv", Split.TEST: "test.csv"}
TRAIN_COLUMNS = ("query_video", "target_video", "label1", "label2", "modification")
TEST_COLUMNS = ("query_id", "query_video", "target_video", "modification", "target_videos_ids")
MODIFICATION_COLUMNS = ("label1", "label2", "kind", "modification")
LABEL_COLUMNS = ("label", "caption", "domain")
CLIP_COLUMNS = ("id", "clip", "label", "split", "source_video")
LINES_AT_ONCE = 1_000

README = """\
# Triplets for composed video retrieval

A query clip and a modification ask for target clips. A label is told apart by its key, never by
its caption: several labels share one.

- `train.csv`: one row is one triplet. `modification` is a Python literal,
  `{{'<label2>': {{'modification': '<text>'}}}}`.
- `val.csv`, `test.csv`: one row is one query. `query_id` counts from 0, `modification` is the text,
  `target_videos_ids` a Python literal: a list of all valid targets, `target_video` its first.
- `circo/val.json`, `circo/test.json`: the same queries in CIRCO's form; the numbers are the `id` of
  `clips.csv`. `circo/test_public.json` leaves the targets out.
- `clips.csv`: the clips of this set. Clips of one source video are all in one split.
- `labels.csv`, `modifications.csv`: the labels, and the text of each direction between two.
- `set.json`: how the set was made.

Read the Python literals with `ast.literal_eval`, never with `eval`.

A query of validation or test has at most {most} targets, drawn by the seed {seed} where there are
more.

{verified}
"""
AS_GENERATED = "The test queries are as they were generated: `verified_only` is false."
VERIFIED_ONLY = """\
The test queries are only those that people verified (`verified_only` is true): with the targets
that most of them found valid, then the clips that most of them added, and with the corrected text
where most corrected it. Queries without a valid target are left out. Train and validation are as
they were generated."""


@dataclass(frozen=True)
class TripletFile:
    """`text` gives the content, piece by piece."""

    path: str
    text: Callable[[], Iterator[str]]

    def chunks(self) -> Iterator[bytes]:
        for piece in self.text():
            yield piece.encode()

    def measured(self) -> ExportFile:
        """The same with its size and hash, which takes making it once."""
        sha256, size = measure(self.chunks())
        return ExportFile(self.path, size, sha256, self.chunks)


def triplet_files(triplets: TripletSet, *, verified_only: bool = False) -> list[TripletFile]:
    """The files of a set. Raises ReviewError while it is not finished."""
    if triplets.state != TripletSet.State.FINISHED:
        raise ReviewError("This set is not finished, so there is nothing to export yet.")

    def rows(split: Split) -> Iterator[ComposedRow]:
        only = verified_only and split == Split.TEST
        return composed_rows(triplets, split, verified_only=only)

    def of_test(split: Split) -> Iterator[str]:
        return _table(TEST_COLUMNS, _test_rows(rows(split)))

    def circo(split: Split, *, is_public: bool = False) -> Iterator[str]:
        ids = {name: number for number, name in enumerate(_used_clips(triplets, verified_only))}
        return _circo(rows(split), ids, is_public=is_public)

    return [
        TripletFile("README.md", partial(_readme, triplets, verified_only)),
        TripletFile("set.json", partial(_about, triplets, verified_only)),
        TripletFile("train.csv", lambda: _table(TRAIN_COLUMNS, _train_rows(rows(Split.TRAIN)))),
        TripletFile("val.csv", partial(of_test, Split.VALIDATION)),
        TripletFile("test.csv", partial(of_test, Split.TEST)),
        TripletFile("circo/val.json", partial(circo, Split.VALIDATION)),
        TripletFile("circo/test.json", partial(circo, Split.TEST)),
        TripletFile("circo/test_public.json", partial(circo, Split.TEST, is_public=True)),
        TripletFile("clips.csv", lambda: _table(CLIP_COLUMNS, _clip_rows(triplets, verified_only))),
        TripletFile("labels.csv", lambda: _table(LABEL_COLUMNS, _label_rows(triplets))),
        TripletFile(
            "modifications.csv",
            lambda: _table(MODIFICATION_COLUMNS, _modification_rows(triplets)),
        ),
    ]


def _readme(triplets: TripletSet, verified_only: bool) -> Iterator[str]:
    verified = VERIFIED_ONLY if verified_only else AS_GENERATED
    yield README.format(most=triplets.most_targets, seed=triplets.seed, verified=verified)


def _about(triplets: TripletSet, verified_only: bool) -> Iterator[str]:
    about = {
        "format": FORMAT,
        "seed": triplets.seed,
        "most_targets": triplets.most_targets,
        "verified_only": verified_only,
        "triplets_generated": triplets.triplet_count,
    }
    yield json.dumps(about, indent=2) + "\n"


def _train_rows(rows: Iterable[ComposedRow]) -> Iterator[tuple[object, ...]]:
    for row in rows:
        modification = repr({row.target: {"modification": row.text}})
        for target in row.targets:
            yield row.clip, target, row.source, row.target, modification


def _test_rows(rows: Iterable[ComposedRow]) -> Iterator[tuple[object, ...]]:
    for number, row in enumerate(rows):
        yield number, row.clip, row.targets[0], row.text, repr(list(row.targets))


def _used_clips(triplets: TripletSet, verified_only: bool) -> dict[str, tuple[str, str, str]]:
    """name -> label, split and source video of each clip that the files name, by name."""
    queries = triplets.queries.values("clip")
    targets = Triplet.objects.filter(query__triplets=triplets).values("target")
    used = Q(pk__in=queries) | Q(pk__in=targets)
    if verified_only:
        added = TargetVerdict.objects.filter(verdict__query__triplets=triplets, is_added=True)
        used |= Q(pk__in=added.values("clip"))
    rows = (
        Clip.objects.filter(used)
        .order_by("name")
        .values_list(
            "name", "label__key", "video__split", "video__cut_from", "video__original_name"
        )
    )
    return {
        name: (label or "", split, source_name(cut_from, file))
        for name, label, split, cut_from, file in rows
    }


def _clip_rows(triplets: TripletSet, verified_only: bool) -> Iterator[tuple[object, ...]]:
    for number, (name, facts) in enumerate(_used_clips(triplets, verified_only).items()):
        yield number, name, *facts


def _label_rows(triplets: TripletSet) -> Iterator[tuple[object, ...]]:
    texts = Modification.objects.filter(pk__in=triplets.queries.values("modification"))
    used = Q(pk__in=texts.values("source")) | Q(pk__in=texts.values("target"))
    labels = ActionLabel.objects.filter(used)
    yield from labels.order_by("key").values_list("key", "caption", "domain")


def _modification_rows(triplets: TripletSet) -> Iterator[tuple[object, ...]]:
    texts = Modification.objects.filter(pk__in=triplets.queries.values("modification"))
    yield from texts.order_by("source__key", "target__key", "text").values_list(
        "source__key", "target__key", "pair__kind", "text"
    )


def _circo(
    rows: Iterable[ComposedRow], ids: Mapping[str, int], *, is_public: bool
) -> Iterator[str]:
    yield "["
    for number, row in enumerate(rows):
        entry: dict[str, Any] = {"reference_img_id": ids[row.clip]}
        if not is_public:
            entry["target_img_id"] = ids[row.targets[0]]
        entry |= {"relative_caption": row.text, "shared_concept": row.domain}
        if not is_public:
            entry["gt_img_ids"] = [ids[target] for target in row.targets]
        entry["id"] = number
        if not is_public:
            kind = row.kind and LabelPair.Kind(row.kind).label.lower()
            entry["semantic_aspects"] = [kind] if kind else []
        yield (",\n" if number else "\n") + json.dumps(entry, ensure_ascii=False)
    yield "\n]\n"


def _table(columns: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> Iterator[str]:
    """CSV, some lines at a time."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(columns)
    for number, row in enumerate(rows, 1):
        writer.writerow(row)
        if number % LINES_AT_ONCE == 0:
            yield buffer.getvalue()
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue()

"""Write a triplet set as files: TF-CoVR's CSVs, CIRCO's JSON, and what these two lack.

They name neither the project nor the time, so that a set that is exported, imported elsewhere and
exported again gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import islice

from django.db.models import Q

from annotate.datasets.rows import source_name
from annotate.datasets.writing import FRAMES, SECONDS, place_in_source
from annotate.models import ActionLabel, Clip, Video
from review.display.tables import json_lines, json_text
from review.errors import ReviewError
from review.exchange.files import ExportFile, measured_file
from review.modifications.models import Modification
from review.triplets.caps import Caps
from review.triplets.models import Triplet, TripletSet
from review.triplets.queries import test_clips, test_gallery, test_queries
from review.triplets.rows import ComposedRow, composed_rows
from review.triplets.writers import (
    TEST_COLUMNS,
    TRAIN_COLUMNS,
    circo_entries,
    loader_table,
    query_rows,
    triplet_rows,
)

Split = Video.Split

FORMAT = "vericap-triplets 1"
CSV_NAMES = {Split.TRAIN: "train.csv", Split.VALIDATION: "val.csv", Split.TEST: "test.csv"}
MODIFICATION_COLUMNS = ("label1", "label2", "kind", "modification")
LABEL_COLUMNS = ("label", "caption", "domain", "event")
PLACE_COLUMNS = (*FRAMES, *SECONDS)
CLIP_COLUMNS = ("id", "clip", "label", "split", "test_gallery", "source_video", *PLACE_COLUMNS)
PIECE_BATCH_SIZE = 1_000

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
- `clips.csv`: every labeled clip of the three splits, whether or not a triplet has it. Clips of
  one source video are all in one split.
- `labels.csv`, `modifications.csv`: the labels of these clips, and the text of each direction
  between two labels.
- `set.json`: how the set was made.

Read the Python literals with `ast.literal_eval`, never with `eval`. The CSVs hold each text as it
is, since TF-CoVR's loader takes a cell for the text itself: a spreadsheet would run a cell that
begins with `=`, `+`, `-` or `@` as a formula, so import the columns as text there.

A query of validation or test has at most {most} targets, drawn by the seed {seed} where there are
more. {train} Targets are only from other source videos than the query clip's: {apart}.

All other clips of the gallery with the target label of a query are right too, but no targets. Leave
them out of the query's ranking, or take all of them as targets; never count them as wrong.

{verified}

## The gallery

A test query is looked for among the clips with `test_gallery` 1 in `clips.csv`, all of them but the
query's own: {gallery}.

## The clips

A clip is the frames of `source_video` from `first_frame` up to, and without, `end_frame`; the first
frame of a video is 0. `start` and `end` are the same in seconds. Where the frame rate varies only
these are given: cut by time there. Where neither is given, the clip is a video file of its own,
which was cut from `source_video` before. To cut by frames:

    ffmpeg -i VIDEO -vf "trim=start_frame=FIRST:end_frame=END,setpts=PTS-STARTPTS" -an CLIP.mp4

`manage.py export_dataset PROJECT --annotations clips.json --labels labels.json` writes the same
clips as another project imports them.
"""
AS_GENERATED = "The test queries are as they were generated: `verified_only` is false."
ALL_LABELLED = "every labeled clip of the test split"
AND_ADDED = f"{ALL_LABELLED}, and all other clips that are targets in this project"
VERIFIED_ONLY = """\
The test queries are only those that people verified (`verified_only` is true): with the targets
that most of them found valid, then the clips that most of them added, and with the corrected text
where most corrected it. Queries without a valid target are left out. Train and validation are as
they were generated."""


@dataclass(frozen=True)
class TripletFile:
    """`text` yields the content in pieces."""

    path: str
    text: Callable[[], Iterator[str]]

    def chunks(self) -> Iterator[bytes]:
        pieces = self.text()
        while together := "".join(islice(pieces, PIECE_BATCH_SIZE)):
            yield together.encode()

    def measured(self) -> ExportFile:
        """Return the file with its size and hash, which requires generating it once."""
        return measured_file(self.path, self.chunks)


def triplet_files(triplets: TripletSet, *, verified_only: bool = False) -> list[TripletFile]:
    """Return the files of a set. Raises ReviewError if it isn't finished."""
    if triplets.state != TripletSet.State.FINISHED:
        raise ReviewError("This set is not finished. Wait, then export it.")

    def rows(split: Split) -> Iterator[ComposedRow]:
        only = verified_only and split == Split.TEST
        return composed_rows(triplets, split, verified_only=only)

    @cache
    def clips() -> list[ListedClip]:
        return listed_clips(triplets, verified_only)

    def of_test(split: Split) -> Iterator[str]:
        return loader_table(TEST_COLUMNS, query_rows(enumerate(rows(split))))

    def circo(split: Split, *, is_public: bool = False) -> Iterator[str]:
        ids = {clip.name: number for number, (clip, _) in enumerate(clips())}
        return json_lines(circo_entries(enumerate(rows(split)), ids, is_public=is_public))

    return [
        TripletFile("README.md", partial(_readme, triplets, verified_only)),
        TripletFile("set.json", partial(_about, triplets, verified_only)),
        TripletFile(
            "train.csv", lambda: loader_table(TRAIN_COLUMNS, triplet_rows(rows(Split.TRAIN)))
        ),
        TripletFile("val.csv", partial(of_test, Split.VALIDATION)),
        TripletFile("test.csv", partial(of_test, Split.TEST)),
        TripletFile("circo/val.json", partial(circo, Split.VALIDATION)),
        TripletFile("circo/test.json", partial(circo, Split.TEST)),
        TripletFile("circo/test_public.json", partial(circo, Split.TEST, is_public=True)),
        TripletFile("clips.csv", lambda: loader_table(CLIP_COLUMNS, _clip_rows(clips()))),
        TripletFile(
            "labels.csv", lambda: loader_table(LABEL_COLUMNS, _label_rows(triplets, clips()))
        ),
        TripletFile(
            "modifications.csv",
            lambda: loader_table(MODIFICATION_COLUMNS, _modification_rows(triplets)),
        ),
    ]


def _readme(triplets: TripletSet, verified_only: bool) -> Iterator[str]:
    verified = VERIFIED_ONLY if verified_only else AS_GENERATED
    yield README.format(
        most=triplets.most_targets,
        seed=triplets.seed,
        train=_train_limits(triplets.caps),
        apart=triplets.get_other_sources_display().lower(),
        verified=verified,
        gallery=AND_ADDED if verified_only else ALL_LABELLED,
    )


def _train_limits(caps: Caps) -> str:
    """Return a sentence about the limits of the train split."""
    limits = [
        f"{number} {noun}"
        for number, noun in (
            (caps.per_query, "targets of a query"),
            (caps.per_direction, "triplets from one label to another"),
            (caps.triplets, "triplets in all"),
        )
        if number
    ]
    if not limits:
        return "Train has all triplets."
    return f"Train has at most {', '.join(limits)}, drawn by the seed."


def _about(triplets: TripletSet, verified_only: bool) -> Iterator[str]:
    about = {
        "format": FORMAT,
        "seed": triplets.seed,
        "most_targets": triplets.most_targets,
        "other_sources": triplets.other_sources,
        "test_queries": triplets.test_queries,
        "most_per_query": triplets.most_per_query,
        "most_per_direction": triplets.most_per_direction,
        "train_triplets": triplets.train_triplets,
        "verified_only": verified_only,
        "triplets_generated": triplets.triplet_count,
    }
    yield json_text(about)


# A clip, and whether it is in the gallery of the test queries.
ListedClip = tuple[Clip, bool]


def listed_clips(triplets: TripletSet, verified_only: bool) -> list[ListedClip]:
    """Return the labeled clips of the splits and other clips in the files, by name."""
    project = triplets.project
    gallery = set(test_gallery(project, test_queries(triplets) if verified_only else []))
    queries = triplets.queries.values("clip")
    targets = Triplet.objects.filter(query__triplets=triplets).values("target")
    added = gallery.difference(test_clips(project).values_list("pk", flat=True))
    listed = (
        Q(label__isnull=False, video__split__in=Split.values)
        | Q(pk__in=queries)
        | Q(pk__in=targets)
        | Q(pk__in=added)
    )
    clips = Clip.objects.filter(listed, project=project).select_related("video", "label")
    return [(clip, clip.pk in gallery) for clip in clips.defer("video__shots").order_by("name")]


def _clip_rows(clips: Iterable[ListedClip]) -> Iterator[tuple[object, ...]]:
    for number, (clip, is_in_gallery) in enumerate(clips):
        video, place = clip.video, place_in_source(clip)
        yield (
            number,
            clip.name,
            clip.label.key if clip.label else "",
            video.split,
            int(is_in_gallery),
            source_name(video.cut_from, video.original_name),
            *(place.get(column, "") for column in PLACE_COLUMNS),
        )


def _label_rows(triplets: TripletSet, clips: Iterable[ListedClip]) -> Iterator[tuple[object, ...]]:
    texts = Modification.objects.filter(pk__in=triplets.queries.values("modification"))
    of_texts = texts.values_list("source", "target")
    used = {clip.label_id for clip, _ in clips}.union(*of_texts)
    labels = ActionLabel.objects.filter(project=triplets.project_id).order_by("key")
    for pk, *row in labels.values_list("pk", "key", "caption", "domain", "event"):
        if pk in used:
            yield tuple(row)


def _modification_rows(triplets: TripletSet) -> Iterator[tuple[object, ...]]:
    texts = Modification.objects.filter(pk__in=triplets.queries.values("modification"))
    yield from texts.order_by("source__key", "target__key", "text").values_list(
        "source__key", "target__key", "pair__kind", "text"
    )

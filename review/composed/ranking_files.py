"""Read rankings and vectors of composed queries made elsewhere, and check them against a set.

A CIRCO submission is a JSON object from the id of a query to the ids of clips, nearest first. A
vector file has vectors of the composed queries and of the gallery, from which the rankings are
computed here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import PurePath

import numpy as np

from annotate.models import Video
from metrics.retrieval import rank_gallery
from review.errors import ReviewError
from review.retrieval.vector_arrays import Layout, VectorArray
from review.retrieval.vector_files import SUFFIXES, open_vectors
from review.triplets.exchange import listed_clips
from review.triplets.models import TripletSet
from review.triplets.queries import test_gallery, test_queries
from review.triplets.rows import composed_rows

MAX_BYTES = 64 * 2**20
# Enough for mAP@50 and the right clips that are omitted from a ranking.
MAX_RANKED = 1_000
LAYOUT = Layout(
    {"queries": "query_vectors", "clips": "clip_vectors"},
    frozenset({"queries", "clips"}),
    2,
    "The file needs queries with query_vectors, and clips with clip_vectors.",
)

Rankings = dict[int, list[int]]


@dataclass(frozen=True)
class ExportedIds:
    """The ids of an exported set: `queries` by query_id, each with its own clip; `clips` by name
    and by the id of clips.csv; `gallery`: keys of clips.
    """

    queries: Mapping[str, tuple[int, int]]
    clips: Mapping[str, int]
    gallery: frozenset[int]


def exported_ids(triplets: TripletSet, *, verified_only: bool) -> ExportedIds:
    own = dict(triplets.queries.filter(split=Video.Split.TEST).values_list("pk", "clip"))
    keys = (
        [row.key for row in composed_rows(triplets, Video.Split.TEST, verified_only=True)]
        if verified_only
        else sorted(own)
    )
    clips: dict[str, int] = {}
    for number, (clip, _) in enumerate(listed_clips(triplets, verified_only)):
        clips.setdefault(str(number), clip.pk)
        clips[clip.name] = clip.pk
    gallery = test_gallery(triplets.project, test_queries(triplets))
    queries = {str(number): (key, own[key]) for number, key in enumerate(keys)}
    return ExportedIds(queries, clips, frozenset(gallery))


def read_rankings(file_name: str, data: bytes, exported: ExportedIds) -> Rankings:
    """Read rankings. Raises ReviewError, which names the row, the field and the fix."""
    if not exported.queries:
        raise ReviewError("The set has no such test queries, so there is nothing to rank.")
    if len(data) > MAX_BYTES:
        raise ReviewError(
            f"The file is larger than {MAX_BYTES // 2**20} MiB. Keep the first "
            f"{MAX_RANKED:,} clips of each query."
        )
    if PurePath(file_name).suffix.lower() in SUFFIXES:
        return _from_vectors(file_name, data, exported)
    return _from_json(data, exported)


def _from_json(data: bytes, exported: ExportedIds) -> Rankings:
    try:
        submission = json.loads(data, object_pairs_hook=_each_once)
    except (ValueError, RecursionError) as error:
        raise ReviewError(
            "The file is neither JSON, .npz nor .safetensors. Save the rankings as a JSON object "
            "from each query_id to a list of clips."
        ) from error
    if not isinstance(submission, dict):
        raise ReviewError("The JSON must be an object from each query_id to a list of clips.")
    _check_queries(list(submission), exported)
    return {
        exported.queries[query][0]: _clips(query, clips, exported)
        for query, clips in submission.items()
    }


def _each_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ReviewError(f"query {twice[:40]!r} is in the file twice. Keep one.")
    return made


def _check_queries(ids: Sequence[str], exported: ExportedIds) -> None:
    last = len(exported.queries) - 1
    for query in ids:
        if query not in exported.queries:
            raise ReviewError(
                f"query {query[:40]!r}: the set has no such query_id. They go from 0 to {last}, as "
                "in test.csv. Choose the set and the download that you ranked."
            )
    missing = sorted(exported.queries.keys() - set(ids), key=int)
    if missing:
        raise ReviewError(
            f"query {missing[0]}: it is missing, with {len(missing) - 1} others. Rank every query "
            f"from 0 to {last}."
        )


def _clips(query: str, clips: object, exported: ExportedIds) -> list[int]:
    if not isinstance(clips, list) or not clips:
        raise ReviewError(f"query {query}: give a list of clips, nearest first.")
    own, keys = exported.queries[query][1], dict[int, int]()
    for place, clip in enumerate(clips, 1):
        key = _gallery_clip(f"query {query}, place {place}", clip, exported)
        if key in keys:
            raise ReviewError(
                f"query {query}, place {place}: {str(clip)[:100]!r} is also at place {keys[key]}. "
                "Rank each clip once."
            )
        keys[key] = place
    return [key for key in keys if key != own][:MAX_RANKED]


def _gallery_clip(where: str, clip: object, exported: ExportedIds) -> int:
    is_id = isinstance(clip, (int, str)) and not isinstance(clip, bool)
    key = exported.clips.get(str(clip)) if is_id else None
    if key is None:
        raise ReviewError(
            f"{where}: the set has no clip {str(clip)[:100]!r}. Use the names or ids of clips.csv."
        )
    if key not in exported.gallery:
        raise ReviewError(
            f"{where}: {str(clip)[:100]!r} is not in the test gallery. Rank only clips with "
            "test_gallery 1 in clips.csv."
        )
    return key


def _from_vectors(file_name: str, data: bytes, exported: ExportedIds) -> Rankings:
    file = open_vectors(BytesIO(data), file_name, LAYOUT)
    queries = [str(name) for name in file.ids["queries"]]
    if len(set(queries)) < len(queries):
        raise ReviewError("queries has an id twice. Give each query one vector.")
    _check_queries(queries, exported)
    clips = [
        _gallery_clip(f"clips, row {row}", clip, exported)
        for row, clip in enumerate(file.ids["clips"], 1)
    ]
    if len(set(clips)) < len(clips):
        raise ReviewError("clips has a clip twice. Give each clip one vector.")
    if absent := len(exported.gallery - set(clips)):
        raise ReviewError(
            f"clips: {absent} of {len(exported.gallery)} clips of the test gallery have no vector. "
            "Embed every clip with test_gallery 1 in clips.csv."
        )
    # Break ties between equal cosines by the clips' keys, independent of the file's order.
    order = np.argsort(clips)
    place_of = {clips[row]: place for place, row in enumerate(order)}
    masked = [
        [place_of[own]] if (own := exported.queries[query][1]) in place_of else []
        for query in queries
    ]
    try:
        ranked = rank_gallery(
            _numbers(file.vectors["queries"]),
            _numbers(file.vectors["clips"])[order],
            MAX_RANKED,
            masked=masked,
        )
    except ValueError as error:
        raise ReviewError(f"The vectors can't be ranked: {error}.") from error
    return {
        exported.queries[query][0]: [clips[order[place]] for place in places]
        for query, places in zip(queries, ranked, strict=True)
    }


def _numbers(array: VectorArray) -> np.ndarray:
    return np.concatenate([block for _, block in array.blocks()])

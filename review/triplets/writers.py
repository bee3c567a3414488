"""Write composed queries, in order, as lines of TF-CoVR's CSVs and CIRCO's JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from review.display.tables import csv_lines
from review.pairs.models import LabelPair
from review.triplets.rows import ComposedRow

TRAIN_COLUMNS = ("query_video", "target_video", "label1", "label2", "modification")
TEST_COLUMNS = ("query_id", "query_video", "target_video", "modification", "target_videos_ids")


def triplet_rows(rows: Iterable[ComposedRow]) -> Iterator[tuple[object, ...]]:
    """Yield a row for each target, with TRAIN_COLUMNS."""
    for row in rows:
        modification = repr({row.target: {"modification": row.text}})
        for target in row.targets:
            yield row.clip, target, row.source, row.target, modification


def query_rows(
    rows: Iterable[tuple[int, ComposedRow]], max_targets: int | None = None
) -> Iterator[tuple[object, ...]]:
    """Yield a row for each query with its number, with TEST_COLUMNS and its first `max_targets`
    targets, or all."""
    for number, row in rows:
        targets = list(row.targets[:max_targets])
        yield number, row.clip, targets[0], row.text, repr(targets)


def circo_entries(
    rows: Iterable[tuple[int, ComposedRow]], ids: Mapping[str, int], *, is_public: bool
) -> Iterator[dict[str, Any]]:
    """Yield CIRCO's record of each query with its number, without its targets if `is_public`.
    `ids`: the number of each clip."""
    for number, row in rows:
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
        yield entry


def loader_table(columns: Sequence[str], rows: Iterable[tuple[object, ...]]) -> Iterator[str]:
    """Yield CSV as TF-CoVR's loader reads it, which takes each cell for the text itself."""
    return csv_lines(columns, rows, is_guarded=False)

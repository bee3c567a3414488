"""Files of a release's reports that would show an item that was taken down: its vectors."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from review.exchange.files import stored_chunks
from review.frozen.models import Release
from review.proof.verifying.parsing import parsed
from review.proof.verifying.tables import INDEX, Listed, report_from
from review.reports.results import convert

VECTORS = "_vectors"
# Tables keyed by clip; the others are keyed by caption.
OF_CLIPS = ("clips", "videos")


class VectorRow(NamedTuple):
    """What a vector is of. `key`: the caption, or the clip again."""

    clip: int
    key: int | None = None


def withheld_files(release: Release, names: dict[str, str]) -> set[str]:
    """Return the paths of the arrays that have a vector of an item that was taken down. Labels
    stay: their keys show nothing. `names`: where the storage has each file, by path."""
    if not release.withdrawn:
        return set()
    reports = [path for path in names if path.startswith("reports/") and path.count("/") == 1]
    held: set[str] = set()
    for path in reports:
        if path != INDEX and path.endswith(".json"):
            held.update(_arrays(release, _inputs_of(names[path]), names))
    return held


def unproved_reports(release: Release, names: dict[str, str]) -> list[str]:
    """Return the titles of the reports that this copy can't compute again, because it lacks one of
    their arrays."""
    withheld = withheld_files(release, names)
    reports = convert((release.proof or {}).get("reports", ()), list[Listed])
    return [
        report.title
        for report in reports
        if withheld and withheld & set(_inputs_of(names[report.file]).values())
    ]


def _inputs_of(stored: str) -> Mapping[str, str]:
    return report_from(b"".join(stored_chunks(stored))).inputs


def _arrays(release: Release, inputs: Mapping[str, str], names: dict[str, str]) -> Iterator[str]:
    for name, path in inputs.items():
        part = name.removesuffix(VECTORS)
        if name.endswith(VECTORS) and part in inputs:
            rows = _rows(names[inputs[part]])
            if any(_shows(release, part, row) for row in rows):
                yield path


def _shows(release: Release, part: str, row: VectorRow) -> bool:
    withdrawn = release.withdrawn
    is_caption = part not in OF_CLIPS and row.key in withdrawn.captions
    return is_caption or row.clip in withdrawn.clips


def _rows(stored: str) -> Iterator[VectorRow]:
    content = io.BytesIO(b"".join(stored_chunks(stored)))
    return (parsed(json.loads(line), VectorRow) for line in content)

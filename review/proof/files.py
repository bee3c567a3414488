"""The files of a release that prove its numbers, in every format that is a folder."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterator, Mapping
from functools import partial
from typing import NamedTuple

from annotate.file_store import proof_name
from review.exchange.files import (
    ExportFile,
    measured_file,
    stored_chunks,
    sum_lines,
    text_file,
)
from review.frozen.models import Release
from review.proof.bundle import verify_pyz
from review.proof.freezing import VERIFY, proof_of
from review.proof.verifying.hashes import PROOF_SUMS
from review.proof.verifying.parsing import parsed
from review.proof.verifying.tables import INDEX, report_from

VERIFY_COMMAND = f"python {VERIFY}"
VECTORS = "_vectors"
# Tables keyed by clip; the others are keyed by caption.
OF_CLIPS = ("clips", "videos")


class VectorRow(NamedTuple):
    """What a vector is of. `key`: the caption, or the clip again."""

    clip: int
    key: int | None = None


def proof_files(release: Release) -> list[ExportFile]:
    """Return `verify.pyz`, the frozen reports with their inputs, and a list of their hashes. After
    a takedown, leave out vectors of withdrawn items, and use the current `verify.pyz`."""
    names = _stored_names(release)
    withheld = _withheld(release, names)
    files = [
        ExportFile(path, size, sha256, partial(stored_chunks, names[path]))
        for path, size, sha256 in proof_of(release).files
        if path not in withheld
    ]
    if release.withdrawn:
        current = measured_file(VERIFY, lambda: iter([verify_pyz()]))
        files = [current if file.path == VERIFY else file for file in files]
    return [*files, text_file(PROOF_SUMS, _sums(release))]


def proof_hashes(release: Release) -> list[tuple[str, str]]:
    """Return the path and the frozen SHA-256 of each of these files."""
    return [(path, sha256) for path, _, sha256 in proof_of(release).files]


def proof_entry(release: Release) -> dict[str, object]:
    """Return a manifest's entry about these files."""
    return {"proof": {"path": PROOF_SUMS, "sha256": proof_hash(release)}}


def proof_hash(release: Release) -> str:
    """Return the SHA-256 of `reports/SHA256SUMS`."""
    return hashlib.sha256(_sums(release).encode()).hexdigest()


def proof_lines(release: Release) -> str:
    """Return the lines about these files in the list of a README."""
    lines = (
        f"- `{VERIFY}`: checks every hash and computes the numbers of the reports again:\n"
        f"  `{VERIFY_COMMAND}`. It needs Python 3.11 or newer and numpy\n"
        "- `reports/`: the reports of that time, with what they were computed from\n"
    )
    if titles := _unproved(release, _stored_names(release)):
        lines += (
            "- These reports can’t be computed again from this copy, because it lacks the vectors\n"
            "  of what was withdrawn:\n"
        )
    return lines + "".join(f"  - {title}\n" for title in titles) + coverage_lines(release)


def coverage_lines(release: Release) -> str:
    """Return the lines of a README about reports on fewer clips than the release has."""
    partial = [report for report in proof_of(release).reports if report.covers]
    if not partial:
        return ""
    lines = (f"  - {report.title} covers {report.covers}\n" for report in partial)
    return "".join(("- These reports are about fewer clips than the release has:\n", *lines))


def _sums(release: Release) -> str:
    return "".join(sum_lines(proof_hashes(release)))


def _stored_names(release: Release) -> dict[str, str]:
    """Return where the storage has each file, by path."""
    return {path: proof_name(release.project_id, sha256) for path, sha256 in proof_hashes(release)}


def _withheld(release: Release, names: dict[str, str]) -> set[str]:
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


def _unproved(release: Release, names: dict[str, str]) -> list[str]:
    """Return the titles of the reports that this copy can't compute again, because it lacks one of
    their arrays."""
    withheld = _withheld(release, names)
    return [
        report.title
        for report in proof_of(release).reports
        if withheld & set(_inputs_of(names[report.file]).values())
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

"""The files of a release that prove its numbers, in every format that is a folder."""

from __future__ import annotations

import hashlib
from functools import partial

from annotate.file_store import proof_name
from review.exchange.files import ExportFile, stored_chunks, text_file
from review.frozen.models import Release
from review.proof.bundle import verify_pyz
from review.proof.freezing import VERIFY
from review.proof.verifying.hashes import PROOF_SUMS
from review.proof.withheld import unproved_reports, withheld_files


def proof_files(release: Release) -> list[ExportFile]:
    """Return `verify.pyz`, the frozen reports with their inputs, and a list of their hashes;
    nothing for releases built before reports were attached. After a takedown, leave out vectors of
    withdrawn items, and use a `verify.pyz` that supports takedowns."""
    if release.proof is None:
        return []
    names = _stored_names(release)
    withheld = withheld_files(release, names)
    files = [
        ExportFile(path, size, sha256, partial(stored_chunks, names[path]))
        for path, size, sha256 in release.proof["files"]
        if path not in withheld
    ]
    if release.withdrawn:
        files = [_current_program() if file.path == VERIFY else file for file in files]
    return [*files, text_file(PROOF_SUMS, _sums(release))]


def proof_hashes(release: Release) -> list[tuple[str, str]]:
    """Return the path and the frozen SHA-256 of each of these files."""
    return [(path, sha256) for path, _, sha256 in (release.proof or {}).get("files", ())]


def _current_program() -> ExportFile:
    program = verify_pyz()
    sha256 = hashlib.sha256(program).hexdigest()
    return ExportFile(VERIFY, len(program), sha256, lambda: iter([program]))


def proof_entry(release: Release) -> dict[str, object]:
    """Return a manifest's entry about these files."""
    if release.proof is None:
        return {}
    return {"proof": {"path": PROOF_SUMS, "sha256": proof_hash(release)}}


def proof_hash(release: Release) -> str:
    """Return the SHA-256 of `reports/SHA256SUMS`."""
    return hashlib.sha256(_sums(release).encode()).hexdigest()


def proof_lines(release: Release) -> str:
    """Return the lines about these files in the list of a README."""
    if release.proof is None:
        return ""
    return (
        f"- `{VERIFY}`: checks every hash and computes the numbers of the reports again:\n"
        f"  `python {VERIFY}`. It needs Python 3.11 or newer and numpy\n"
        "- `reports/`: the reports of that time, with what they were computed from\n"
        f"{_unproved_lines(release)}"
    )


def _unproved_lines(release: Release) -> str:
    titles = unproved_reports(release, _stored_names(release))
    if not titles:
        return ""
    listed = "".join(f"  - {title}\n" for title in titles)
    return (
        "- These reports can’t be computed again from this copy, because it lacks the vectors\n"
        f"  of what was withdrawn:\n{listed}"
    )


def _sums(release: Release) -> str:
    files = (release.proof or {}).get("files", ())
    return "".join(f"{sha256}  {path}\n" for path, _, sha256 in files)


def _stored_names(release: Release) -> dict[str, str]:
    """Return where the storage has each file, by path."""
    files = (release.proof or {}).get("files", ())
    return {path: _stored_name(release, sha256) for path, _, sha256 in files}


def _stored_name(release: Release, sha256: str) -> str:
    return proof_name(release.project_id, sha256)

"""Tie the reports of a release to its texts, targets and verdicts, when it is frozen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from annotate import file_store
from annotate.models import Project
from review.exchange.files import ExportFile, stored_chunks
from review.frozen.models import Release
from review.proof.freezing import StoredProof, json_bytes, keep_proof, table_lines, write_file
from review.proof.verifying.folder import Folder
from review.proof.verifying.released import RELEASED, TEST, Released, released_values
from review.proof.verifying.tables import (
    INDEX,
    Index,
    LeftOut,
    Listed,
    ReportInputs,
    StoredReport,
    report_from,
)
from review.proof.verifying.targets import released_queries
from review.reports.models import Report
from review.reports.plain import RowsMadeAnew, Table
from review.triplets.query import Query

NOT_RELEASED = "Its queries are not those of the release. Recompute it before the next one."


def with_released(
    project: Project, proof: StoredProof, form: str, files: Iterable[ExportFile]
) -> StoredProof:
    """Return the entry with the list of the texts, targets and verdicts in these files, so that
    nobody can change one of them alone. It is stored by its content."""
    chunks = {file.path: file.open for file in files}
    rows = released_values(form, lambda path: _text_lines(chunks[path]()))
    if form == Release.Format.TFCOVR:
        proof = _with_released_targets(project, proof, chunks[TEST])
    with file_store.temporary_folder() as folder:
        (folder / RELEASED).parent.mkdir()
        with (folder / RELEASED).open("wb") as file:
            file.writelines(table_lines(Table(Released._fields, RowsMadeAnew(lambda: rows))))
        return replace(proof, files=[*proof.files, *keep_proof(project, folder)])


def _with_released_targets(
    project: Project, proof: StoredProof, test_queries: Callable[[], Iterator[bytes]]
) -> StoredProof:
    """Leave out reports on retrieval with other queries than the release: of before a takedown, or
    before a verdict that came during the build."""
    with file_store.temporary_folder() as folder:
        write_file(folder, TEST, b"".join(test_queries()))
        names = {path: file_store.proof_name(project.pk, sha) for path, _, sha in proof.files}
        left_out = [
            report
            for report in proof.reports
            if report.report == Report.Name.COMPOSED_RETRIEVAL
            and not _has_released_targets(folder, report.file, names)
        ]
    return _without(project, proof, left_out) if left_out else proof


def _has_released_targets(folder: Path, path: str, names: Mapping[str, str]) -> bool:
    report = _read(names[path])
    for table in ("queries", "names"):
        stored = report.inputs[table]
        write_file(folder, stored, b"".join(stored_chunks(names[stored])))
    inputs = ReportInputs(Folder(folder), report)
    try:
        return list(released_queries(inputs)) == list(inputs.rows("queries", Query))
    except (ValueError, KeyError):
        return False


def _without(project: Project, proof: StoredProof, left_out: Sequence[Listed]) -> StoredProof:
    """Return the entry without these reports and what they alone were computed from."""
    names = {path: file_store.proof_name(project.pk, sha256) for path, _, sha256 in proof.files}
    reports = [report for report in proof.reports if report not in left_out]
    reasons = [LeftOut(report.report, report.title, NOT_RELEASED) for report in left_out]
    index = Index(reports, [*proof.left_out, *reasons])
    dropped = {INDEX, *(report.file for report in left_out)}
    dropped |= _inputs_of(left_out, names) - _inputs_of(reports, names)
    with file_store.temporary_folder() as folder:
        write_file(folder, INDEX, json_bytes(asdict(index)))
        files = [file for file in proof.files if file[0] not in dropped]
        return StoredProof(index.reports, index.left_out, [*keep_proof(project, folder), *files])


def _inputs_of(reports: Iterable[Listed], names: Mapping[str, str]) -> set[str]:
    stored = (_read(names[report.file]) for report in reports)
    return {path for report in stored for path in report.inputs.values()}


def _read(name: str) -> StoredReport:
    return report_from(b"".join(stored_chunks(name)))


def _text_lines(chunks: Iterable[bytes]) -> Iterator[str]:
    """Yield the lines with their ends."""
    rest = b""
    for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield line.decode() + "\n"
    if rest:
        yield rest.decode()

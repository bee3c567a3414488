"""Tie the reports of a release to its texts, targets and verdicts, when it is frozen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from annotate import file_store
from annotate.models import Project
from review.assessment.files import NAMES as ASSESSMENT
from review.composed import NAME as COMPOSED_RETRIEVAL_NAME
from review.exchange.files import ExportFile, stored_chunks
from review.proof.freezing import StoredProof, json_bytes, keep_proof, table_lines, write_file
from review.proof.verifying.assessed import check_assessment
from review.proof.verifying.covering import coverage
from review.proof.verifying.facts import released_facts
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
from review.proof.verifying.values import NAMES, Named, Values
from review.reports.plain import RowsMadeAnew, Table
from review.triplets.query import Query

NOT_RELEASED = "Its queries are not those of the release. Recompute it before the next one."
OTHER_VALUES = "It was computed from other values than the release has. Recompute it."


def with_released(
    project: Project,
    proof: StoredProof,
    form: str,
    files: Iterable[ExportFile],
    names: Sequence[Named],
    not_counted: Sequence[str] = (),
) -> StoredProof:
    """Return the entry with the names of the clips in these files, and the list of their texts,
    targets and verdicts, so that nobody can change one of them alone. Leave out reports with other
    values than the release: of before a takedown, or before a verdict that came during the build.
    Files are stored by their content. `not_counted`: the programs among those who judged, by their
    names in the files."""
    chunks = {file.path: file.open for file in files}
    values = Values(names, *released_facts(form, lambda path: _text_lines(chunks[path]())))
    with file_store.temporary_folder() as folder:
        for path in (TEST, *ASSESSMENT):
            if path in chunks:
                write_file(folder, path, b"".join(chunks[path]()))
        proof = _with_released_values(project, proof, values, folder, not_counted)
    rows = released_values(form, lambda path: _text_lines(chunks[path]()))
    with file_store.temporary_folder() as folder:
        (folder / RELEASED).parent.mkdir()
        for path, table in (
            (NAMES, Table(Named._fields, names)),
            (RELEASED, Table(Released._fields, RowsMadeAnew(lambda: rows))),
        ):
            with (folder / path).open("wb") as file:
                file.writelines(table_lines(table))
        return replace(proof, files=[*proof.files, *keep_proof(project, folder)])


def _with_released_values(
    project: Project,
    proof: StoredProof,
    values: Values,
    folder: Path,
    not_counted: Sequence[str],
) -> StoredProof:
    """Return the entry without reports of other values, and with how much others cover. `folder`
    has released files."""
    names = {path: file_store.proof_name(project.pk, sha256) for path, _, sha256 in proof.files}
    reports: list[Listed] = []
    left_out: list[LeftOut] = []
    for report in proof.reports:
        inputs = _copied(folder, report, names)
        if reason := _why_left_out(inputs, values, not_counted):
            left_out.append(LeftOut(report.report, report.title, reason))
        else:
            covers = coverage(inputs, values.clips)
            reports.append(replace(report, covers=covers, not_counted=not_counted))
    return proof if reports == proof.reports else _with_index(project, proof, reports, left_out)


def _copied(folder: Path, report: Listed, names: Mapping[str, str]) -> ReportInputs:
    """Write the tables of a report into the folder, without its vectors."""
    stored = _read(names[report.file])
    for path in stored.inputs.values():
        if path.endswith(".jsonl"):
            write_file(folder, path, b"".join(stored_chunks(names[path])))
    return ReportInputs(Folder(folder), stored)


def _why_left_out(inputs: ReportInputs, values: Values, not_counted: Sequence[str]) -> str:
    report = inputs.report
    if report.report == COMPOSED_RETRIEVAL_NAME and inputs.folder.has(TEST):
        return "" if _has_released_targets(inputs) else NOT_RELEASED
    others = values.compare(inputs, not_counted).others
    return OTHER_VALUES if others or any(check_assessment(inputs.folder, report)) else ""


def _has_released_targets(inputs: ReportInputs) -> bool:
    try:
        return list(released_queries(inputs)) == list(inputs.rows("queries", Query))
    except (ValueError, KeyError):
        return False


def _with_index(
    project: Project, proof: StoredProof, reports: Sequence[Listed], left_out: Sequence[LeftOut]
) -> StoredProof:
    """Return the entry with these reports and what they alone were computed from."""
    names = {path: file_store.proof_name(project.pk, sha256) for path, _, sha256 in proof.files}
    files = {report.file for report in reports}
    without = [report for report in proof.reports if report.file not in files]
    index = Index(reports, [*proof.left_out, *left_out])
    dropped = {INDEX, *(report.file for report in without)}
    dropped |= _inputs_of(without, names) - _inputs_of(reports, names)
    with file_store.temporary_folder() as folder:
        write_file(folder, INDEX, json_bytes(asdict(index)))
        kept = [file for file in proof.files if file[0] not in dropped]
        return StoredProof(index.reports, index.left_out, [*keep_proof(project, folder), *kept])


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

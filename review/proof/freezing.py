"""Freeze the current reports of a project with their inputs, for a release."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from django.core.files.storage import default_storage

from annotate import file_store
from annotate.models import Project
from review.errors import ReviewError
from review.exchange.files import local_chunks, measure
from review.frozen.models import Release
from review.proof.bundle import verify_pyz
from review.proof.numbering import numbered, people_of, renamed
from review.proof.verifying.folder import Folder
from review.proof.verifying.kinds import RECOMPUTED
from review.proof.verifying.reports import check_report
from review.proof.verifying.tables import (
    INDEX,
    Index,
    LeftOut,
    Listed,
    StoredReport,
    report_from,
)
from review.reports.inputs import Inputs
from review.reports.models import Report
from review.reports.plain import AnyTable, Table
from review.reports.registry import REPORTS
from review.reports.results import convert

VERIFY = "verify.pyz"
OUTDATED = "What it is computed from has changed since. Recompute it before the next release."
NOT_COMPUTED = "It hasn’t been computed yet."
DIFFERS = "Its inputs give other numbers than the report has."
NOT_STORED = "What it was computed from isn’t stored."

NONE: Mapping[str, str] = {}


@dataclass(frozen=True)
class StoredProof(Index):
    """What a release stores about its reports: the index, and (path, size, SHA-256) of each
    file."""

    files: Sequence[tuple[str, int, str]]


def freeze_reports(
    project: Project,
    step: Callable[[str], None] = lambda text: None,
    left_out: Mapping[str, str] = NONE,
) -> StoredProof:
    """Store the project's current reports with their inputs; call `step` before each. Return the
    release's entry about them. `left_out`: why reports of these kinds must not be in it.

    Call it outside any transaction: it reads all vectors, and computes the numbers again to check
    that the files reproduce them. The files are stored by their content, so a second call does no
    harm.
    """
    with file_store.temporary_folder() as folder:
        index = _write_reports(project, folder, step, left_out)
        write_file(folder, INDEX, json_bytes(asdict(index)))
        write_file(folder, VERIFY, verify_pyz())
        return StoredProof(index.reports, index.left_out, list(keep_proof(project, folder)))


def proof_of(release: Release) -> StoredProof:
    """Return what the release stores about its reports."""
    return convert(release.proof, StoredProof)


def outdated_reports(project: Project, unwanted: Collection[str] = ()) -> list[tuple[str, Report]]:
    """Return the title and report of each report that a release would leave out because its inputs
    have changed. Skips reports of the `unwanted` kinds."""
    computed = _computed(project) - set(unwanted)
    return [
        (REPORTS[name].title_of(inputs.parameters), report)
        for name in REPORTS
        if name in computed and name in RECOMPUTED
        for report, inputs in _with_inputs(project, name, computed)
        if report and _why_left_out(report, inputs) == OUTDATED
    ]


def current_reports(project: Project, names: Collection[str]) -> Iterator[tuple[Report, Inputs]]:
    """Yield each report of these kinds that a release would have, with its inputs."""
    computed = _computed(project)
    for name in names:
        for report, inputs in _with_inputs(project, name, computed) if name in computed else ():
            if report and not _why_left_out(report, inputs):
                yield report, inputs


def _write_reports(
    project: Project, folder: Path, step: Callable[[str], None], unwanted: Mapping[str, str]
) -> Index:
    reports: list[Listed] = []
    left_out: list[LeftOut] = []
    computed = _computed(project)
    for name in (name for name in REPORTS if name in RECOMPUTED):
        step(f"Freezing the report {REPORTS[name].title}")
        written, without = _write_kind(project, folder, name, computed, unwanted.get(name, ""))
        # The inputs are out of memory by now, and read again from the files.
        for listed in written:
            if reason := listed.reason or _check(folder, listed.file):
                # A report that nobody can compute again would be numbers without a check.
                (folder / listed.file).unlink()
                left_out.append(LeftOut(name, listed.title, reason))
            else:
                reports.append(listed)
        left_out += without
    return Index(reports, left_out)


def _write_kind(
    project: Project, folder: Path, name: str, computed: set[str], unwanted: str
) -> tuple[list[Listed], list[LeftOut]]:
    """Write the reports of a kind; return them and those left out."""
    written: list[Listed] = []
    left_out: list[LeftOut] = []
    for report, inputs in _with_inputs(project, name, computed):
        title = REPORTS[name].title_of(inputs.parameters)
        if reason := unwanted or _why_left_out(report, inputs):
            left_out.append(LeftOut(name, title, reason))
        elif report:
            path = f"reports/{name}-{len(written) + 1}.json"
            reason = _write_report(project, folder, path, report, inputs)
            written.append(
                Listed(
                    report=name,
                    title=title,
                    file=path,
                    signature=report.signature,
                    reason=reason,
                    recomputed=not reason,
                )
            )
    return written, left_out


def _computed(project: Project) -> set[str]:
    """Return the kinds of the project's reports."""
    stored = Report.objects.filter(project=project).order_by().values_list("name", flat=True)
    return set(stored.distinct())


def _with_inputs(
    project: Project, name: str, computed: set[str]
) -> Iterator[tuple[Report | None, Inputs]]:
    """Yield what each report of a kind is computed from now, with the current report, if any."""
    reports = Report.objects.newest(project, name) if name in computed else ()
    newest = {report.subject: report for report in reports}
    for inputs in REPORTS[name].inputs_of(project):
        yield newest.get(inputs.subject), inputs


def _why_left_out(report: Report | None, inputs: Inputs) -> str:
    if reason := inputs.withheld():
        return reason
    if report is None:
        return NOT_COMPUTED
    return "" if report.inputs_hash == inputs.hash else OUTDATED


def _write_report(project: Project, folder: Path, path: str, report: Report, inputs: Inputs) -> str:
    """Write the report with its inputs. Return why it can't be computed again; "" if it can."""
    tables, reason = _tables(inputs)
    plain = [table for table in tables.values() if isinstance(table, Table)]
    people = people_of(plain, report.result)
    fields = {name for table in plain for name in table.people}
    paths = {name: _write_table(folder, name, table, people) for name, table in tables.items()}
    _store(
        folder,
        path,
        StoredReport(
            report=report.name,
            subject=report.subject,
            simulated=project.is_simulated,
            computed_at=report.created_at.isoformat(timespec="seconds"),
            parameters=_as_signed(report),
            labels=report.inputs,
            seed=report.seed,
            method=report.code_version,
            inputs_hash=report.inputs_hash,
            signature=report.signature,
            result=renamed(report.result, people, fields),
            inputs=paths,
            recomputed=not reason,
            reason=reason or None,
            not_recomputed=None if reason else RECOMPUTED[report.name].left_out,
        ),
    )
    return reason


def _check(folder: Path, path: str) -> str:
    """Compute a report again from its files. Return why they don't give its numbers, if so."""
    problems = list(check_report(Folder(folder), path))
    return f"{DIFFERS} ({problems[0]})" if problems else ""


def _store(folder: Path, path: str, report: StoredReport) -> None:
    """Write the report, without the fields that are None."""
    stored = {name: value for name, value in vars(report).items() if value is not None}
    write_file(folder, path, json_bytes(stored))


def _as_signed(report: Report) -> dict[str, Any]:
    """Return the parameters in the order of the signature, which is built from them again:
    PostgreSQL stores objects in its own order."""
    stored, signature = report.parameters, report.signature
    return dict(sorted(stored.items(), key=lambda pair: signature.find(f"|{pair[0]}:")))


def _tables(inputs: Inputs) -> tuple[dict[str, AnyTable], str]:
    """Return the report's inputs, or why a release can't contain them."""
    if inputs.tables is None:
        return {}, NOT_STORED
    try:
        return dict(inputs.tables()), ""
    except ReviewError as error:
        return {}, str(error)


def _write_table(folder: Path, name: str, table: AnyTable, people: Mapping[Any, Any]) -> str:
    """Write a table under the hash of its content; return the path."""
    unnamed = folder / "unnamed"
    with unnamed.open("wb") as file:
        if isinstance(table, Table):
            file.writelines(table_lines(numbered(table, people)))
            ending = "jsonl"
        else:
            np.save(file, np.ascontiguousarray(table(), dtype="<f4"), allow_pickle=False)
            ending = "npy"
    sha256, _ = measure(local_chunks(unnamed))
    path = f"reports/inputs/{name}-{sha256[:12]}.{ending}"
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    unnamed.replace(folder / path)
    return path


def table_lines(table: Table) -> Iterator[bytes]:
    """Yield a line of JSON for each row."""
    for row in table.rows:
        values = dict(zip(table.columns, row, strict=True))
        yield json.dumps(values, ensure_ascii=False, allow_nan=False).encode() + b"\n"


def json_bytes(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1).encode() + b"\n"


def write_file(folder: Path, path: str, data: bytes) -> None:
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_bytes(data)


def keep_proof(project: Project, folder: Path) -> Iterable[tuple[str, int, str]]:
    """Store the folder's files by their content; yield the path, size and SHA-256 of each."""
    used = _used(folder)
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        relative = path.relative_to(folder).as_posix()
        if relative.startswith("reports/inputs/") and relative not in used:
            continue
        sha256, size = measure(local_chunks(path))
        name = file_store.proof_name(project.pk, sha256)
        if not default_storage.exists(name):
            file_store.keep_files({name: path})
        yield relative, size, sha256


def _used(folder: Path) -> set[str]:
    """Return the tables that the reports name."""
    reports = (report_from(path.read_bytes()) for path in (folder / "reports").glob("*-*.json"))
    return {path for report in reports for path in report.inputs.values()}

"""Compute the numbers of each report of a release again, and compare them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import chain
from typing import Any

from review.proof.verifying.assessed import (
    ASSESSMENT,
    IN_FILES,
    TABLE,
    check_assessment,
    lost_reports,
)
from review.proof.verifying.comparing import differences
from review.proof.verifying.covering import coverage
from review.proof.verifying.folder import Folder, Problem, Unreadable
from review.proof.verifying.kinds import RECOMPUTED
from review.proof.verifying.parsing import parsed
from review.proof.verifying.tables import (
    INDEX,
    Index,
    Listed,
    ReportInputs,
    StoredReport,
    read_report,
)
from review.proof.verifying.values import NOT_IN_FILES, Values
from review.reports.plain import plain_value
from review.reports.signing import sign_report

WITHDRAWN = "This copy lacks a file behind it, which held an item that was withdrawn."
VECTORS = "_vectors"
INPUTS = "reports/inputs/"
MAX_NAMED = 1000
MAX_VALUE_LENGTH = 80


def check_reports(
    folder: Folder,
    say: Callable[[str], None],
    withdrawn: Collection[str] = (),
    values: Values | None = None,
) -> Iterator[Problem]:
    """Yield the problems of the reports. Each must be in the index and is computed again, whatever
    it says about itself. `withdrawn`: files that the folder lacks, because they contained a
    withdrawn item. `values`: those of the released files; None if they can't be read."""
    try:
        index = parsed(folder.json(INDEX), Index)
    except Unreadable as error:
        yield Problem(INDEX, str(error))
        return
    yield from _unlisted(folder, index)
    for kind in lost_reports(folder, index):
        yield Problem(INDEX, f"The report {kind!r} is neither in it nor left out.")
    used: set[str] = set()
    for listed in index.reports:
        name = listed.file
        try:
            stored = read_report(folder, name)
        except Unreadable as error:
            yield Problem(name, str(error))
            continue
        used.update(stored.inputs.values())
        has_inputs = not _lost_vectors(stored, withdrawn)
        problems = [
            *_misnamed(listed, stored),
            *_check(folder, name, stored, has_inputs=has_inputs),
        ]
        tie = ""
        if values and not problems:
            tie, others = _compared(listed, ReportInputs(folder, stored), values)
            problems += [*others, *check_assessment(folder, stored)]
        yield from problems
        if not problems and not has_inputs:
            say(f"{name}: not recomputed. {WITHDRAWN}")
        elif not problems:
            say(f"{name}: recomputed, the same numbers.")
            for line in _not_recomputed(stored):
                say(line)
        if tie and not problems:
            say(tie)
            if stored.report == ASSESSMENT and folder.has(TABLE):
                say(IN_FILES)
    for name, _ in folder.names():
        if name.startswith(INPUTS) and name not in used:
            yield Problem(name, "No report is computed from it.")
    for left_out in index.left_out:
        say(f"Not attached: {left_out.title}. {left_out.reason}")


def _compared(
    listed: Listed, inputs: ReportInputs, values: Values
) -> tuple[str, Iterator[Problem]]:
    """Return a line on what the released files have of a report's values, and the problems."""
    name = listed.file
    try:
        number, others = values.compare(inputs, listed.not_counted)
        covers = coverage(inputs, values.clips)
    except Unreadable as error:
        return "", iter([Problem(name, f"Its inputs can't be read: {error}")])
    problems = [Problem(f"{INDEX}#{name}", f"It covers {covers or 'all clips'}.")]
    line = f"  {number:,} values compared with those in the release's files."
    return line if number else NOT_IN_FILES, chain(
        problems if covers != listed.covers else [],
        (
            Problem(
                where, f"the release has {_brief(released)}, {name} is computed from {_brief(own)}"
            )
            for where, own, released in others[:MAX_NAMED]
        ),
    )


def _unlisted(folder: Folder, index: Index) -> Iterator[Problem]:
    """Yield a problem for each file of a report that the index doesn't list."""
    listed = {report.file for report in index.reports}
    for name, _ in folder.names():
        is_report = name.startswith("reports/") and name.count("/") == 1 and name.endswith(".json")
        if is_report and name != INDEX and name not in listed:
            yield Problem(name, f"{INDEX} doesn't list it.")


def _misnamed(listed: Listed, stored: StoredReport) -> Iterator[Problem]:
    """Yield what the index says otherwise than the report."""
    for key, ours, reports in (
        ("report", listed.report, stored.report),
        ("signature", listed.signature, stored.signature),
    ):
        if ours != reports:
            yield _difference(f"{INDEX}#{listed.file}", key, reports, ours)


def _lost_vectors(stored: StoredReport, withdrawn: Collection[str]) -> bool:
    """Return whether a takedown took vectors that this kind of report is computed from."""
    kind = RECOMPUTED.get(stored.report)
    lost = (name for name, path in stored.inputs.items() if path in withdrawn)
    return kind is not None and kind.has_vectors and any(name.endswith(VECTORS) for name in lost)


def check_report(folder: Folder, name: str) -> Iterator[Problem]:
    """Yield the problems of the report in this file, whose inputs are required."""
    try:
        stored = read_report(folder, name)
    except Unreadable as error:
        yield Problem(name, str(error))
        return
    yield from _check(folder, name, stored, has_inputs=True)


def _not_recomputed(stored: StoredReport) -> Iterator[str]:
    """Yield which parts of the report's result aren't computed again, and why."""
    for key, reason in RECOMPUTED[stored.report].left_out.items():
        if _has(stored.result, key.split(".")):
            yield f"  Not recomputed: {key}. {reason}"


def _has(value: Any, keys: Sequence[str]) -> bool:
    """Return whether the result has a value under these keys; * is any key."""
    if not keys:
        return True
    entries = dict(enumerate(value)) if isinstance(value, list) else value
    if not isinstance(entries, dict):
        return False
    own = entries.values() if keys[0] == "*" else [entries[keys[0]]] if keys[0] in entries else []
    return any(_has(entry, keys[1:]) for entry in own)


def _check(
    folder: Folder, name: str, stored: StoredReport, *, has_inputs: bool
) -> Iterator[Problem]:
    """Yield the problems of a report. `has_inputs`: if false, they were withdrawn, and only the
    rest is checked."""
    if not stored.recomputed:
        yield _difference(name, "recomputed", True, stored.recomputed)
    signature = sign_report(
        stored.report,
        stored.parameters,
        labels=stored.labels,
        seed=stored.seed,
        method=stored.method,
        inputs_hash=stored.inputs_hash,
        is_simulated=stored.simulated,
    )
    if signature != stored.signature:
        yield _difference(name, "signature", stored.signature, signature)
    if not stored.recomputed or not has_inputs:
        return
    kind = RECOMPUTED.get(stored.report)
    if kind is None:
        yield Problem(name, f"This program can't compute the report {stored.report!r}.")
        return
    try:
        computed = plain_value(kind.compute(ReportInputs(folder, stored)))
    except Unreadable as error:
        yield Problem(name, f"Its inputs can't be read: {error}")
        return
    except Exception as error:  # Whatever is wrong with the inputs, the next report can be checked.
        message = f"Nothing can be computed from its inputs: {type(error).__name__}: {error}"
        yield Problem(name, message[:500])
        return
    number = 0
    for number, difference in enumerate(differences(stored.result, computed, kind.left_out), 1):
        if number <= MAX_NAMED:
            key = f"result.{difference.key}"
            yield _difference(name, key, difference.expected, difference.computed)
    if number > MAX_NAMED:
        yield Problem(name, f"{number - MAX_NAMED} more numbers differ.")


def _difference(name: str, key: str, expected: object, computed: object) -> Problem:
    return Problem(f"{name}#{key}", f"expected {_brief(expected)}, found {_brief(computed)}")


def _brief(value: object) -> str:
    text = repr(value)
    return text if len(text) <= MAX_VALUE_LENGTH else f"{text[:MAX_VALUE_LENGTH]}…"

"""Write the files about people's judgments (LoVR, appendix B) again from their report."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from review.assessment.computing import Assessment
from review.assessment.files import NAMES, Made, file_text
from review.proof.verifying.folder import Folder, Problem, Unreadable
from review.proof.verifying.parsing import parsed
from review.proof.verifying.tables import Index, StoredReport

ASSESSMENT = "assessment"
TABLE = "assessment.json"
IN_FILES = f"  {', '.join(NAMES)} have its numbers."


def check_assessment(folder: Folder, report: StoredReport) -> Iterator[Problem]:
    """Yield a problem for each of the files that this report doesn't give. A release can be without
    them."""
    if report.report != ASSESSMENT or not any(map(folder.has, NAMES)):
        return
    try:
        made = _made(folder, report)
        texts = {name: "".join(folder.text_lines(name)) for name in NAMES}
    except (Unreadable, KeyError, TypeError, ValueError) as error:
        yield Problem(TABLE, f"It can't be compared with its report: {error}")
        return
    for name, text in texts.items():
        if text != file_text(name, made):
            yield Problem(name, "It is not what its report gives.")


def lost_reports(folder: Folder, index: Index) -> Iterator[str]:
    """Yield the kinds of reports that the index must name, attached or left out, and does not."""
    listed = {entry.report for entry in index.reports} | {entry.report for entry in index.left_out}
    needed = ["statistics"]
    if any(map(folder.has, NAMES)):
        needed.append(ASSESSMENT)
    yield from (kind for kind in needed if kind not in listed)


def _made(folder: Folder, report: StoredReport) -> Made:
    table = folder.json(TABLE)
    computed_at = datetime.fromisoformat(table["computed_at"])
    if computed_at.isoformat(timespec="seconds") != report.computed_at:
        raise ValueError(f"it is of {computed_at}, and the report of {report.computed_at}")
    return Made(
        name=table["project"],
        is_simulated=report.simulated,
        computed_at=computed_at,
        signature=report.signature,
        assessment=parsed(report.result, Assessment),
    )

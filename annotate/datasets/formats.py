"""The formats of annotations, by name."""

from __future__ import annotations

from annotate.datasets.faults import Fault
from annotate.datasets.files import DatasetFile, refused
from annotate.datasets.finediving import read_finediving
from annotate.datasets.finegym import read_finegym
from annotate.datasets.plain import read_plain
from annotate.datasets.rows import LabeledClip

FORMATS = {"csv": "Plain CSV or JSON", "finegym": "FineGym", "finediving": "FineDiving"}


def read_clips(
    format_name: str,
    file: DatasetFile,
    times: DatasetFile | None = None,
    left_out: list[Fault] | None = None,
) -> list[LabeledClip]:
    """Return the clips of a file; only FineGym has `times`. Adds the faults of rows to `left_out`;
    without it, a fault raises DatasetInvalid.
    """
    if times is not None and format_name != "finegym":
        raise refused(times, "Only FineGym has a separate file with times. Leave it out.")
    if format_name == "finegym":
        return read_finegym(file, times, left_out)
    return {"csv": read_plain, "finediving": read_finediving}[format_name](file, left_out)

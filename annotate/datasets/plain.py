"""Read the plain format: a CSV or JSON array with one row per clip.

The columns are `source_video`, `clip` and `label`, and the clip's place in the source video:
`first_frame` and `end_frame`, or `start` and `end` in seconds. A clip without a place is a file of
its own.
"""

from __future__ import annotations

from annotate.datasets.faults import Fault, Faults
from annotate.datasets.files import DatasetFile, read_rows, read_text
from annotate.datasets.rows import (
    Frames,
    LabeledClip,
    Seconds,
    check_label,
    check_name,
    check_source,
    checked_clips,
    read_frames,
    read_seconds,
    without_suffix,
)

COLUMNS = ("source_video", "clip", "label")


def read_plain(file: DatasetFile, left_out: list[Fault] | None = None) -> list[LabeledClip]:
    """Return the clips of a file. Adds the faults of rows to `left_out`; without it, a fault raises
    DatasetInvalid.
    """
    faults = Faults(file.name, left_out)
    clips = []
    for where, row in read_rows(file, read_text(file), COLUMNS, faults):
        source, name = without_suffix(row["source_video"]), without_suffix(row["clip"])
        check_source(faults, where, "source_video", source)
        check_name(faults, where, "clip", name)
        check_label(faults, where, "label", row["label"])
        clips.append(LabeledClip(where, source, name, row["label"], _span(faults, where, row)))
    return checked_clips(faults, "clip", clips)


def _span(faults: Faults, where: str, row: dict[str, str]) -> Frames | Seconds | None:
    first, end = row.get("first_frame", ""), row.get("end_frame", "")
    begins, ends = row.get("start", ""), row.get("end", "")
    if (first or end) and (begins or ends):
        faults.add(where, "start", "The row also has frames. Keep either frames or seconds.")
        return None
    if first or end:
        return read_frames(faults, where, first, end)
    if begins or ends:
        return read_seconds(faults, where, begins, ends)
    return None

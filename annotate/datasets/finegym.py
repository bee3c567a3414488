"""Read FineGym: a list of elements, `<video>_E_<event>_A_<sub-action> <label>` per line, and times.

The times in a name are whole seconds. The exact times are in finegym_annotation_info_v1.1.json:
those of an event count from the beginning of the video, those of a sub-action from the beginning of
its event. A sub-action lasts from the start of its first stage to the end of its last one.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from annotate.datasets.faults import Fault, Faults
from annotate.datasets.files import DatasetFile, read_json, read_text, refused
from annotate.datasets.rows import (
    DECIMAL,
    LabeledClip,
    Seconds,
    check_label,
    check_name,
    checked_clips,
    without_suffix,
)

LINE = re.compile(r"(\S+)\s+(\S+)")
NAME = re.compile(
    r"(?P<video>[\w.-]+)_(?P<event>E_\d{6,}_\d{6,})_(?P<action>A_\d{4,}_\d{4,})", re.ASCII
)


def read_finegym(
    file: DatasetFile,
    times: DatasetFile | None = None,
    left_out: list[Fault] | None = None,
) -> list[LabeledClip]:
    """Return the clips; without `times`, each must be a file of its own. A fault is added to
    `left_out`, or raises DatasetInvalid if that is None.
    """
    videos = _read_times(times) if times else None
    faults, time_faults = Faults(file.name, left_out), Faults(times.name if times else "")
    clips = []
    for number, line in enumerate(read_text(file).splitlines(), 1):
        if not line.strip():
            continue
        where = f"line {number}"
        parts = LINE.fullmatch(line.strip())
        name = without_suffix(parts[1]) if parts else ""
        match = NAME.fullmatch(name)
        if parts is None or match is None:
            faults.add(where, "", "It must be <video>_E_…_A_…, a space, and the label's id.")
            continue
        check_name(faults, where, "name", name)
        check_label(faults, where, "label", parts[2])
        span = _span(time_faults, videos, match) if videos is not None else None
        if videos is None or span is not None:
            clips.append(LabeledClip(where, match["video"], name, parts[2], span))
    faults.collected += time_faults.collected
    return checked_clips(faults, "name", clips)


def _read_times(file: DatasetFile) -> dict[str, Any]:
    data = read_json(file, read_text(file))
    if not isinstance(data, dict):
        raise refused(file, "It must be an object with an entry for each video.")
    return data


def _span(faults: Faults, videos: dict[str, Any], match: re.Match[str]) -> Seconds | None:
    event = _entry(_entry(videos, match["video"]), match["event"])
    action = _entry(_entry(event, "segments"), match["action"])
    event_stages, stages = _stages(event), _stages(action)
    if event_stages is None or stages is None:
        faults.add(
            match[0],
            "timestamps",
            "The times of this clip's event or sub-action are missing or not in order. "
            "Use the file of the same version as the list.",
        )
        return None
    event_start = event_stages[0][0]
    return Seconds(event_start + stages[0][0], event_start + stages[-1][1])


def _entry(data: Any, name: str) -> Any:
    return data.get(name) if isinstance(data, dict) else None


def _stages(action: Any) -> list[tuple[Fraction, Fraction]] | None:
    """Return the [start, end] pairs of an event or sub-action in seconds, or None if invalid."""
    pairs = _entry(action, "timestamps")
    if not isinstance(pairs, list) or not pairs:
        return None
    stages = []
    for pair in pairs:
        if not isinstance(pair, list) or len(pair) != 2 or not all(map(_is_time, pair)):
            return None
        stages.append((Fraction(pair[0]), Fraction(pair[1])))
    return stages if stages[0][0] < stages[-1][1] else None


def _is_time(value: Any) -> bool:
    return isinstance(value, str) and DECIMAL.fullmatch(value) is not None

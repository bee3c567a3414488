"""Read captions of videos from Label Studio's JSON export. Its content is untrusted. Pure.

An export is a list of tasks. Each has its `data`, which names the video, and `annotations`, whose
`result` has the value of each control: `from_name` names the control.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import unquote

from annotate.datasets.faults import Faults

VIDEO_KEYS = ("video", "clip", "path", "url")
LISTS = ("events", "objects")
# Label Studio's prefix of an uploaded file's name.
UPLOAD = re.compile(r"^[0-9a-f]{8}-")


def is_label_studio(data: bytes) -> bool:
    """Return whether a file looks like an export with annotations."""
    return b'"from_name"' in data and b'"annotations"' in data


def captions_of_tasks(
    tasks: Iterable[tuple[str, Any]], faults: Faults
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield one row per finished annotation of a task, in the form of `rows.py`.

    A text area is the video's caption, or, by its name, its spatial or temporal caption, its events
    or objects. Texts with times are joined in order. Canceled annotations and tasks without
    annotations are skipped.
    """
    for row, task in tasks:
        if not isinstance(task, dict) or not isinstance(task.get("data"), dict):
            faults.add(row, "data", "It is missing. Export the project as JSON, not JSON_MIN.")
            continue
        annotations = task.get("annotations")
        finished = [
            annotation
            for annotation in (annotations if isinstance(annotations, list) else [])
            if isinstance(annotation, dict) and not annotation.get("was_cancelled")
        ]
        for number, annotation in enumerate(finished, 1):
            where = row if len(finished) == 1 else f"{row}, annotation {number}"
            yield where, {"video": _video(task), **_texts(annotation.get("result"))}


def _video(task: dict[str, Any]) -> object:
    data = task["data"]
    named = next((data[key] for key in VIDEO_KEYS if data.get(key)), task.get("file_upload"))
    if not isinstance(named, str):
        return None
    place = named.rsplit("/local-files/?d=", 1)[-1]
    if "://" in place:  # A signed address ends with its signature.
        place = re.split(r"[?#]", place, maxsplit=1)[0]
    name = unquote(place).rsplit("/", 1)[-1]
    return UPLOAD.sub("", name) if task.get("file_upload") or "/upload/" in named else name


def _texts(results: object) -> dict[str, Any]:
    listed_regions = results if isinstance(results, list) else []
    regions = [region for region in listed_regions if isinstance(region, dict)]
    starts = {
        str(region.get("id")): start for region in regions if (start := _start(region)) is not None
    }
    row: dict[str, Any] = {}
    timed: list[tuple[float, str]] = []
    texts: list[object] = []
    for region in regions:
        name, value = str(region.get("from_name", "")).lower(), region.get("value")
        if not isinstance(value, dict):
            continue
        chosen = value.get("choices")
        if region.get("type") == "choices" and "category" in name and _is_list(chosen) and chosen:
            row["subcategory" if "subcategory" in name else "category"] = chosen[0]
        if region.get("type") != "textarea":
            continue
        typed = value.get("text")
        listed = typed if isinstance(typed, list) else [typed]
        if (field := next((field for field in LISTS if field[:-1] in name), None)) is not None:
            row.setdefault(field, []).extend(listed)
        elif "spatial" in name or "temporal" in name:
            part = "spatial_caption" if "spatial" in name else "temporal_caption"
            row[part] = _joined(listed)
        elif (start := starts.get(str(region.get("id")))) is not None:
            timed.append((start, str(_joined(listed))))
        else:
            texts += listed
    if timed:
        texts.append(" ".join(text for _, text in sorted(timed, key=lambda entry: entry[0])))
    return row | ({"caption": texts} if texts or not row else {})


def _joined(texts: list[object]) -> object:
    """Join several texts; return anything else unchanged, to be refused."""
    return " ".join(map(str, texts)) if all(isinstance(text, str) for text in texts) else texts


def _start(region: dict[str, Any]) -> float | None:
    """Return the start of a timeline's region, in frames or seconds; None for anything else."""
    value = region.get("value")
    if not isinstance(value, dict):
        return None
    ranges = value.get("ranges")
    first = ranges[0] if _is_list(ranges) and ranges and isinstance(ranges[0], dict) else value
    start = first.get("start")
    return start if isinstance(start, float) else None


def _is_list(value: object) -> bool:
    return isinstance(value, list)

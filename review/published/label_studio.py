"""Read captions of videos from what Label Studio exports. Its content is untrusted. Pure.

JSON is a list of tasks. Each has its `data`, which names the video, and `annotations`, whose
`result` has the value of each control: `from_name` names the control. JSON_MIN, CSV and TSV are
flat: an annotation is a row with the data of its task and the value of each control. The other
forms have no texts of videos, and are refused by name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from typing import Any
from urllib.parse import unquote

from annotate.datasets.faults import Faults
from annotate.datasets.rows import without_suffix

VIDEO_KEYS = ("video", "clip", "path", "url")
LISTS = ("events", "objects")
CAPTION_WORDS = ("caption", "sentence", "description", "reference", "text")
# Label Studio's prefix of an uploaded file's name.
UPLOAD = re.compile(r"^[0-9a-f]{8}-")
# What a flat row says about its annotation.
ABOUT = {
    *("id", "annotator", "annotation_id", "completed_by", "created_at", "updated_at"),
    *("lead_time", "agreement"),
}
TASK_DATA = "_data_"  # begins the column of a task's data that is named as a control
# The other forms, by a file that their ZIP has.
_FORMS = (
    ("COCO", re.compile(r"(?:.*/)?result_coco\.json")),
    ("YOLO", re.compile(r"(?:.*/)?classes\.txt")),
    ("VOC", re.compile(r"(?:.*/)?Annotations/.*\.xml")),
    ("brush labels", re.compile(r"(?:.*/)?task-\d+-annotation-.*\.(?:npy|png)")),
)

Row = dict[str, Any]


def refusal(form: str) -> str:
    return (
        f"This is Label Studio’s export as {form}, which has no captions of videos. Export the "
        "project as JSON."
    )


def form_of_archive(names: Collection[str]) -> str:
    """Return which form of export without captions an archive of these files is; "" if none."""
    return next((form for form, file in _FORMS if any(map(file.fullmatch, names))), "")


def is_conll(text: str) -> bool:
    return text.startswith("-DOCSTART-")


def is_task(data: Row) -> bool:
    """Return whether a row is a task with its annotations, or an annotation with its task, as in
    a target storage."""
    task = data.get("task") if "result" in data else data
    if not isinstance(task, dict) or not isinstance(task.get("data"), dict):
        return False
    return task is not data or bool({"annotations", "completions"} & data.keys())


def is_flat(data: Row) -> bool:
    return "annotation_id" in data and bool({"annotator", "lead_time"} & data.keys())


def captions_of_task(row: str, data: Row, faults: Faults) -> Iterator[tuple[str, Row]]:
    """Yield one row per finished annotation of a task, in the form of `rows.py`.

    A text area is the video's caption, or, by its name, its spatial or temporal caption, its events
    or objects. Texts with times are joined in order. Canceled annotations and tasks without
    annotations are skipped.
    """
    task = {**data["task"], "annotations": [data]} if "result" in data else data
    annotations = task.get("annotations", task.get("completions"))
    finished = [
        annotation
        for annotation in (annotations if isinstance(annotations, list) else [])
        if isinstance(annotation, dict) and not annotation.get("was_cancelled")
    ]
    is_upload = bool(task.get("file_upload"))
    video = video_name(_named_in(task["data"]) or task.get("file_upload"), is_upload=is_upload)
    for number, annotation in enumerate(finished, 1):
        where = row if len(finished) == 1 else f"{row}, annotation {number}"
        yield where, {"video": video, **_texts(annotation.get("result"))}


def captions_of_flat(data: Row) -> Row:
    """Return a row of JSON_MIN, CSV or TSV in the form of `rows.py`. Where several values could be
    the caption, it is the one whose name says so."""
    row: Row = {"video": video_name(_named_in(data))}
    others: dict[str, list[object]] = {}
    for key, value in data.items():
        texts = _flat_texts(value)
        is_about = key in ABOUT or key in VIDEO_KEYS or key.startswith(TASK_DATA)
        if texts and not is_about:
            name = key.lower()
            if "category" in name:
                row["subcategory" if "subcategory" in name else "category"] = texts[0]
            elif not _place(row, name, texts):
                others[name] = texts
    about_captions = [name for name in others if any(word in name for word in CAPTION_WORDS)]
    chosen = about_captions or (list(others) if len(others) == 1 else [])
    if chosen:
        row["caption"] = [text for name in chosen for text in others[name]]
    return row


def video_name(named: object, *, is_upload: bool = False) -> object:
    """Return the name of the file that an address or path leads to, without Label Studio's prefix
    of an upload."""
    if not isinstance(named, str):
        return None
    place = named.rsplit("/local-files/?d=", 1)[-1]
    if "://" in place:  # A signed address ends with its signature.
        place = re.split(r"[?#]", place, maxsplit=1)[0]
    name = unquote(place).rsplit("/", 1)[-1]
    return UPLOAD.sub("", name) if is_upload or "/upload/" in named else name


def _named_in(data: Row) -> object:
    """Return the value that names the video: under one of VIDEO_KEYS, or with a video's suffix."""
    if named := next((data[key] for key in VIDEO_KEYS if data.get(key)), None):
        return named
    names = (value for value in data.values() if isinstance(value, str))
    return next((name for name in names if without_suffix(name) != name), None)


def _place(row: Row, name: str, texts: list[object]) -> bool:
    """Store the texts of a control whose name says what they are; return whether it does."""
    if (field := next((field for field in LISTS if field[:-1] in name), None)) is not None:
        row.setdefault(field, []).extend(texts)
    elif "spatial" in name or "temporal" in name:
        row["spatial_caption" if "spatial" in name else "temporal_caption"] = _joined(texts)
    else:
        return False
    return True


def _texts(results: object) -> Row:
    listed_regions = results if isinstance(results, list) else []
    regions = [region for region in listed_regions if isinstance(region, dict)]
    starts = {
        str(region.get("id")): start
        for region in regions
        if (start := _start(region.get("value"))) is not None
    }
    row: Row = {}
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
        if _place(row, name, listed):
            continue
        if (start := starts.get(str(region.get("id")))) is not None:
            timed.append((start, str(_joined(listed))))
        else:
            texts += listed
    texts += _in_order(timed)
    return row | ({"caption": texts} if texts or not row else {})


def _flat_texts(value: object) -> list[object]:
    """Return the texts of a control's value in a flat row: a text, or what a text area or choices
    have, in a table as JSON."""
    if isinstance(value, str):
        if value[:1] not in ("[", "{"):
            return [value] if value else []
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return [value]
    texts: list[object] = []
    timed: list[tuple[float, str]] = []
    for entry in value if isinstance(value, list) else [value]:
        listed = entry
        if isinstance(entry, dict):
            listed = next(
                (entry[key] for key in ("text", "choices") if _is_list(entry.get(key))), []
            )
            if (start := _start(entry)) is not None and listed:
                timed.append((start, str(_joined(listed))))
                continue
        texts += listed if isinstance(listed, list) else [listed] if isinstance(listed, str) else []
    return texts + _in_order(timed)


def _in_order(timed: list[tuple[float, str]]) -> list[object]:
    """Return texts with times as one, in their order."""
    ordered = sorted(timed, key=lambda entry: entry[0])
    return [" ".join(text for _, text in ordered)] if timed else []


def _joined(texts: list[object]) -> object:
    """Join several texts; return anything else unchanged, to be refused."""
    return " ".join(map(str, texts)) if all(isinstance(text, str) for text in texts) else texts


def _start(value: object) -> float | None:
    """Return the start of a timeline's region, in frames or seconds; None for anything else."""
    if not isinstance(value, dict):
        return None
    ranges = value.get("ranges")
    first = ranges[0] if _is_list(ranges) and ranges and isinstance(ranges[0], dict) else value
    start = first.get("start")
    return float(start) if isinstance(start, (int, float)) else None


def _is_list(value: object) -> bool:
    return isinstance(value, list)

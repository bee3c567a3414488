"""Recognize the files of data sets that have captions in a form of their own. Pure.

Each becomes rows of a video and its texts, or is refused by name with what to do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from annotate.datasets.faults import Faults
from review.errors import ReviewError
from review.published import label_studio

Rows = Iterator[tuple[str, Any]]

CLIP_KEYS = ("video", "clip", "path", "vid", "video_id")
TEXT_KEYS = ("caption", "cap", "sentence", "description", "reference")
# Keys of rows: an object with one of them is a row, not a whole file.
_ROW_KEYS = {*CLIP_KEYS, "messages", "data", "task", "enCap", "annotation_id", "audio_filepath"}
_MOMENT = re.compile(r"(\S+) (\S+) (\S+?) ?##(.*)")
_NUMBER = re.compile(r"\d{1,9}(?:\.\d{1,9})?", re.ASCII)

# Objects that people choose by mistake: the keys that they have, what they are, and what to do.
_REFUSED = (
    (
        {"database"},
        "This file has the labels of ActivityNet or a data set in its form (database), no "
        "captions that can be read. Choose train.json or val_1.json of ActivityNet Captions.",
    ),
    (
        {"images", "annotations"},
        "This is a file in COCO’s form, about pictures. For an export of Label Studio, export the "
        "project as JSON.",
    ),
    (
        {"videos"},
        "This file of MSR-VTT lists videos without sentences. Choose the one with both, such as "
        "MSRVTT_data.json.",
    ),
)


def is_row(whole: dict[str, Any]) -> bool:
    """Return whether the single object of a file is a row of captions."""
    return bool(_ROW_KEYS & whole.keys())


def rows_of_object(whole: dict[str, Any]) -> Rows:
    """Yield the rows of a file that is one JSON object. Raises ReviewError if it isn't known."""
    if isinstance(sentences := whole.get("sentences"), list):  # MSR-VTT
        return ((f"sentence {n}", sentence) for n, sentence in enumerate(sentences, 1))
    if whole and all(_has_moments(entry) for entry in whole.values()):  # ActivityNet Captions
        return ((name[:80], {**entry, "video": name}) for name, entry in whole.items())
    for keys, message in _REFUSED:
        if keys <= whole.keys():
            raise ReviewError(message)
    raise ReviewError(
        "The file is one JSON object of a form that isn’t read. Give a list of objects, or one "
        "object per line, each with video and caption."
    )


def _has_moments(entry: object) -> bool:
    return isinstance(entry, dict) and {"sentences", "timestamps"} <= entry.keys()


def known_rows(rows: Iterable[tuple[str, Any]], faults: Faults) -> Rows:
    """Yield the rows of a JSON file or table, those of VATEX and Label Studio in our form."""
    for row, data in rows:
        if not isinstance(data, dict):
            yield row, data
        elif label_studio.is_task(data):
            yield from label_studio.captions_of_task(row, data, faults)
        elif label_studio.is_flat(data):
            yield row, label_studio.captions_of_flat(data)
        elif "audio_filepath" in data:
            raise ReviewError(label_studio.refusal("ASR_MANIFEST"))
        elif "enCap" in data:  # VATEX; its Chinese captions are left out
            yield row, {"video": data.get("videoID"), "caption": data["enCap"]}
        else:
            yield row, data


def is_charades(text: str) -> bool:
    """Return whether the first line is of Charades-STA."""
    return _MOMENT.fullmatch(text.lstrip().partition("\n")[0].strip()) is not None


def rows_of_charades(text: str, faults: Faults) -> Rows:
    """Yield the moments of Charades-STA: video, start and end in seconds, ##, and a sentence."""
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        moment = _MOMENT.fullmatch(line.strip())
        times = [moment[2], moment[3]] if moment else []
        if moment is None or not all(map(_NUMBER.fullmatch, times)):
            due = "It must be: video, start and end in seconds, ##, and the sentence."
            faults.add(f"line {number}", "", due)
            continue
        yield (
            f"line {number}",
            {
                "video": moment[1],
                "sentences": [moment[4]],
                "timestamps": [list(map(float, times))],
            },
        )

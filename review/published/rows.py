"""Read the rows of files in which data sets publish human captions. Their content is untrusted.
Pure.

CaReBench's `metadata.json`, LoVR's JSONL and Parquet, the lists of MSR-VTT and DiDeMo, MSVD's table
or lines of text, DREAM-1K's JSONL, exports of Label Studio, WebVTT, and ZIPs of these: each row
names a video and has one or more texts, and sometimes more about it.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from annotate.datasets.faults import Faults
from annotate.text.csv_rows import Table, TableError
from review.captions.predictions import (
    BOM,
    LONGEST_CAPTION,
    MOST_FAULTS,
    MOST_ROWS,
    json_object,
    json_rows,
    text_problem,
)
from review.errors import ReviewError
from review.published.bundled import ZIP, read_bundled
from review.published.label_studio import captions_of_tasks, is_label_studio
from review.published.parquet import rows_of_parquet
from review.published.spans import Spans, read_spans
from review.published.webvtt import caption_of_cues

CLIP_KEYS = ("video", "clip", "path", "vid", "video_id")
TEXT_KEYS = ("caption", "cap", "sentence", "description", "reference")
PARTS = {"spatial": "spatial_caption", "temporal": "temporal_caption"}
LISTS = ("events", "objects")
LONGEST_LIST = 200
LONGEST_ELEMENT = 300
LONGEST_CATEGORY = 100  # characters, as for a video
LANGUAGE = "english"


@dataclass
class PublishedRow:
    """`clip` exactly as in the file, under `key`. `texts`: captions of the whole clip. `parts`: the
    spatial and the temporal caption. `lists`: its events and objects. `text_spans` and
    `part_spans`: the times of the sentences of each."""

    row: str
    key: str
    clip: str
    texts: list[str] = field(default_factory=list)
    parts: dict[str, str] = field(default_factory=dict)
    lists: dict[str, list[str]] = field(default_factory=dict)
    category: str = ""
    subcategory: str = ""
    text_spans: list[Spans] = field(default_factory=list)
    part_spans: dict[str, Spans] = field(default_factory=dict)

    @property
    def is_only_text(self) -> bool:
        """Whether another row may add a further caption of the same clip."""
        return not self.parts and not self.lists


def read_published(data: bytes, file_name: str, faults: Faults) -> Iterator[PublishedRow]:
    """Yield the rows of a file. A row's fault goes to `faults`, up to MOST_FAULTS.

    Raises ReviewError if the file as a whole can't be read.
    """
    for number, (row, data_of_row) in enumerate(_rows(data, file_name, faults), 1):
        if number > MOST_ROWS:
            raise ReviewError(f"The file has more than {MOST_ROWS:,} rows. Split it.")
        if len(faults.collected) >= MOST_FAULTS:
            return
        if not isinstance(data_of_row, dict):
            faults.add(row, "", "It must be an object with a video and a caption.")
        elif (read := _read(row, data_of_row, faults)) is not None:
            yield read


def _rows(data: bytes, file_name: str, faults: Faults) -> Iterator[tuple[str, Any]]:
    name = file_name.lower()
    if name.endswith((".pkl", ".pickle")):
        raise ReviewError(
            "A pickle can run programs, so it isn’t opened. Save it as JSON: one object per line "
            "with video and caption."
        )
    if name.endswith(ZIP):
        return read_bundled(data, file_name, faults, _rows)
    if name.endswith(".parquet"):
        columns = (*CLIP_KEYS, *TEXT_KEYS, *PARTS.values(), *LISTS, "category", "subcategory")
        return rows_of_parquet(data, columns)
    if name.endswith(".csv"):
        return _table_rows(_text(data), faults)
    if name.endswith(".txt"):
        return _text_lines(_text(data), faults)
    if name.endswith(".vtt"):
        return caption_of_cues(_text(data), file_name, faults)
    file = io.BytesIO(data)
    if is_label_studio(data):
        return captions_of_tasks(json_rows(file, len(data), faults, has_numbers=True), faults)
    whole = json_object(file, len(data))
    if whole is not None and isinstance(whole.get("sentences"), list):  # MSR-VTT
        return ((f"sentence {n}", sentence) for n, sentence in enumerate(whole["sentences"], 1))
    return json_rows(file, len(data), faults, has_numbers=True)


def _text(data: bytes) -> str:
    try:
        return data.removeprefix(BOM).decode()
    except UnicodeDecodeError:
        raise ReviewError("The file isn't UTF-8 text. Save it in UTF-8.") from None


def _table_rows(text: str, faults: Faults) -> Iterator[tuple[str, Any]]:
    """Yield rows of MSR-VTT's and MSVD's tables. MSVD names a video by its source, start and end,
    and has captions in many languages; only the English ones are read."""
    try:
        for table_row in Table(io.StringIO(text, newline=""), longest=LONGEST_CAPTION * 4):
            where = f"line {table_row.line}"
            row = {name.lower(): cell for name, cell in table_row.cells.items()}
            if table_row.problem:
                faults.add(where, "", table_row.problem)
            elif (row.get("language") or LANGUAGE).lower() == LANGUAGE:
                if {"videoid", "start", "end"} <= row.keys():
                    row["video"] = f"{row['videoid']}_{row['start']}_{row['end']}"
                yield where, row
    except TableError as error:
        raise ReviewError(f"The file can’t be read as CSV. {error}") from None


def _text_lines(text: str, faults: Faults) -> Iterator[tuple[str, Any]]:
    """Yield MSVD's lines: the name of a video, a space, and a sentence."""
    for number, line in enumerate(text.split("\n"), 1):
        name, _, sentence = line.strip().partition(" ")
        if not name or name.startswith("#"):
            continue
        if not sentence.strip():
            mend = "It has no text after the video’s name. Add it, or remove the line."
            faults.add(f"line {number}", "caption", mend)
            continue
        yield f"line {number}", {"video": name, "caption": sentence}


def _read(row: str, data: dict[str, Any], faults: Faults) -> PublishedRow | None:
    before = len(faults.collected)
    if isinstance(data.get("messages"), list):
        data = _flat_message(data)
    key = next((key for key in CLIP_KEYS if data.get(key) not in (None, "")), None)
    name = data[key] if key else None
    if key is None:
        faults.add(row, "video", "It is missing. Name the video’s file.")
    elif not isinstance(name, str) or not name.strip():
        faults.add(row, key, "It must be the name of the video’s file, as text.")
    read = PublishedRow(row, key or "", name.strip() if isinstance(name, str) else "")
    read.texts = _texts(row, data, faults)
    read.text_spans = [None] * len(read.texts)
    for text_key in TEXT_KEYS:
        if isinstance(data.get(text_key), str) and read.texts:
            read.text_spans[0] = read_spans(row, text_key, data, read.texts[0], faults)
    for part, field_name in PARTS.items():
        if field_name in data:
            text = read.parts[part] = _one_text(row, field_name, data[field_name], faults)
            read.part_spans[part] = read_spans(row, field_name, data, text, faults)
    for kind in LISTS:
        if data.get(kind) is not None:
            read.lists[kind] = _elements(row, kind, data[kind], faults)
    read.category = _category(row, "category", data, faults)
    read.subcategory = _category(row, "subcategory", data, faults)
    return read if len(faults.collected) == before else None


def _flat_message(data: dict[str, Any]) -> dict[str, Any]:
    """Return the row of DREAM-1K, which has the video and its reference within the messages of a
    chat, and the events beside them."""
    flat: dict[str, Any] = {key: data[key] for key in ("vid", "video") if key in data}
    for message in data["messages"]:
        content = message.get("content") if isinstance(message, dict) else None
        for part in content if isinstance(content, list) else []:
            if not isinstance(part, dict):
                continue
            if "reference" in part:
                flat["reference"] = part["reference"]
            video = part.get("video")
            if isinstance(video, dict) and "video_file" in video:
                flat.setdefault("video", video["video_file"])
    extra = data.get("extra_info")
    if isinstance(extra, dict) and "events" in extra:
        flat["events"] = extra["events"]
    return flat


def _texts(row: str, data: dict[str, Any], faults: Faults) -> list[str]:
    keys = [key for key in TEXT_KEYS if key in data]
    if not keys:
        faults.add(row, "caption", f"It is missing. Give the text as {' or '.join(TEXT_KEYS)}.")
        return []
    if len(keys) > 1:
        faults.add(row, keys[1], f"{keys[0]} is there too. Keep the human text.")
        return []
    value = data[keys[0]]
    if isinstance(value, list) and not value:
        faults.add(row, keys[0], "It is an empty list. Give at least one text.")
        return []
    listed = value if isinstance(value, list) else [value]
    return [_one_text(row, keys[0], text, faults) for text in listed]


def _one_text(row: str, name: str, value: object, faults: Faults) -> str:
    if not isinstance(value, str):
        faults.add(row, name, "It must be text.")
        return ""
    text = value.replace("\r\n", "\n").strip()
    if problem := text_problem(text):
        faults.add(row, name, problem)
    return text


def _elements(row: str, name: str, values: object, faults: Faults) -> list[str]:
    if not isinstance(values, list) or len(values) > LONGEST_LIST:
        faults.add(row, name, f"It must be a list of at most {LONGEST_LIST:,} texts.")
        return []
    elements = [" ".join(value.split()) if isinstance(value, str) else "" for value in values]
    for number, element in enumerate(elements, 1):
        if not element or len(element) > LONGEST_ELEMENT or text_problem(element):
            mend = f"Entry {number} must be text of 1 to {LONGEST_ELEMENT} characters."
            faults.add(row, name, mend)
            return []
    return elements


def _category(row: str, name: str, data: dict[str, Any], faults: Faults) -> str:
    given = data.get(name)
    if given is None or isinstance(given, float):  # MSR-VTT numbers its categories.
        return ""
    value = " ".join(given.split()) if isinstance(given, str) else None
    if value is None or len(value) > LONGEST_CATEGORY or text_problem(value or "-"):
        faults.add(row, name, f"It must be text of at most {LONGEST_CATEGORY} characters.")
        return ""
    return value

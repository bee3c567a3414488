"""Read the rows of files in which data sets publish human captions. Their content is untrusted.
Pure.

Each row names a video and has one or more texts, and sometimes more about it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from annotate.datasets.faults import Faults
from annotate.text.spans import Span
from review.captions.predictions import MAX_FAULTS, MAX_ROWS, text_problem
from review.errors import ReviewError
from review.published.data_sets import CLIP_KEYS, TEXT_KEYS
from review.published.files import LISTS, PARTS, rows_of_file
from review.published.label_studio import video_name
from review.published.spans import Moment, Spans, read_moments, read_spans

MAX_LIST_LENGTH = 200
MAX_ELEMENT_LENGTH = 300
MAX_CATEGORY_LENGTH = 100  # characters, as for a video


@dataclass
class PublishedRow:
    """`clip` exactly as in the file, under `key`. `texts`: captions of the whole clip. `parts`: the
    spatial and the temporal caption. `lists`: its events and objects. `text_spans` and
    `part_spans`: the times of the sentences of each. `text_moments`: the times of each text that
    the file gives in seconds."""

    row: str
    key: str
    clip: str
    texts: list[str] = field(default_factory=list)
    parts: dict[str, str] = field(default_factory=dict)
    lists: dict[str, list[str]] = field(default_factory=dict)
    category: str = ""
    subcategory: str = ""
    text_spans: list[Spans] = field(default_factory=list)
    text_moments: list[list[Moment]] = field(default_factory=list)
    part_spans: dict[str, Spans] = field(default_factory=dict)

    @property
    def is_only_text(self) -> bool:
        """Whether another row may add a further caption of the same clip."""
        return not self.parts and not self.lists

    def join(self) -> None:
        """Make one paragraph of the texts, with the times of all."""
        spans: list[Span] = []
        moments: list[Moment] = []
        place = 0
        for text, of_text, timed in zip(
            self.texts, self.text_spans, self.text_moments, strict=True
        ):
            for span in of_text or ():
                start, end = span["text_start"] + place, span["text_end"] + place
                spans.append({**span, "text_start": start, "text_end": end})
            for moment in timed:
                start, end = moment.text_start + place, moment.text_end + place
                moments.append(replace(moment, text_start=start, text_end=end))
            place += len(text) + 1
        self.texts = [" ".join(self.texts)]
        self.text_spans, self.text_moments = [spans or None], [moments]


def read_published(data: bytes, file_name: str, faults: Faults) -> Iterator[PublishedRow]:
    """Yield the rows of a file. A row's fault goes to `faults`, up to MAX_FAULTS.

    Raises ReviewError if the file as a whole can't be read.
    """
    for number, (row, data_of_row) in enumerate(rows_of_file(data, file_name, faults), 1):
        if number > MAX_ROWS:
            raise ReviewError(f"The file has more than {MAX_ROWS:,} rows. Split it.")
        if len(faults.collected) >= MAX_FAULTS:
            return
        if not isinstance(data_of_row, dict):
            faults.add(row, "", "It must be an object with a video and a caption.")
        elif (read := _read(row, data_of_row, faults)) is not None:
            yield read


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
    if isinstance(name, str) and "/upload/" in name:
        name = video_name(name)
    read = PublishedRow(row, key or "", name.strip() if isinstance(name, str) else "")
    moments: list[Moment] = []
    if isinstance(sentences := data.get("sentences"), list):
        text, moments = read_moments(row, sentences, data.get("timestamps"), faults)
        read.texts = [_one_text(row, "sentences", text, faults)] if moments else []
    else:
        read.texts = _texts(row, data, faults)
    read.text_spans = [None] * len(read.texts)
    read.text_moments = [[] if number else moments for number in range(len(read.texts))]
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
    if not isinstance(values, list) or len(values) > MAX_LIST_LENGTH:
        faults.add(row, name, f"It must be a list of at most {MAX_LIST_LENGTH:,} texts.")
        return []
    elements = [" ".join(value.split()) if isinstance(value, str) else "" for value in values]
    for number, element in enumerate(elements, 1):
        if not element or len(element) > MAX_ELEMENT_LENGTH or text_problem(element):
            mend = f"Entry {number} must be text of 1 to {MAX_ELEMENT_LENGTH} characters."
            faults.add(row, name, mend)
            return []
    return elements


def _category(row: str, name: str, data: dict[str, Any], faults: Faults) -> str:
    given = data.get(name)
    if given is None or isinstance(given, float):  # MSR-VTT numbers its categories.
        return ""
    value = " ".join(given.split()) if isinstance(given, str) else None
    if value is None or len(value) > MAX_CATEGORY_LENGTH or text_problem(value or "-"):
        faults.add(row, name, f"It must be text of at most {MAX_CATEGORY_LENGTH} characters.")
        return ""
    return value

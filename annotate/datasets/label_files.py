"""Read the meaning of labels from a CSV or JSON array: `label`, `caption`, and optionally
`source` and `event`.

FineGym's own list is also read. One of its lines is `Clabel: 0; set: 1; Glabel: 1; (VT) round-off`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from annotate.datasets.faults import Fault, Faults
from annotate.datasets.files import DatasetFile, Row, read_rows, read_text
from annotate.datasets.rows import LabelRow, check_label, longest
from annotate.models import ActionLabel
from annotate.text.events import MAX_EVENT_LENGTH

COLUMNS = ("label", "caption")
# The sport of each of TF-CoVR's source data sets.
DOMAINS = {"finegym": "gymnastics", "finediving": "diving"}
GYM_LINE = re.compile(r"Clabel:\s*(\d+)\s*;[^;]*;[^;]*;\s*(.+)", re.ASCII)
MAX_CAPTION_LENGTH = longest(ActionLabel._meta.get_field("caption"))
MAX_DOMAIN_LENGTH = longest(ActionLabel._meta.get_field("domain"))


def read_labels(file: DatasetFile, left_out: list[Fault] | None = None) -> list[LabelRow]:
    """Return the labels, whose ids must be unique. Adds the faults of rows to `left_out`; without
    it, a fault raises DatasetInvalid.
    """
    text = read_text(file)
    is_gym = text.lstrip().startswith("Clabel:")
    faults = Faults(file.name, left_out)
    labels = []
    rows = _gym_rows(text, faults) if is_gym else read_rows(file, text, COLUMNS, faults)
    for where, row in rows:
        key, caption = row["label"], row["caption"]
        source, event = row.get("source", "").lower(), " ".join(row.get("event", "").split())
        check_label(faults, where, "label", key)
        if not caption or len(caption) > MAX_CAPTION_LENGTH:
            faults.add(where, "caption", f"It must have 1 to {MAX_CAPTION_LENGTH} characters.")
        if len(source) > MAX_DOMAIN_LENGTH:
            faults.add(where, "source", f"It must have at most {MAX_DOMAIN_LENGTH} characters.")
        if len(event) > MAX_EVENT_LENGTH:
            faults.add(where, "event", f"It must have at most {MAX_EVENT_LENGTH} characters.")
        labels.append(LabelRow(where, key, caption, DOMAINS.get(source, source), event))
    first_row: dict[str, str] = {}
    for label in faults.kept(labels):
        first = first_row.setdefault(label.key, label.row)
        if first != label.row:
            faults.add(label.row, "label", f"{label.key!r} already appears at {first}. Keep one.")
    return faults.leave_out(labels)


def _gym_rows(text: str, faults: Faults) -> Iterator[Row]:
    for number, line in enumerate(text.splitlines(), 1):
        where = f"line {number}"
        if not line.strip():
            continue
        match = GYM_LINE.fullmatch(line.strip())
        if match is None:
            faults.add(where, "", "It must be Clabel: …; set: …; Glabel: …; caption.")
            continue
        yield where, {"label": match[1], "caption": match[2], "source": "finegym"}

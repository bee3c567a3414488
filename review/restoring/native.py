"""The lines of a release in the native format. Their content is untrusted. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta

from annotate.text.storable import UNSTORABLE
from review.captions.predictions import LONGEST_CAPTION
from review.errors import ReviewError
from review.exchange.bundle import Bundle
from review.exchange.strict_json import read_json, read_json_lines
from review.proof.verifying.tombstones import TOMBSTONES
from review.triplets.source import Spot

CLIPS, VIDEOS, CAPTIONS, SCORES = "clips.jsonl", "videos.jsonl", "captions.jsonl", "scores.jsonl"
LABELS, TEXTS, QUERIES = "labels.jsonl", "modifications.jsonl", "queries.jsonl"
RECORDS = (
    *("origins.jsonl", "verifications.jsonl", "ratings.jsonl", "sign_offs.jsonl"),
    *("picks.jsonl", "dynamics.jsonl"),
)
FILES = (CLIPS, VIDEOS, CAPTIONS, SCORES, *RECORDS, LABELS, TEXTS, QUERIES)

Name = Annotated[str, Meta(min_length=1, max_length=240)]
Optional = Annotated[str, Meta(max_length=240)]
Number = Annotated[int, Meta(ge=0)]
MOST_SENTENCES = 10_000
Text = Annotated[str, Meta(min_length=1, max_length=LONGEST_CAPTION)]
Elements = list[Annotated[str, Meta(min_length=1, max_length=300)]]
Label = Annotated[str, Meta(min_length=1, max_length=40)]
Split = Literal["train", "validation", "test"]


class Record(msgspec.Struct, forbid_unknown_fields=True):
    pass


class VideoRecord(Record):
    file_name: Name
    size: Number
    sha256: Optional
    provenance: dict[str, Any]


class CareBenchClip(VideoRecord):
    category: Annotated[str, Meta(max_length=100)]
    subcategory: Annotated[str, Meta(max_length=100)]
    caption: Number
    spatial_caption: Number
    temporal_caption: Number
    events: Elements | None
    objects: Elements | None


class LovrClip(Record):
    clip_id: Name
    video_id: Name
    scene: Number
    start_frame: Number
    end_frame: Number
    file_name: Name | None
    size: Number | None
    sha256: Optional | None
    caption: Number


class LovrVideo(VideoRecord):
    video_id: Name
    caption: Number | None


class SpanRecord(Record):
    text_start: Number
    text_end: Number
    start_frame: Number
    end_frame: Number


class CaptionRecord(Record):
    id: Annotated[int, Meta(ge=1)]
    kind: Literal["general", "spatial", "temporal", "full_video", "proposal", "reference"]
    source: Literal["human", "merged", "corrected", "machine", "imported", "published"]
    text: Text
    words: Number
    parts: dict[str, str]
    model: Optional | None
    data_set: Optional | None
    author: Annotated[str, Meta(pattern=r"^(person|imported)-[1-9][0-9]{0,8}$")] | None
    parents: list[Annotated[int, Meta(ge=1)]]
    is_released: bool
    # Missing in a release without spans.
    spans: Annotated[list[SpanRecord], Meta(max_length=MOST_SENTENCES)] | None = None

    def __post_init__(self) -> None:
        for span in self.spans or ():
            if not span.text_start < span.text_end <= len(self.text):
                raise ValueError("spans: text_start to text_end must be a part of the text.")
            if span.start_frame >= span.end_frame:
                raise ValueError("spans: start_frame must come before end_frame.")

    def stored_spans(self) -> list[dict[str, int]] | None:
        """Return the spans as a caption stores them."""
        return [msgspec.structs.asdict(span) for span in self.spans] if self.spans else None


class ScoreRecord(Record):
    caption: Number
    scorer: Annotated[str, Meta(min_length=1, max_length=64)]
    scorer_name: Annotated[str, Meta(min_length=1, max_length=200)]
    value: float


class TripletClip(VideoRecord):
    clip: Name
    label: Annotated[str, Meta(max_length=40)]
    split: Split
    source_video: Name
    test_gallery: bool


class LabelRecord(Record):
    label: Label
    caption: Annotated[str, Meta(min_length=1, max_length=300)]
    event: Annotated[str, Meta(max_length=100)]
    source: Annotated[str, Meta(max_length=40)]
    counts_as: Annotated[str, Meta(max_length=40)]


class TextRecord(Record):
    label1: Label
    label2: Label
    kind: Literal["temporal", "event"]
    modification: Annotated[str, Meta(min_length=1, max_length=300)]
    provenance: dict[str, Annotated[str, Meta(max_length=2000)]]


class QueryRecord(Record):
    split: Split
    number: Number
    query: Name
    label1: Label
    label2: Label
    kind: str
    domain: str
    modification: Annotated[str, Meta(min_length=1, max_length=300)]
    targets: Annotated[list[Name], Meta(min_length=1)]
    verdicts: list[dict[str, Any]]


One = TypeVar("One", bound=Record)


def read_records(bundle: Bundle, name: str, kind: type[One]) -> Iterator[tuple[Spot, One]]:
    """Yield each line of a file. Raises ReviewError, which names the line and the field."""
    with bundle.open(name) as file:
        for number, value in read_json_lines(file, name):
            spot = Spot(name, number)
            if not isinstance(value, dict):
                raise spot.refuse("it must be an object.")
            if (key := _unstorable(value)) is not None:
                raise spot.refuse(f"{key} contains a character that can’t be stored.")
            try:
                yield spot, msgspec.convert(value, kind)
            except msgspec.ValidationError as error:
                raise spot.refuse(_in_words(str(error))) from None


def count_takedowns(bundle: Bundle) -> int:
    """Return how many takedowns the release knows, 0 for one without TOMBSTONES. Its captions,
    clips and queries keep their numbers, so numbers are missing. Raises ReviewError."""
    if TOMBSTONES not in bundle:
        return 0
    stones = read_json(bundle.read(TOMBSTONES), TOMBSTONES)
    items = stones.get("items") if isinstance(stones, dict) else None
    if not isinstance(items, list) or not items:
        raise ReviewError(f"{TOMBSTONES}: items must list what was taken down.")
    return len(items)


def _unstorable(value: Any, key: str = "") -> str | None:
    """Return the key of the first text that a database refuses."""
    if isinstance(value, str):
        return (key or "a value") if UNSTORABLE.search(value) else None
    inside: Iterable[tuple[str, Any]] = value.items() if isinstance(value, dict) else ()
    if isinstance(value, list):
        inside = ((key, each) for each in value)
    for name, each in inside:
        if UNSTORABLE.search(name):
            return "a key"
        if (refused := _unstorable(each, name)) is not None:
            return refused
    return None


def _in_words(error: str) -> str:
    """Return msgspec's sentence with the field first."""
    what, _, where = error.partition(" - at `$.")
    field = where.rstrip("`")
    return f"{field}: {what}." if field else f"{what}."

"""Queries in CIRCO's form, with the clip of each number in clips.csv: a release, or a set."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from annotate.models import Video
from review.errors import ReviewError
from review.exchange.bundle import Bundle
from review.exchange.strict_json import read_json
from review.pairs.models import LabelPair
from review.triplets.folder_source import released_about
from review.triplets.source import About, ClipRow, LabelRow, Spot, TextRow, VerdictRow
from review.triplets.tfcovr import Line, read_rows

Split = Video.Split
Kind = LabelPair.Kind
CLIPS = "clips.csv"
# Of a release, and of an exported set. Train has no form in CIRCO.
FILES = {
    Split.VALIDATION: ("annotations/val.json", "circo/val.json"),
    Split.TEST: ("annotations/test_targets.json", "circo/test.json"),
}
FIELDS: dict[str, type] = {
    "reference_img_id": int, "relative_caption": str, "gt_img_ids": list, "id": int,
    "target_img_id": int,
}  # fmt: skip
ASPECTS = {Kind(kind).label.lower(): kind.value for kind in (Kind.TEMPORAL, Kind.EVENT)}


class CircoSource:
    may_correct = True

    def __init__(self, bundle: Bundle) -> None:
        self.bundle, self.name = bundle, bundle.name
        self.files = {
            split: next((name for name in names if name in bundle), "")
            for split, names in FILES.items()
        }
        if not any(self.files.values()):
            missing = " or ".join(names[0] for names in FILES.values())
            raise ReviewError(f"{bundle.name} has no {missing}. Choose a release in CIRCO’s form.")
        if CLIPS not in bundle:
            raise ReviewError(f"{bundle.name} has no {CLIPS}, which names the clip of each number.")

    def clips(self) -> Iterator[ClipRow]:
        for number, row in self._clip_rows:
            source = row.get("source_video", "")
            yield ClipRow(Spot(CLIPS, number), row["clip"], row["label"], row["split"], source)

    def labels(self) -> Iterator[LabelRow]:
        return iter(())

    def texts(self) -> Iterator[TextRow]:
        """Yield the text of each direction with its kind, which an entry has as its aspect."""
        labels = {row["clip"]: row["label"] for _, row in self._clip_rows}
        seen_directions: set[tuple[str, str]] = set()
        for split in self.files:
            for spot, entry in self._entries(split):
                aspects = entry.get("semantic_aspects")
                named = aspects if isinstance(aspects, list) else []
                kinds = [ASPECTS.get(name) for name in named if isinstance(name, str)]
                ends = [labels[self._clip(spot, entry["reference_img_id"])]]
                ends += [labels[self._clip(spot, clip)] for clip in entry["gt_img_ids"][:1]]
                kind = next((kind for kind in kinds if kind), None)
                if kind is None or len(ends) < 2 or (ends[0], ends[1]) in seen_directions:
                    continue
                seen_directions.add((ends[0], ends[1]))
                yield TextRow(spot, ends[0], ends[1], kind, entry["relative_caption"])

    def lines(self, split: str) -> Iterator[Line]:
        for place, (spot, entry) in enumerate(self._entries(split)):
            if entry["id"] != place:
                raise spot.refuse(f"id is {entry['id']}; it must be {place}. Ids count from 0.")
            targets = tuple(self._clip(spot, number) for number in entry["gt_img_ids"])
            if not targets or entry["target_img_id"] != entry["gt_img_ids"][0]:
                raise spot.refuse("target_img_id must be the first of gt_img_ids.")
            if len(set(targets)) < len(targets):
                raise spot.refuse("gt_img_ids names a clip twice.")
            clip = self._clip(spot, entry["reference_img_id"])
            text = entry["relative_caption"]
            yield Line(spot.file, spot.number, clip, text, targets, unit=spot.unit)

    def verdicts(self) -> Iterator[VerdictRow]:
        return iter(())

    def about(self) -> About:
        return released_about(self.bundle)

    @cached_property
    def _clip_rows(self) -> list[tuple[int, dict[str, str]]]:
        columns = ("id", "clip", "label", "split")
        return list(read_rows(CLIPS, self.bundle.lines(CLIPS), columns))

    @cached_property
    def _names(self) -> dict[str, str]:
        names: dict[str, str] = {}
        for number, row in self._clip_rows:
            if names.setdefault(row["id"], row["clip"]) != row["clip"]:
                raise Spot(CLIPS, number).refuse(f"id {row['id'][:20]} is there twice. Keep one.")
        return names

    def _clip(self, spot: Spot, number: object) -> str:
        name = self._names.get(str(number)) if type(number) is int else None
        if name is None:
            raise spot.refuse(f"{CLIPS} has no clip {str(number)[:20]}.")
        return name

    def _entries(self, split: str) -> Iterator[tuple[Spot, dict[str, Any]]]:
        file = self.files.get(Split(split), "")
        entries = read_json(self.bundle.read(file), file) if file else []
        if not isinstance(entries, list):
            raise ReviewError(f"{file} must be a list of queries.")
        for number, entry in enumerate(entries, 1):
            spot = Spot(file, number, "entry")
            for name, kind in FIELDS.items():
                if not isinstance(entry, dict) or type(entry.get(name)) is not kind:
                    raise spot.refuse(f"{name} is missing or has another type.")
            yield spot, entry

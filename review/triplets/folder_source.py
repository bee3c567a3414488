"""The files of a set of triplets: an exported one, a release in TF-CoVR's form, or TF-CoVR's own.

Python literals in them are never evaluated.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotate.models import Video
from annotate.text.spreadsheets import unguarded
from review.errors import ReviewError
from review.exchange.bundle import Bundle
from review.exchange.strict_json import read_json, read_json_lines
from review.studies.models import MAX_SEED
from review.triplets.caps import Caps
from review.triplets.exchange import CSV_NAMES, FORMAT, MODIFICATION_COLUMNS
from review.triplets.models import TripletSet
from review.triplets.sets import MAX_TARGETS
from review.triplets.source import (
    About,
    ClipRow,
    LabelRow,
    Spot,
    TextRow,
    VerdictRow,
    verdict_row,
)
from review.triplets.tfcovr import Line, read_rows, read_test, read_train

Split = Video.Split
# As TF-CoVR and a release in its form name them.
RELEASED = {
    Split.TRAIN: "annotations/train_finegd.csv",
    Split.VALIDATION: "annotations/val_finegd.csv",
    Split.TEST: "annotations/test_finegd.csv",
}
MANIFEST, VERDICTS = "manifest.json", "verdicts.jsonl"
CAPS = ("most_per_query", "most_per_direction", "train_triplets")


class FolderSource:
    def __init__(self, bundle: Bundle) -> None:
        self.bundle, self.name = bundle, bundle.name
        self.is_release = RELEASED[Split.TEST] in bundle
        self.names = RELEASED if self.is_release else CSV_NAMES
        self.may_correct = self.is_release
        # A release adds who made each text, and the verdicts on each query.
        self.has_origins = self.is_release and VERDICTS in bundle

    def clips(self) -> Iterator[ClipRow]:
        for spot, row in self._rows("clips.csv", ("clip", "label", "split")):
            source = row.get("source_video", "")
            yield ClipRow(spot, row["clip"], row["label"], row["split"], source)

    def labels(self) -> Iterator[LabelRow]:
        if self.is_release:
            columns = ("label", "caption", "source", "counts_as")
            for spot, row in self._rows("labels.csv", columns):
                caption, domain = unguarded(row["caption"]), unguarded(row["source"])
                yield LabelRow(spot, row["label"], caption, domain, row["counts_as"])
        else:
            for spot, row in self._rows("labels.csv", ("label", "caption", "domain")):
                yield LabelRow(spot, row["label"], row["caption"], row["domain"])

    def texts(self) -> Iterator[TextRow]:
        for spot, row in self._rows("modifications.csv", MODIFICATION_COLUMNS):
            ends = (row["label1"], row["label2"], row["kind"])
            if self.has_origins:
                rest = {name: unguarded(cell) for name, cell in row.items()}
                text = rest["modification"]
                made = {n: cell for n, cell in rest.items() if n not in MODIFICATION_COLUMNS}
                yield TextRow(spot, *ends, text, {n: cell for n, cell in made.items() if cell})
            else:
                yield TextRow(spot, *ends, row["modification"])

    def lines(self, split: str) -> Iterator[Line]:
        name = self.names[Split(split)]
        read = read_train if split == Split.TRAIN else read_test
        return read(name, self.bundle.lines(name))

    def verdicts(self) -> Iterator[VerdictRow]:
        if not self.has_origins:
            return
        with self.bundle.open(VERDICTS) as file:
            for number, verdict in read_json_lines(file, VERDICTS):
                spot = Spot(VERDICTS, number)
                split = verdict.get("split") if isinstance(verdict, dict) else None
                if split not in Split.values:
                    raise spot.refuse("split must be train, validation or test.")
                if type(verdict.get("query")) is not int:
                    raise spot.refuse("query must be a whole number, from 0.")
                yield verdict_row(spot, split, verdict["query"], verdict)

    def about(self) -> About:
        """Return what set.json or a manifest says; without them, what TF-CoVR's loader expects."""
        if self.is_release:
            return released_about(self.bundle)
        if "set.json" not in self.bundle:
            return About()
        about = read_json(self.bundle.read("set.json"), "set.json")
        if not isinstance(about, dict) or about.get("format") != FORMAT:
            raise ReviewError(f"set.json must say that its format is {FORMAT!r}.")
        return _about("set.json", about)

    def _rows(self, name: str, columns: tuple[str, ...]) -> Iterator[tuple[Spot, dict[str, str]]]:
        """Yield the rows of a file that is absent in TF-CoVR's own folder."""
        if name in self.bundle:
            for number, row in read_rows(name, self.bundle.lines(name), columns):
                yield Spot(name, number), row


def released_about(bundle: Bundle) -> About:
    """Return how the set of a release was generated, from its manifest."""
    if MANIFEST not in bundle:
        return About()
    manifest = read_json(bundle.read(MANIFEST), MANIFEST)
    generated = manifest.get("generated") if isinstance(manifest, dict) else None
    return _about(MANIFEST, generated) if isinstance(generated, dict) else About()


def _about(file: str, about: dict[str, Any]) -> About:
    seed, most = about.get("seed"), about.get("most_targets")
    if type(seed) is not int or not 0 <= seed <= MAX_SEED:
        raise ReviewError(f"{file}: seed must be a whole number from 0 to {MAX_SEED}.")
    if type(most) is not int or not 1 <= most <= MAX_TARGETS:
        raise ReviewError(f"{file}: most_targets must be a whole number from 1 to {MAX_TARGETS}.")
    apart = about.get("other_sources", "")
    if apart not in TripletSet.OtherSources.values:
        choices = ", ".join(repr(value) for value in TripletSet.OtherSources.values)
        raise ReviewError(f"{file}: other_sources must be one of {choices}.")
    drawn = about.get("test_queries", 0)
    if type(drawn) is not int or not 0 <= drawn <= MAX_SEED:
        raise ReviewError(f"{file}: test_queries must be a whole number, 0 for all.")
    numbers = []
    for name in CAPS:
        number = about.get(name, 0)
        if type(number) is not int or not 0 <= number <= MAX_SEED:
            raise ReviewError(f"{file}: {name} must be a whole number, 0 for no limit.")
        numbers.append(number)
    return About(seed, most, apart, drawn, Caps(*numbers))

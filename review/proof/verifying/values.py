"""Compare what the reports were computed from with the same values in the files of a release."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from review.proof.verifying.facts import (
    CAP,
    OBJECTS,
    TEXTS,
    Facts,
    Judged,
    Judgments,
    lengths_of,
    released_facts,
    units_of,
)
from review.proof.verifying.folder import Folder, Problem, Unreadable
from review.proof.verifying.hashes import MANIFEST
from review.proof.verifying.parsing import parsed
from review.proof.verifying.released import (
    TEST,
    VERDICTS,
    read_in_form,
)
from review.proof.verifying.tables import ReportInputs

NAMES = "reports/names.jsonl"
TASKS = ("triplets", "pairs")
# The question of a task that a report on the reliability of its people is about.
MAIN_QUESTION = {"triplet": "targets", "pair": "kind"}
NOT_IN_FILES = (
    "  What it was computed from is not in the release's files: tied by the release hash only."
)


class Named(NamedTuple):
    """Where the files have a clip or a whole video, which the tables of the reports name by `clip`.
    `item`: as in `Released`."""

    clip: int
    item: str


class Value(NamedTuple):
    """What a report was computed from: a value of a clip."""

    clip: int
    field: str
    value: Any


class Other(NamedTuple):
    """A value that is another one in a report's tables and in the released files."""

    where: str
    computed_from: object
    released: object


class Compared(NamedTuple):
    """How many values of a report the files have, and which differ."""

    number: int
    others: list[Other]


class Values:
    """What the files of a release have. `gone`: what was taken down since, by name."""

    def __init__(
        self,
        names: Iterable[Named],
        facts: Facts,
        judged: Collection[Judged],
        gone: Collection[str] = (),
    ) -> None:
        self.names = list(names)
        self.facts = facts
        self.judged = judged
        self.gone = gone
        self._items: dict[int, list[str]] = {}
        for clip, item in self.names:
            self._items.setdefault(clip, []).append(item)

    @property
    def clips(self) -> set[int]:
        """Return the keys of the clips, without the whole videos of LoVR's form."""
        has_scenes = any("/" in item for _, item in self.names)
        return {clip for clip, item in self.names if "/" in item or not has_scenes}

    def compare(self, inputs: ReportInputs, not_counted: Collection[str]) -> Compared:
        """Compare a report. `not_counted`: whose judgments it doesn't count, as in the files."""
        number, others = self._compare_facts(inputs)
        judged = self._compare_judgments(inputs, not_counted)
        if inputs.report.report == "map" and inputs.folder.has(TEST):
            number += len(inputs.column("queries", targets=Any))  # the released ones are scored
        return Compared(number + judged.number, [*others, *judged.others])

    def unnamed(self) -> Iterator[Problem]:
        """Yield a problem for each item of the files without a name, and the other way round."""
        items = {item for item, _ in self.facts}
        names = {item for _, item in self.names}
        for item in sorted(items - names):
            yield Problem(f"{NAMES}#{item}", "The release has it, and the list does not.")
        for item in sorted(names - items):
            if _stem(item) not in self.gone:
                yield Problem(f"{NAMES}#{item}", "The list has it, and the release does not.")

    def _compare_facts(self, inputs: ReportInputs) -> Compared:
        number, others = 0, []
        read = VALUES.get(inputs.report.report)
        for clip, field, value in read(inputs) if read else ():
            for item in self._items.get(clip, ()):
                if (item, field) not in self.facts or self._is_gone(item, field):
                    continue
                number += 1
                released = self.facts[item, field]
                if not _is_same(value, released):
                    others.append(Other(f"{item}.{field}", value, released))
        return Compared(number, others)

    def _compare_judgments(self, inputs: ReportInputs, not_counted: Collection[str]) -> Compared:
        """Compare people's labels unit by unit. Units have no names in a report, so what the files
        have must be among its units as often."""
        number, others = 0, []
        counted = units_of(row[1:] for row in self.judged if row.by not in not_counted)
        for question, units in _judged_units(inputs).items():
            released = counted.get(question, Counter())
            number += released.total()
            file = "modifications.csv" if question == "kind" else VERDICTS
            others += [
                Other(f"{file}.{question}: {', '.join(labels)}", units[labels], released[labels])
                for labels in sorted(released - units)
            ]
        return Compared(number, others)

    def _is_gone(self, item: str, field: str) -> bool:
        name = _stem(item)
        text = CAP if "/" in item or field == "full_video" else TEXTS.get(field, field)
        text = TEXTS["spatial"] if field == OBJECTS else text
        return name in self.gone or f"{name}#{text}" in self.gone


def read_values(folder: Folder, form: str, gone: Collection[str]) -> Values:
    """Return the values in the files of a folder of this form. Raises Unreadable."""
    if not folder.has(NAMES):
        raise Unreadable("The file is missing.")
    names = [parsed(line, Named) for line in folder.lines(NAMES)]
    facts, judged = released_facts(form, folder.text_lines)
    try:
        manifest = folder.json(MANIFEST)
    except Unreadable:  # This is a problem of its own.
        manifest = {"clips": [], "videos": []}
    lengths = read_in_form(lambda: dict(lengths_of(form, manifest)))
    return Values(names, facts | lengths, judged, gone)


def _is_same(value: Any, released: Any) -> bool:
    if isinstance(released, tuple):
        text, words = released
        return bool(value == (text, value[1] if words is None else words))
    return bool(value == released)


def _judged_units(inputs: ReportInputs) -> Judgments:
    """Return the same from a report on people's agreement or reliability."""
    name = inputs.report.report
    if name == "agreement" and inputs.parameter("task", str) in TASKS:
        return units_of(inputs.values("labels", question=str, unit=Hashable, label=str))
    if name == "reliability" and "labels" in inputs:
        question = MAIN_QUESTION.get(inputs.parameter("kind", str))
        if question:
            rows = inputs.values("labels", unit=Hashable, label=str)
            return units_of((question, unit, label) for unit, label in rows)
    return {}


def _stem(item: str) -> str:
    """Return the name by which a takedown has an item."""
    return PurePosixPath(item).stem if "/" in item else item


def _columns(table: str, **columns: str) -> Callable[[ReportInputs], Iterator[Value]]:
    """Return what reads the values of fields from these columns of a table by clip."""

    def read(inputs: ReportInputs) -> Iterator[Value]:
        for clip, *values in inputs.values(table, clip=int, **dict.fromkeys(columns.values(), Any)):
            for field, value in zip(columns, values, strict=True):
                if value is not None:
                    yield Value(clip, field, value)

    return read


def _statistics(inputs: ReportInputs) -> Iterator[Value]:
    yield from _columns("items", milliseconds="milliseconds")(inputs)
    for clip, kind, *measured in inputs.values("texts", clip=int, kind=str, sha256=str, words=int):
        yield Value(clip, kind, tuple(measured))


VALUES: Mapping[str, Callable[[ReportInputs], Iterator[Value]]] = {
    "capst": _columns("judgments", category="category"),
    "identification": _columns("picks", category="category", subcategory="subcategory"),
    "leakage": _columns("clips", objects="spatial"),
    "rebias": _columns("about", category="category"),
    "recall": _columns("about", category="category"),
    "statistics": _statistics,
}

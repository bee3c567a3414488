"""Read splits from files: TF-CoVR's CSVs, FineGym's and FineDiving's lists, a plain table.

Each name is resolved to its source video, which must be in one split. Files that put it in two are
refused, with both rows named.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from annotate.datasets.faults import DatasetInvalid, Fault, Faults
from annotate.datasets.files import DatasetFile, is_json, read_json, read_rows, read_text, refused
from annotate.datasets.finediving import NAME as DIVE_NAME
from annotate.datasets.finegym import NAME as GYM_NAME
from annotate.datasets.rows import without_suffix
from annotate.models import Video
from annotate.text.csv_rows import read_records, sniffed

Split = Video.Split
# The names of splits in other data sets.
SPLIT_WORDS = {**{split.value: split for split in Split}, "val": Split.VALIDATION}
MAX_LITERAL_LENGTH = 100_000


@dataclass(frozen=True)
class Named:
    """A clip or a source video in a row of a file; `split` is the row's own value, if any."""

    where: str
    name: str
    split: str = ""


@dataclass
class GivenSplits:
    """`plan`: source video -> its split. `unknown`: names that aren't in the project, in the order
    of the files. `missing`: source videos of the project that no file names.
    """

    plan: dict[str, Split] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)


def read_given_splits(
    files: Iterable[tuple[DatasetFile, Split | None]],
    clip_sources: Mapping[str, str],
    sources: Collection[str],
) -> GivenSplits:
    """Read `files`, each with the split that it lists, or None if each row names its own.
    `clip_sources`: clip -> source video. Raises DatasetInvalid.
    """
    splits = GivenSplits()
    first_rows: dict[str, tuple[str, str]] = {}
    known_sources = set(sources)
    for file, split in files:
        faults = Faults(file.name)
        conflicts = set()
        for named in _names(file, faults):
            of_row = split or SPLIT_WORDS.get(named.split.lower())
            if of_row is None:
                faults.add(named.where, "split", "It must be train, validation (or val) or test.")
                continue
            source = _source_of(named.name, clip_sources, known_sources)
            if source is None:
                splits.unknown.append(named.name)
                continue
            earlier = splits.plan.setdefault(source, of_row)
            row = first_rows.setdefault(source, (file.name, named.where))
            if earlier != of_row and (source, of_row) not in conflicts:
                conflicts.add((source, of_row))
                faults.add(named.where, "", _conflict(source, of_row, earlier, row))
        faults.raise_any()
    splits.missing = sorted(known_sources - splits.plan.keys())
    return splits


def _conflict(source: str, split: Split, earlier: Split, row: tuple[str, str]) -> str:
    return (
        f"It puts source video {source[:80]} in {split}, but {row[0]}, {row[1]} puts it in "
        f"{earlier}. Put all clips of a source video in one split."
    )


def _source_of(name: str, clip_sources: Mapping[str, str], sources: set[str]) -> str | None:
    """Return the project's source video for the name of a clip or source video."""
    name = without_suffix(name)
    if source := clip_sources.get(name):
        return source
    if name in sources:
        return name
    for pattern in (GYM_NAME, DIVE_NAME):
        part = pattern.fullmatch(name)
        if part and part[1] in sources:
            return part[1]
    return None


def _names(file: DatasetFile, faults: Faults) -> Iterator[Named]:
    text = read_text(file)
    if is_json(text):
        return _json_names(file, text, faults)
    separator, lines = sniffed(text.lstrip().splitlines()[:1])
    header = [
        cell.strip() for row in read_records(lines, separator=separator) for cell in row.cells
    ]
    if "query_video" in header:
        return _tfcovr_names(file, text, faults)
    if {"competition", "number"} <= set(header):
        return _dive_names(file, text, faults)
    column = next((name for name in ("source_video", "clip") if name in header), None)
    if column:
        return _table_names(file, text, column, faults)
    if len(header) > 1 and separator != "\t":
        raise refused(
            file,
            "Give one of the columns source_video, clip, query_video, or competition and number.",
            row="row 1",
        )
    return _listed_names(text, faults)


def _tfcovr_names(file: DatasetFile, text: str, faults: Faults) -> Iterator[Named]:
    for where, row in read_rows(file, text, ("query_video", "target_video"), faults):
        yield Named(where, row["query_video"])
        yield Named(where, row["target_video"])
        for name in _literal_list(row.get("target_videos_ids", ""), where, faults):
            yield Named(where, name)


def _literal_list(text: str, where: str, faults: Faults) -> list[str]:
    if not text:
        return []
    try:
        names = ast.literal_eval(text) if len(text) <= MAX_LITERAL_LENGTH else None
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        names = None
    if isinstance(names, list) and all(isinstance(name, str) for name in names):
        return names
    faults.add(where, "target_videos_ids", "It must be a list of names, such as ['a', 'b'].")
    return []


def _dive_names(file: DatasetFile, text: str, faults: Faults) -> Iterator[Named]:
    for where, row in read_rows(file, text, ("competition", "number"), faults):
        yield Named(where, f"{row['competition']}_{row['number']}", row.get("split", ""))


def _table_names(file: DatasetFile, text: str, column: str, faults: Faults) -> Iterator[Named]:
    for where, row in read_rows(file, text, (column,), faults):
        yield Named(where, row[column] or row.get("clip", ""), row.get("split", ""))


def _listed_names(text: str, faults: Faults) -> Iterator[Named]:
    for number, line in enumerate(text.splitlines(), 1):
        if words := line.split():
            if len(words) > 2:
                faults.add(f"line {number}", "", "It must be a name, then at most a label.")
            yield Named(f"line {number}", words[0])


def _json_names(file: DatasetFile, text: str, faults: Faults) -> Iterator[Named]:
    entries = read_json(file, text)
    if not isinstance(entries, list):
        raise refused(file, "It must be a list of names, or of [competition, number].")
    for number, entry in enumerate(entries, 1):
        where = f"entry {number}"
        if isinstance(entry, str):
            yield Named(where, entry)
        elif isinstance(entry, list) and len(entry) == 2 and all(isinstance(v, str) for v in entry):
            yield Named(where, "_".join(entry))
        else:
            faults.add(where, "", "It must be a name, or [competition, number].")


def refuse_unfit(splits: GivenSplits, files: Iterable[DatasetFile], *, allow_missing: bool) -> None:
    """Raise DatasetInvalid if no file fits the project, or source videos are in no file."""
    names = ", ".join(file.name for file in files)
    if not splits.plan:
        example = f", such as {splits.unknown[0][:80]!r}" if splits.unknown else ""
        mend = f"The project has none of the clips or source videos{example}. Import them first."
        raise DatasetInvalid([Fault(names, "", "", mend)])
    if splits.missing and not allow_missing:
        mend = "No file names this source video. Add it, or put such videos in train."
        raise DatasetInvalid([Fault(names, source, "", mend) for source in splits.missing])

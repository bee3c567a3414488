"""The times of a model's retrieval, end to end, as LoVR's Tables 2 and 3 have them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from review.reports.cells import UNDEFINED
from review.retrieval.computing import FullBothWays, Seconds
from review.retrieval.directions import DIRECTIONS
from review.retrieval.making import Making
from review.retrieval.queries import GALLERY_OF
from review.retrieval.results import RecallResult
from review.retrieval.rows import KIND_NAMES

THOUSAND = 1000
NO_VECTORS_TIMED = "{lacking} of {n} vectors have no times: they were made elsewhere."


@dataclass(frozen=True)
class TimeCell:
    """Milliseconds, with their standard deviation over the runs if there is one; `reason`: why the
    number is missing.
    """

    text: str
    reason: str = ""


@dataclass(frozen=True)
class TimeRow:
    """One kind of captions: the cells of making and reading the vectors, then of each direction."""

    name: str
    vectors: list[TimeCell]
    ways: list[list[TimeCell]]


@dataclass(frozen=True)
class Device:
    """What did a step. `share`: of how many vectors, empty for the search."""

    step: str
    name: str
    share: str = ""


@dataclass(frozen=True)
class TimeTable:
    rows: list[TimeRow]
    devices: list[Device]
    n_runs: int

    @property
    def reasons(self) -> list[str]:
        cells = [cell for row in self.rows for cell in row.vectors]
        return list(dict.fromkeys(cell.reason for cell in cells if cell.reason))


def time_table(result: RecallResult, kinds: Sequence[str]) -> TimeTable:
    return TimeTable(
        rows=[_row(kind, result.kinds[kind], result.made) for kind in kinds],
        devices=list(_devices(result, kinds)),
        n_runs=max(result.kinds[kind].t2v.seconds.n_runs for kind in kinds),
    )


def making_seconds(made: Mapping[str, Making], kind: str) -> tuple[float, float, float] | None:
    """Return the seconds of decoding the gallery, of embedding it, and of embedding the captions;
    None unless each vector has its times.
    """
    clips, captions = made[GALLERY_OF[kind]], made[kind]
    if not (clips.is_whole and captions.is_whole):
        return None
    of_captions = captions.read_seconds + captions.compute_seconds
    return clips.read_seconds, clips.compute_seconds, of_captions


def _row(kind: str, ways: FullBothWays, made: Mapping[str, Making]) -> TimeRow:
    steps = making_seconds(made, kind)
    reading = ways.t2v.seconds
    return TimeRow(
        KIND_NAMES[kind],
        [*_making_cells(kind, made), _measured(_reading_runs(reading), _reading(reading))],
        [list(_way_cells(ways.way(name).seconds, steps)) for name in DIRECTIONS],
    )


def _making_cells(kind: str, made: Mapping[str, Making]) -> Iterator[TimeCell]:
    clips, captions = made[GALLERY_OF[kind]], made[kind]
    for making, attribute in ((clips, "read_seconds"), (clips, "compute_seconds")):
        reason = _reason(making)
        yield TimeCell(UNDEFINED, reason) if reason else _plain(getattr(making, attribute))
    reason = _reason(captions)
    if reason:
        yield TimeCell(UNDEFINED, reason)
    else:
        yield _plain(captions.read_seconds + captions.compute_seconds)


def _reason(making: Making) -> str:
    if making.is_whole:
        return ""
    return NO_VECTORS_TIMED.format(lacking=f"{making.n - making.n_timed:,}", n=f"{making.n:,}")


def _way_cells(seconds: Seconds, steps: tuple[float, float, float] | None) -> Iterator[TimeCell]:
    """Yield the search, and all steps with and without I/O."""
    yield _measured(seconds.runs_without_io, seconds.without_io)
    if steps is None:
        yield from [TimeCell(UNDEFINED, "Decoding and embedding have no times.")] * 2
        return
    decoding, embedding, captions = steps
    yield _plain(decoding + embedding + captions + seconds.with_io)
    yield _plain(embedding + captions + seconds.without_io)


def _reading(seconds: Seconds) -> float:
    return seconds.with_io - seconds.without_io


def _reading_runs(seconds: Seconds) -> list[float]:
    pairs = zip(seconds.runs_with_io, seconds.runs_without_io, strict=True)
    return [with_io - without_io for with_io, without_io in pairs]


def _measured(runs: Sequence[float], mean: float) -> TimeCell:
    if len(runs) < 2:
        return _plain(mean)
    return TimeCell(f"{_text(fmean(runs))} ± {_text(stdev(runs))}")


def _plain(seconds: float) -> TimeCell:
    return TimeCell(_text(seconds))


def _text(seconds: float) -> str:
    milliseconds = THOUSAND * seconds
    return f"{milliseconds:,.1f}" if milliseconds < THOUSAND else f"{milliseconds:,.0f}"


def _devices(result: RecallResult, kinds: Sequence[str]) -> Iterator[Device]:
    parts = dict.fromkeys([*(GALLERY_OF[kind] for kind in kinds), *kinds])
    for part in parts:
        for name, n in result.made[part].devices.items():
            step = KIND_NAMES.get(part, f"Vectors of {part}")
            yield Device(step, name or "not stored", f"{n:,} vector{'' if n == 1 else 's'}")
    yield Device("Reading and search", result.searched_on)

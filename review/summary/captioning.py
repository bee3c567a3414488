"""CapST as in CaReBench's Tables 2 and 3, overlap as in its Table 12, and ratings as in its Table
14.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from metrics.capst.estimate import Estimate
from metrics.capst.scores import CategoryScores
from metrics.overlap.result import Score
from review.capst.forms import PRESET_NAMES, Preset
from review.capst.pages import TABLES, TITLES
from review.capst.results import CAPST, StoredCapst, branch_of
from review.captions.computing import SCORES
from review.captions.report import OVERLAP
from review.elements.lines import KINDS
from review.reports.cells import HIGH, Cell, Column, Row, percent
from review.reports.models import Report
from review.reports.stored import AnyStored
from review.reports.tables import Section, Table
from review.summary.loading import Loaded
from review.summary.rated import newest_ratings, ratings_section

PARTS = {"f1": "F1", "recall": "Recall", "precision": "Precision"}
NO_CATEGORY = "No category"
FAIR = 0.9
UNEVEN = (
    "Some models have numbers from far fewer clips than others, so no model is marked as the best."
)


def presets_of(loaded: Loaded) -> list[str]:
    """Return the presets with judged captions, in the order of the page."""
    presets = {stored.parameters.preset for stored in loaded.of(CAPST)}
    return [str(preset) for preset in PRESET_NAMES if preset in presets]


def captioning_sections(loaded: Loaded, preset: str) -> Iterator[Section]:
    judged = [stored for stored in loaded.of(CAPST) if stored.parameters.preset == preset]
    if judged:
        for kind in KINDS:
            yield _capst(loaded, kind, preset, judged)
    if loaded.of(OVERLAP):
        yield _overlap(loaded)
    if rated := newest_ratings(loaded):
        yield ratings_section(loaded, rated)


def _capst(loaded: Loaded, kind: str, preset: str, judged: Sequence[StoredCapst]) -> Section:
    columns = (
        *(
            Column(
                part,
                name,
                best=_best([stored.numbers for stored in judged], kind, part),
                drawn="first" if part == "f1" else "",
            )
            for part, name in PARTS.items()
        ),
        Column("clips", "Clips", digits=0, best=""),
    )
    rows = tuple(
        _row(
            loaded,
            stored,
            (
                *_shares(stored.numbers, kind, stored.report),
                Cell(stored.numbers.n_samples, stored.report),
            ),
        )
        for stored in judged
    )
    table, by_category = Table(columns, rows), _by_category(loaded, kind, judged)
    return Section(
        key=kind,
        title=TITLES[kind],
        paper=TABLES[kind],
        unit=f"In percent, with the settings “{PRESET_NAMES[Preset(preset)]}”{_judges(judged)}. "
        "The intervals are over clips.",
        lead="f1",
        table=table,
        by_category=by_category,
        notes=(
            *dict.fromkeys((*table.notes, *(by_category.notes if by_category else ()))),
            *_judged_otherwise(judged),
            *_uneven(loaded, kind, judged),
            *(() if best_of([stored.numbers.n_samples for stored in judged]) else (UNEVEN,)),
        ),
    )


def _by_category(loaded: Loaded, kind: str, judged: Sequence[StoredCapst]) -> Table | None:
    categories = sorted({name for stored in judged for name in stored.numbers.by_category})
    if not any(categories):
        return None
    columns = tuple(
        Column(
            f"{category}/{part}",
            name,
            group=category or NO_CATEGORY,
            best=_best(
                [
                    stored.numbers.by_category[category]
                    for stored in judged
                    if category in stored.numbers.by_category
                ],
                kind,
                part,
            ),
        )
        for category in categories
        for part, name in PARTS.items()
    )
    rows = []
    for stored in judged:
        cells: list[Cell] = []
        for category in categories:
            scores = stored.numbers.by_category.get(category)
            empty = Cell(report=stored.report, reason="No caption of this category was judged.")
            cells += _shares(scores, kind, stored.report) if scores else [empty] * len(PARTS)
        rows.append(_row(loaded, stored, tuple(cells)))
    return Table(columns, tuple(rows))


def _shares(scores: CategoryScores, kind: str, report: Report) -> list[Cell]:
    branch, clips = branch_of(scores, kind), _clips_of(scores, kind)
    shares: dict[str, Estimate] = {part: getattr(branch, part) for part in PARTS}
    return [
        Cell(
            percent(share.value),
            report,
            percent(share.low),
            percent(share.high),
            share.reason,
            clips=clips[part],
        )
        for part, share in shares.items()
    ]


def _clips_of(scores: CategoryScores, kind: str) -> dict[str, int]:
    """Return the number of clips behind each number; F1 needs both others."""
    branch = branch_of(scores, kind)
    recall, precision = branch.recall.n, branch.precision.n
    return {"f1": min(recall, precision), "recall": recall, "precision": precision}


def _best(scores: Sequence[CategoryScores], kind: str, part: str) -> str:
    judged = [score.n_samples for score in scores]
    return best_of([*judged, *(_clips_of(score, kind)[part] for score in scores)])


def best_of(clips: Sequence[int]) -> str:
    """Mark no best number if another is based on far fewer clips."""
    return HIGH if not clips or min(clips) >= FAIR * max(clips) else ""


def _uneven(loaded: Loaded, kind: str, judged: Sequence[StoredCapst]) -> tuple[str, ...]:
    """Return, for each model whose recall or precision omits clips, how many clips each is based
    on.
    """
    uneven = []
    for stored in judged:
        clips = _clips_of(stored.numbers, kind)
        if min(clips.values()) != stored.numbers.n_samples:
            uneven.append(
                f"{loaded.captions_of(stored)}: recall {clips['recall']}, "
                f"precision {clips['precision']} of {stored.numbers.n_samples}"
            )
    return (f"Some numbers are not based on all clips. {'; '.join(uneven)}.",) if uneven else ()


def _judges(judged: Sequence[StoredCapst]) -> str:
    """Return the judges in words, to append to the choices."""
    names = sorted({stored.parameters.judge for stored in judged} - {""})
    return f", judged by {', '.join(names)}" if names else ""


def _judged_otherwise(judged: Sequence[StoredCapst]) -> tuple[str, ...]:
    ways = {(stored.parameters.extractor, stored.parameters.judge) for stored in judged}
    if len(ways) < 2:
        return ()
    return ("These models were judged in different ways, so their numbers are not comparable.",)


def _overlap(loaded: Loaded) -> Section:
    overlaps = loaded.of(OVERLAP)
    best = best_of([stored.numbers.n for stored in overlaps])
    is_of_one_kind = len({stored.parameters.kind for stored in overlaps}) == 1
    columns = (
        *(
            Column(
                key,
                name,
                digits=2,
                best=best if is_of_one_kind else "",
                drawn="first" if key == "meteor" else "",
            )
            for key, name in SCORES.items()
        ),
        Column("clips", "Clips", digits=0, best=""),
    )
    rows = tuple(
        _row(
            loaded,
            stored,
            (
                *(
                    _score(stored.numbers.score(key), stored.report, stored.numbers.n)
                    for key in SCORES
                ),
                Cell(stored.numbers.n, stored.report),
            ),
        )
        for stored in overlaps
    )
    table = Table(columns, rows)
    return Section(
        key="overlap",
        title="Overlap with human captions",
        paper="Table 12",
        unit="From 0 to 100, CIDEr from 0 to 1000. Table 12 prints these numbers divided by 100.",
        lead="meteor",
        table=table,
        notes=(
            *table.notes,
            *(() if is_of_one_kind else ("Captions of different kinds are not comparable.",)),
            *(() if best else (UNEVEN,)),
        ),
    )


def _score(score: Score, report: Report, clips: int) -> Cell:
    return Cell(score.value, report, score.low, score.high, score.reason, clips=clips)


def _row(loaded: Loaded, stored: AnyStored, cells: tuple[Cell, ...]) -> Row:
    return Row(
        loaded.captions_of(stored),
        "",
        cells,
        stored.report.pk in loaded.old,
        loaded.asked.get(stored.about or 0),
    )

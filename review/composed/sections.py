"""Tables of mAP@K as TF-CoVR prints them."""

from __future__ import annotations

from collections.abc import Iterator

from review.composed.computing import ComposedScores
from review.composed.forms import BASELINE_NAMES
from review.composed.report import COMPOSED, ComposedParameters
from review.composed.scoring import KS as MAP_KS
from review.reports.cells import Cell, Column, Row, percent
from review.reports.stored import Stored, StoredReports
from review.reports.tables import Section, Table
from review.retrieval.sections import SIZE

CONVENTION_NAMES = {"circo": "mAP as in CIRCO", "tfcovr": "mAP as in TF-CoVR’s code"}
CONVENTIONS = tuple(CONVENTION_NAMES)


def composed_sections(loaded: StoredReports) -> Iterator[Section]:
    results = [result for result in loaded.of(COMPOSED) if result.numbers.baselines]
    if not results:
        return
    columns = (
        *(
            Column(
                f"{convention}_{k}",
                f"@{k}",
                CONVENTION_NAMES[convention],
                digits=2,
                drawn="first" if (convention, k) == (CONVENTIONS[0], MAP_KS[-1]) else "",
            )
            for convention in CONVENTIONS
            for k in MAP_KS
        ),
        Column("size", SIZE, digits=0, best="", is_size=True),
    )
    rows = tuple(
        Row(
            result.parameters.model,
            f"{name}, {result.parameters.frames}",
            tuple(_precisions(result, baseline)),
            result.report.pk in loaded.old,
        )
        for result in results
        for baseline, name in BASELINE_NAMES.items()
    )
    table = Table(columns, rows)
    yield Section(
        key="composed",
        title="Test queries",
        paper="TF-CoVR",
        unit="Mean average precision over test queries, in percent. As in CIRCO, without the right "
        "clips beyond the set’s limit of targets. TF-CoVR’s code searches the first target of each "
        "query instead of the gallery.",
        lead=columns[len(MAP_KS) - 1].key,
        table=table,
        notes=table.notes,
    )


def _precisions(
    composed: Stored[ComposedScores, ComposedParameters], baseline: str
) -> Iterator[Cell]:
    over = composed.parameters.queries, composed.parameters.gallery
    for way in CONVENTIONS:
        precisions = composed.numbers.baselines[baseline].by(way).map
        for k in MAP_KS:
            yield Cell(percent(precisions[k]), composed.report, over=over)
    yield Cell(over[0], composed.report, over=over)

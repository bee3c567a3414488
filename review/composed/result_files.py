"""Export the results of imported rankings as CSV, JSON and LaTeX; CSV and JSON have fractions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from typing import Any

from metrics.retrieval import PrecisionSpread
from metrics.retrieval.average_precision import VERSION
from review.composed.results import (
    N_BOOTSTRAP,
    SCORES,
    SEED,
    ResultRow,
    ResultTable,
    current_rankings,
    result_tables,
)
from review.composed.scoring import CIRCO_RULE, KS
from review.display.latex import RULE, UNDEFINED, escaped, row_line, simulated, table_lines
from review.reports.files import FileTable
from review.triplets.models import TripletSet
from review.triplets.queries import test_queries

HUNDRED = 100
COLUMNS = (
    "table", "group", "model", "video", "text", "fusion", "query_frames", "target_frames", "seeds",
    "runs", "queries", "verified_only", "convention",
    *(f"map_at_{k}{part}" for k in KS for part in ("", "_sd", "_low", "_high")),
    "reason", "signature",
)  # fmt: skip
TITLES = {
    2: "Models fine-tuned on TF-CoVR",
    3: "General multimodal embeddings, and models without fine-tuning",
}


def results_signature(triplets: TripletSet, convention: str) -> str:
    """Return the numbers' signature, in one line."""
    files = [ranking.file_sha256 for ranking in current_rankings(triplets)]
    queries = test_queries(triplets) if files else []
    targets = [[query.key, query.targets, query.right_too] for query in queries]
    parts = {
        "triplets": triplets.number,
        "most_targets": triplets.most_targets,
        "other_sources": triplets.other_sources or "none",
        "convention": convention,
        "beyond_limit": CIRCO_RULE if convention == "circo" else convention,
        "queries": len(queries),
        "verified": sum(query.is_verified for query in queries),
        "bootstrap": N_BOOTSTRAP,
        "seed": SEED,
        "method": f"metrics.retrieval {VERSION}",
        "inputs": sha256(json.dumps([files, targets]).encode()).hexdigest()[:8],
    }
    simulated = "|simulated" if triplets.project.is_simulated else ""
    return f"composed{simulated}|" + "|".join(f"{key}:{value}" for key, value in parts.items())


def results_table(triplets: TripletSet, convention: str) -> FileTable:
    """Return the results; LaTeX has those by the `convention`."""
    return FileTable(
        COLUMNS,
        (list(entry.values()) for entry in _entries(triplets)),
        lambda: list(_entries(triplets)),
        latex=partial(_latex, triplets, convention),
    )


def _entries(triplets: TripletSet) -> Iterator[dict[str, Any]]:
    for convention in SCORES:
        signature = results_signature(triplets, convention)
        for table in result_tables(triplets, convention):
            for row in table.rows:
                values = [table.number, *_facts(row), convention]
                for spread in row.cells:
                    values += _numbers(spread)
                yield dict(zip(COLUMNS, [*values, row.reason, signature], strict=True))


def _facts(row: ResultRow) -> list[Any]:
    model = row.model
    return [
        model.get_group_display(),
        model.name,
        int(model.has_video),
        int(model.has_text),
        model.fusion,
        model.query_frames,
        model.target_frames,
        row.seeds,
        len(row.runs),
        row.n_queries,
        int(model.is_verified_only),
    ]


def _numbers(spread: PrecisionSpread | None) -> list[float | None]:
    return [spread.mean, spread.sd, spread.low, spread.high] if spread else [None] * 4


def _latex(triplets: TripletSet, convention: str) -> str:
    """Return Tables 2 and 3 with the rows, columns and groups that TF-CoVR prints."""
    signature = results_signature(triplets, convention)
    parts = [r"% Needs \usepackage{booktabs} and \usepackage{amssymb}.", f"% {escaped(signature)}"]
    tables = [table for table in result_tables(triplets, convention) if table.groups]
    for table in tables:
        parts += _latex_table(triplets, table)
    if not tables:
        parts.append("% No rankings are imported yet.")
    return "\n".join(parts) + "\n"


def _latex_table(triplets: TripletSet, table: ResultTable) -> Iterator[str]:
    spread = "Mean over seeds, with their standard deviation where there are several."
    caption = f"{TITLES[table.number]} ({triplets.project.name}). {spread}"
    marked = simulated(caption, triplets.project.is_simulated)
    yield from table_lines(marked, "ccllccrrrr", _latex_rows(table))


def _latex_rows(table: ResultTable) -> Iterator[str]:
    modalities, scores = (
        r"\multicolumn{2}{c}{Modalities}",
        r"\multicolumn{4}{c}{mAP@K ($\uparrow$)}",
    )
    yield row_line([modalities, "Model", "Fusion", r"\#Query", r"\#Target", scores])
    yield row_line(["Video", "Text", "", "", "Frames", "Frames", *map(str, KS)])
    for group in table.groups:
        yield from (RULE, row_line([rf"\multicolumn{{10}}{{c}}{{{escaped(group.name)}}}"]), RULE)
        for row in group.rows:
            if row.reason:
                yield f"    % {escaped(row.model.name)}: {escaped(row.reason)}"
            yield row_line(_latex_cells(row))


def _latex_cells(row: ResultRow) -> Iterator[str]:
    model = row.model
    for is_used in (model.has_video, model.has_text):
        yield r"\checkmark" if is_used else r"$\times$"
    yield escaped(model.name)
    yield escaped(model.fusion) or "-"
    for frames in (model.query_frames, model.target_frames):
        yield str(frames or "-")
    for spread in row.cells:
        if spread is None or spread.mean is None:
            yield UNDEFINED
        else:
            sd = "" if spread.sd is None else rf" $\pm$ {HUNDRED * spread.sd:.2f}"
            yield f"{HUNDRED * spread.mean:.2f}{sd}"

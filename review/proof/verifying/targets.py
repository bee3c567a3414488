"""The test queries of a report on retrieval, with the targets that the release has."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from review.proof.verifying.released import LOADER_TARGETS, TEST, csv_rows
from review.proof.verifying.tables import ReportInputs
from review.triplets.query import Query


def released_queries(inputs: ReportInputs) -> Iterator[Query]:
    """Yield the queries with the released targets: those of the file of test queries, and behind
    them those that the loader's limit leaves out of it. Where the folder has no such file, they are
    as stored. Raises ValueError for a query whose clip and text the file doesn't have."""
    queries = inputs.rows("queries", Query)
    if "names" not in inputs or not inputs.folder.has(TEST):
        yield from queries
        return
    names = dict(inputs.values("names", clip=int, name=str))
    clips = {name: clip for clip, name in names.items()}
    released = {
        (row["query_video"], row["modification"]): ast.literal_eval(row["target_videos_ids"])
        for row in csv_rows(inputs.folder.text_lines(TEST))
    }
    for query in queries:
        name = names[query.clip]
        if (name, query.text) not in released:
            raise ValueError(f"{TEST} has no query of {name} with the text {query.text!r}")
        targets = [clips[target] for target in released.pop((name, query.text))]
        yield replace(query, targets=(*targets, *query.targets[LOADER_TARGETS:]))
    if released:
        raise ValueError(f"{TEST} has {len(released)} queries that the report doesn't have")

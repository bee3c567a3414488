"""Parquet files: the same rows give the same bytes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from review.exchange.files import ExportFile
from review.releases.writers.made import local_file, place_of
from review.releases.writers.spans import SPAN
from review.releases.writers.tables import Column

# Texts of 1,400 words make a group of about 8 MB.
ROWS_PER_GROUP = 1000


def parquet_file(
    folder: Path, path: str, columns: Sequence[Column], rows: Iterable[Sequence[Any]]
) -> ExportFile:
    """Write the rows to a file in the folder, with one group of them in memory at a time."""
    # Only a worker that writes releases imports it: it takes 50 MB.
    import pyarrow as pa
    from pyarrow import parquet

    types = {
        "text": pa.string(),
        "integer": pa.int64(),
        "number": pa.float64(),
        "boolean": pa.bool_(),
        "texts": pa.list_(pa.string()),
        "integers": pa.list_(pa.int64()),
        "spans": pa.list_(pa.struct([pa.field(name, pa.int64(), nullable=False) for name in SPAN])),
    }
    schema = pa.schema([pa.field(c.name, types[c.kind], nullable=c.is_optional) for c in columns])
    place = place_of(folder, path)
    remaining = iter(rows)
    with parquet.ParquetWriter(place, schema, compression="zstd") as writer:
        while group := list(islice(remaining, ROWS_PER_GROUP)):
            values = [
                pa.array(column, field.type)
                for column, field in zip(zip(*group, strict=True), schema, strict=True)
            ]
            writer.write_table(pa.Table.from_arrays(values, schema=schema))
    return local_file(place, path)

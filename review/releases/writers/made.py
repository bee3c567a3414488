"""Files whose bytes are made before they are written, in a folder of the caller: lines of JSON and
Parquet. The same rows give the same bytes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from annotate.bulk import in_batches
from review.exchange.files import ExportFile, local_chunks, measured_file
from review.releases.writers.spans import SPAN
from review.releases.writers.tables import Column

# Characters that are line breaks for some readers of JSON lines, but not for JSON.
LINE_BREAKS = {"\x85": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"}
# Texts of 1,400 words make a group of about 8 MB.
ROWS_PER_GROUP = 1000

PACKED: Mapping[str, Any] = {"compression": "zstd"}
# A batch is a page, which a reader has in memory.
PLAIN: Mapping[str, Any] = {
    "compression": "gzip",
    "compression_level": 6,
    "use_dictionary": False,
    "write_batch_size": 64,
}


def made_file(folder: Path, path: str, chunks: Iterable[bytes]) -> ExportFile:
    """Write the chunks into the folder, and return them as the file `path` of a release."""
    place = place_of(folder, path)
    with place.open("xb") as file:
        file.writelines(chunks)
    return measured_file(path, partial(local_chunks, place))


def place_of(folder: Path, path: str) -> Path:
    """Return where in the folder to make the file `path` of a release."""
    place = folder / path
    place.parent.mkdir(parents=True, exist_ok=True)
    return place


def json_line(row: Mapping[str, object]) -> bytes:
    """Return one line for every reader of JSON lines."""
    line = json.dumps(row, ensure_ascii=False)
    for character, escape in LINE_BREAKS.items():
        line = line.replace(character, escape)
    return line.encode() + b"\n"


def parquet_file(
    folder: Path,
    path: str,
    columns: Sequence[Column],
    rows: Iterable[Sequence[Any]],
    *,
    is_plain: bool = False,
) -> ExportFile:
    """Write the rows to a file in the folder, with one group of them in memory at a time.
    `is_plain`: in the small part of Parquet that `verify.pyz` reads with Python alone."""
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
    with parquet.ParquetWriter(place, schema, **(PLAIN if is_plain else PACKED)) as writer:
        for group in in_batches(rows, ROWS_PER_GROUP):
            values = [
                pa.array(column, field.type)
                for column, field in zip(zip(*group, strict=True), schema, strict=True)
            ]
            writer.write_table(pa.Table.from_arrays(values, schema=schema))
    return measured_file(path, partial(local_chunks, place))

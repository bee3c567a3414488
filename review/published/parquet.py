"""Read rows of Parquet files, such as LoVR's, in batches. Their content is untrusted.

Texts stay in the file's dictionaries until a row is read, so that a small file can't unpack to a
large table.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from review.captions.predictions import MAX_ROWS
from review.errors import ReviewError

MAGIC = b"PAR1"
BATCH_SIZE = 500
# limit of one unpacked row group
MAX_UNPACKED = 1024 * 1024 * 1024
MAX_COLUMNS = 200


def rows_of_parquet(data: bytes, columns: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    """Yield each row with the text or list columns that are in `columns`. Raises ReviewError."""
    from pyarrow import parquet

    if data[:4] != MAGIC or data[-4:] != MAGIC:
        raise ReviewError("The file isn’t Parquet, or its end is missing. Copy it again.")
    try:
        file = parquet.ParquetFile(io.BytesIO(data))
        names = _checked(file, columns)
        # The texts of a list have a path of their own.
        paths = [file.schema.column(number).path for number in range(len(file.schema))]
        texts = [path for path in paths if path.split(".")[0] in names]
        file = parquet.ParquetFile(io.BytesIO(data), read_dictionary=texts)
        number = 0
        for batch in file.iter_batches(batch_size=BATCH_SIZE, columns=names):
            for row in zip(*(batch.column(name) for name in names), strict=True):
                number += 1
                cells = (cell.as_py() for cell in row)
                given = {n: cell for n, cell in zip(names, cells, strict=True) if cell is not None}
                yield f"row {number}", given
    except ReviewError:
        raise
    except Exception:
        # A damaged file makes pyarrow raise many kinds of errors, KeyError among them.
        raise ReviewError(
            "The file can’t be read as Parquet: it is damaged, or made in a way that isn’t read. "
            "Write it again, or save it as JSONL."
        ) from None


def _checked(file: Any, columns: tuple[str, ...]) -> list[str]:
    """Return the columns of text to read. Raises ReviewError if the file is too large, or lacks
    them."""
    about = file.metadata
    if about.num_rows > MAX_ROWS:
        raise ReviewError(f"The file has more than {MAX_ROWS:,} rows. Split it.")
    if about.num_columns > MAX_COLUMNS:
        raise ReviewError(f"The file has more than {MAX_COLUMNS} columns. Keep those needed.")
    for number in range(about.num_row_groups):
        if about.row_group(number).total_byte_size > MAX_UNPACKED:
            raise ReviewError("A row group has more than 1 GiB. Write smaller ones.")
    schema = file.schema_arrow
    kinds = {name: schema.field(name).type for name in columns if name in schema.names}
    names = [name for name, kind in kinds.items() if _holds_text(kind)]
    if not names:
        others = "".join(f" {name} holds {kind}, not text." for name, kind in kinds.items())
        raise ReviewError(f"The file has no text in the columns {', '.join(columns)}.{others}")
    return names


def _holds_text(kind: Any) -> bool:
    """Return whether a column has texts or lists of texts."""
    from pyarrow import types

    if types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        kind = kind.value_type
    if types.is_dictionary(kind):
        kind = kind.value_type
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))

"""Read rows of Parquet files, such as LoVR's, in batches. Their content is untrusted.

Texts stay in the file's dictionaries until a row is read, so that a small file can't unpack to a
large table.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from review.captions.predictions import MOST_ROWS
from review.errors import ReviewError

MAGIC = b"PAR1"
AT_ONCE = 500
# limit of one unpacked row group
MOST_UNPACKED = 1024 * 1024 * 1024
MOST_COLUMNS = 200


def rows_of_parquet(data: bytes, columns: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    """Yield each row with the text or list columns that are in `columns`. Raises ReviewError."""
    import pyarrow
    from pyarrow import parquet

    if data[:4] != MAGIC or data[-4:] != MAGIC:
        raise ReviewError("The file isn’t Parquet, or its end is missing. Copy it again.")
    try:
        file = parquet.ParquetFile(io.BytesIO(data))
        names = _checked(file, columns)
        file = parquet.ParquetFile(io.BytesIO(data), read_dictionary=names)
        number = 0
        for batch in file.iter_batches(batch_size=AT_ONCE, columns=names):
            for row in zip(*(batch.column(name) for name in names), strict=True):
                number += 1
                cells = (cell.as_py() for cell in row)
                given = {n: cell for n, cell in zip(names, cells, strict=True) if cell is not None}
                yield f"row {number}", given
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError, MemoryError) as error:
        reason = str(error).splitlines()[0][:200] if str(error) else "it ends too early"
        raise ReviewError(f"The file can’t be read as Parquet: {reason}.") from None


def _checked(file: Any, columns: tuple[str, ...]) -> list[str]:
    """Return the columns to read. Raises ReviewError if the file is too large, or lacks them."""
    import pyarrow

    about = file.metadata
    if about.num_rows > MOST_ROWS:
        raise ReviewError(f"The file has more than {MOST_ROWS:,} rows. Split it.")
    if about.num_columns > MOST_COLUMNS:
        raise ReviewError(f"The file has more than {MOST_COLUMNS} columns. Keep those needed.")
    for number in range(about.num_row_groups):
        if about.row_group(number).total_byte_size > MOST_UNPACKED:
            raise ReviewError("A row group has more than 1 GiB. Write smaller ones.")
    schema = file.schema_arrow
    names = [name for name in columns if schema.get_field_index(name) >= 0]
    for name in names:
        kind = schema.field(name).type
        inner = kind.value_type if pyarrow.types.is_list(kind) else kind
        if pyarrow.types.is_dictionary(inner):
            inner = inner.value_type
        if not (pyarrow.types.is_string(inner) or pyarrow.types.is_large_string(inner)):
            raise ReviewError(f"The column {name} holds {kind}. It must hold text.")
    if not names:
        raise ReviewError(f"The file has none of the columns {', '.join(columns)}.")
    return names

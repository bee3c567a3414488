"""Hugging Face's form: Parquet tables beside their videos, a dataset card, and Croissant metadata.

`datasets.load_dataset(folder)` reads it as a folder of videos with metadata: a table is always
called `metadata.parquet`, and names files in its own folder or below it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from review.exchange.files import ExportFile, json_file
from review.frozen.models import Release
from review.releases.writers.card import card
from review.releases.writers.croissant import croissant
from review.releases.writers.folder import whole_folder
from review.releases.writers.made import parquet_file
from review.releases.writers.tables import FILE_NAME, Content, Table

HUGGINGFACE = "huggingface"


def huggingface_files(release: Release, content: Content, folder: Path) -> list[ExportFile]:
    placed = placed_tables(content)
    parquet = {
        path: parquet_file(folder, path, table.columns, _rows(table))
        for path, table in placed.items()
    }
    described = croissant(release, content, placed, parquet)
    return whole_folder(
        release,
        HUGGINGFACE,
        content,
        card(release, content, placed),
        [json_file("croissant.json", described), *parquet.values(), *content.videos],
    )


def placed_tables(content: Content) -> dict[str, Table]:
    """Return the tables by their paths."""
    return {f"{table.place}metadata.parquet": table for table in content.tables}


def _rows(table: Table) -> Iterator[list[Any]]:
    """Yield the rows with the paths of their videos from the folder of the table."""
    column = [column.name for column in table.columns].index(FILE_NAME)
    for row in table.rows():
        values = list(row)
        values[column] = values[column].removeprefix(table.place)
        yield values

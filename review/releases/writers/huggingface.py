"""Hugging Face's form: Parquet tables beside their videos, a dataset card, and Croissant metadata.

`datasets.load_dataset(folder)` reads it as a folder of videos with metadata: a table is always
called `metadata.parquet`, and names files in its own folder or below it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from review.exchange.files import ExportFile, json_file
from review.frozen.models import Release
from review.proof.files import coverage_lines
from review.releases.writers.croissant import croissant
from review.releases.writers.folder import introduction, origin, whole_folder
from review.releases.writers.made import parquet_file
from review.releases.writers.tables import FILE_NAME, Content, Table

HUGGINGFACE = "huggingface"
SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
MAXIMUM = "1M<n<10M"
# Hugging Face's names of licenses that people state for captions and videos.
LICENSES = {
    "apache-2.0", "mit", "cc0-1.0", "cc-by-2.0", "cc-by-3.0", "cc-by-4.0", "cc-by-sa-3.0",
    "cc-by-sa-4.0", "cc-by-nc-2.0", "cc-by-nc-3.0", "cc-by-nc-4.0", "cc-by-nc-nd-4.0",
    "cc-by-nc-sa-3.0", "cc-by-nc-sa-4.0", "cc-by-nd-4.0", "odc-by", "odbl", "pddl", "cc",
}  # fmt: skip
SPACES = re.compile(r"[\s_-]+")
# Characters that a YAML reader refuses, or takes as the end of a line.
UNQUOTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


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


def card(release: Release, content: Content, placed: Mapping[str, Table]) -> str:
    """Return README.md, which begins with the facts that Hugging Face reads."""
    tables = "\n".join(_table(path, table) for path, table in placed.items())
    names = ", ".join(dict.fromkeys(f"`{table.name}`" for table in placed.values()))
    return f"""{_front_matter(release, content, placed)}
{introduction(release, content)}
Load it with `datasets.load_dataset(FOLDER, NAME)`, where NAME is one of {names}. Column `video` is
the file of `file_name`; in Parquet, `file_name` is relative to the folder of the table.

{tables}
- `croissant.json`: the same tables for readers of Croissant, and how they were made
{coverage_lines(release)}{origin(release)}"""


def license_id(name: str) -> str:
    """Return Hugging Face's name of a license: `other` if it has none, `unknown` for no license."""
    short = SPACES.sub("-", name.strip().casefold())
    short = {"cc0": "cc0-1.0", "apache-license-2.0": "apache-2.0"}.get(short, short)
    return short if short in LICENSES else "other" if short else "unknown"


def _front_matter(release: Release, content: Content, placed: Mapping[str, Table]) -> str:
    license_name = license_id(release.license)
    count = sum(table.count for table in placed.values() if table.name == content.tables[0].name)
    size = next((name for below, name in SIZES if count < below), MAXIMUM)
    lines = [
        "---",
        f"pretty_name: {quoted(f'{release.project_name} {release.version}')}",
        f"license: {license_name}",
        *(
            [f"license_name: {quoted(release.license)}", "license_link: LICENSE.txt"]
            if license_name == "other"
            else []
        ),
        "language:",
        "- en",
        "task_categories:",
        "- video-text-to-text",
        "tags:",
        "- video-captioning",
        "- video-retrieval",
        "size_categories:",
        f"- {size}",
        "configs:",
    ]
    for name in dict.fromkeys(table.name for table in placed.values()):
        lines.append(f"- config_name: {name}")
        lines += ["  default: true"] if name == content.tables[0].name else []
        lines.append("  data_files:")
        for path, table in placed.items():
            if table.name == name:
                lines += [f"  - split: {table.split}", "    path:", f"    - {path}"]
                # With the videos, the reader takes the table for one of videos.
                lines.append(f"    - {quoted(table.videos)}")
    return "\n".join([*lines, "---"])


def _table(path: str, table: Table) -> str:
    rows = f"{table.count:,} row{'' if table.count == 1 else 's'}"
    lines = [f"`{path}`: {table.about} ({rows}).", ""]
    lines += ["| column | content |", "|---|---|"]
    lines += [f"| `{column.name}` | {column.about} |" for column in table.columns]
    return "\n".join([*lines, ""])


def quoted(text: str) -> str:
    """Return a text in quotes, for YAML."""
    whole = json.dumps(text, ensure_ascii=False)
    return UNQUOTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", whole)

"""Vericap's own format: everything that a release froze, as JSON lines with a JSON Schema."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from review.exchange.files import ExportFile, json_file
from review.frozen.models import Release
from review.releases.writers.folder import introduction, origin, whole_folder
from review.releases.writers.made import json_line, made_file
from review.releases.writers.spans import SPAN
from review.releases.writers.tables import Column, Content, Table

NATIVE = "native"
TYPES: dict[str, dict[str, Any]] = {
    "text": {"type": "string"},
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "boolean": {"type": "boolean"},
    "texts": {"type": "array", "items": {"type": "string"}},
    "integers": {"type": "array", "items": {"type": "integer"}},
    "object": {"type": "object"},
    "objects": {"type": "array", "items": {"type": "object"}},
    "spans": {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                name: {"type": "integer", "description": about} for name, about in SPAN.items()
            },
            "required": list(SPAN),
            "additionalProperties": False,
        },
    },
}


def native_files(release: Release, content: Content, folder: Path) -> list[ExportFile]:
    lines = [
        made_file(folder, _path(table), map(json_line, table.records()))
        for table in content.records
    ]
    schema = json_file("schema.json", _schema(content.records))
    readme = introduction(release, content) + _readme(content.records) + origin(release)
    files = [schema, *lines, *content.arrays, *content.videos]
    return whole_folder(release, NATIVE, content, readme, files)


def _path(table: Table) -> str:
    return f"{table.name}.jsonl"


def _schema(tables: tuple[Table, ...]) -> dict[str, Any]:
    """Return a JSON Schema in which `$defs` has one for the lines of each file."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "description": "One schema for the lines of each file, by the name of the file.",
        "$defs": {
            _path(table): {
                "description": table.about,
                "type": "object",
                "properties": {column.name: _property(column) for column in table.columns},
                "required": [column.name for column in table.columns],
                "additionalProperties": False,
            }
            for table in tables
        },
    }


def _property(column: Column) -> dict[str, Any]:
    of_kind = TYPES[column.kind]
    if column.is_optional:
        of_kind = of_kind | {"type": [of_kind["type"], "null"]}
    return of_kind | {"description": column.about}


def _readme(tables: tuple[Table, ...]) -> str:
    lines = [f"- `{_path(table)}`: {table.about} ({table.count:,} lines)" for table in tables]
    return "\n".join(["", *lines, "- `schema.json`: the fields of these files, as JSON Schema", ""])

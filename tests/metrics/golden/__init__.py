"""Published or hand-worked numbers, each file with its source in the lines that begin with #."""

from __future__ import annotations

import csv
from pathlib import Path


def golden(name: str) -> list[dict[str, str]]:
    """The rows of a golden CSV file, by column."""
    lines = (Path(__file__).parent / name).read_text().splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))

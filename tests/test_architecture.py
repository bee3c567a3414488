"""docs/architecture.md names what the apps contain."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
# What Django or Celery looks for by name; the text below the tables tells of `report_kinds.py`.
BY_NAME = {"apps", "management", "migrations", "report_kinds", "tasks", "templatetags", "urls"}
OF_ANY_FEATURE = {"archiving.py", "exchange.py"}


@pytest.mark.parametrize("app", ["annotate", "inference", "review"])
def test_the_tables_of_the_architecture_list_each_folder_and_no_file_that_is_gone(app):
    """Files are named in the row of their folder, or by their path."""
    page = (ROOT / "docs" / "architecture.md").read_text()
    table = page.partition(f"### {app}: ")[2].partition("\n\n|")[2].partition("\n\n")[0]
    rows = [row.split(" | ", 1) for row in table.splitlines()[2:]]
    listed = {name for where, _ in rows for name in re.findall(r"`([^`]+)`", where)}
    there = {
        path.name
        for path in (ROOT / app).iterdir()
        if path.stem not in BY_NAME and not path.stem.startswith("__")
    }
    assert listed | {"models.py"} == there | {"models.py"}
    for where, what in rows:
        places = [ROOT, ROOT / app, *(ROOT / app / name for name in re.findall(r"`(\w+)`", where))]
        for name in set(re.findall(r"`([\w/]+\.py)`", what)) - OF_ANY_FEATURE:
            assert any((place / name).exists() for place in places), f"{where}: {name}"

"""docs/fidelity.md names only pages and commands that exist, and leaves no table out."""

from __future__ import annotations

import re
from pathlib import Path

from tests.open_addresses import OWN_WORK
from tests.test_docs import COMMANDS
from tests.test_permissions import BY_ROLE

PAGE = Path(__file__).parent.parent / "docs" / "fidelity.md"
STATUSES = {"faithful", "better", "different", "not done"}
# What each paper numbers: (a word for it, its plural, the numbers).
NUMBERED = {
    "CaReBench": [
        ("Table", "Tables", range(1, 19)),
        ("Figure", "Figures", range(1, 7)),
        ("Equation", "Equations", range(1, 5)),
    ],
    "LoVR": [
        ("Table", "Tables", range(1, 5)),
        ("Figure", "Figures", range(1, 7)),
        ("Equation", "Equations", range(1, 2)),
    ],
    "TF-CoVR": [
        ("Table", "Tables", range(1, 4)),
        ("Figure", "Figures", range(1, 5)),
    ],
}


def rows_of(paper: str) -> list[list[str]]:
    section = PAGE.read_text().partition(f"\n## {paper}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


PAPERS = re.findall(r"^## (.+)$", PAGE.read_text(), re.MULTILINE)
ROWS = [(paper, row) for paper in PAPERS for row in rows_of(paper)]


def numbers_after(text: str, word: str, plural: str) -> set[int]:
    """The numbers after a word, such as those of "Tables 13 and 14" and "Tables 2 to 4"."""
    numbers: set[int] = set()
    for first, joined, last in re.findall(
        rf"\b(?:{word}|{plural}) (\d+)(?: (and|to) (\d+))?", text
    ):
        numbers |= {int(first)} | ({int(last)} if last else set())
        if joined == "to":
            numbers |= set(range(int(first), int(last)))
    return numbers


def test_a_row_has_a_status_and_a_reason_where_it_needs_one():
    assert [row for _, row in ROWS if not is_complete(row)] == []


def is_complete(row: list[str]) -> bool:
    if len(row) != 4:
        return False
    item, where, status, why = row
    has_reason = bool(why) or status == "faithful"
    return (
        bool(item)
        and status in STATUSES
        and has_reason
        and (where == "–") == (status == "not done")
    )


def test_every_named_page_and_command_exists():
    places = re.findall(r"`([^`]+)`", " ".join(row[1] for _, row in ROWS))
    assert places
    pages = {*BY_ROLE, *OWN_WORK}
    commands = {f"manage.py {name}" for name in COMMANDS}
    assert [place for place in places if place not in pages | commands] == []


def test_no_table_figure_or_equation_is_left_out():
    for paper, numbered in NUMBERED.items():
        items = " ".join(row[0] for row in rows_of(paper))
        for word, plural, numbers in numbered:
            assert set(numbers) - numbers_after(items, word, plural) == set(), (paper, word)

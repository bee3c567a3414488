"""One reader of the tables that people bring: separators, bad rows, and limits of its own."""

from __future__ import annotations

import io

import pytest

from annotate.datasets.faults import Faults
from annotate.imports.manifest import ManifestInvalid, read_manifest
from annotate.text import csv_rows
from annotate.text.csv_rows import (
    MAX_CELL_LENGTH,
    QUOTES,
    Table,
    TableError,
    TableRow,
    separator_of,
)
from review.annotation_table.csv_format import COLUMNS, read_groups
from review.elsewhere.rows import read_rows

LONG = "x" * (MAX_CELL_LENGTH + 1)


def rows_of(text: str, **options) -> list[tuple[int, dict[str, str] | str]]:
    table = Table(io.StringIO(text, newline=""), **options)
    return [(row.line, row.problem or row.cells) for row in table]


def test_importers_do_not_change_what_others_accept():
    manifest = f"file,category\na.mp4,{LONG}\n".encode()
    table = [",".join(COLUMNS), f"dive,1,,{LONG}{',' * 8}"]
    captions = f"clip,caption\ndive,{LONG}\n".encode()
    for _ in range(2):
        with pytest.raises(ManifestInvalid) as error:
            read_manifest(manifest, ["a.mp4"])
        assert error.value.problems == [
            "Row 2: category has 131,073 characters, of which at most 131,072 are read: shorten "
            "it, or close its quotation marks."
        ]
        faults: list = []
        [group] = read_groups(table, faults)
        assert (faults, group.rows[0]["Caption"]) == ([], LONG)
        [row] = read_rows(io.BytesIO(captions), "a.csv", Faults("a.csv"), has_scores=False)
        assert row.text == LONG


@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_columns_are_separated_by_commas_semicolons_or_tabs(sign):
    text = "\ufeff\n video ,caption\r\n\r\na.mp4,A man runs.\r\n,\r\n".replace(",", sign)
    assert rows_of(text) == [(4, {"video": "a.mp4", "caption": "A man runs."})]


def test_the_separator_is_the_one_that_gives_the_line_its_cells():
    assert separator_of("a, b and c; d; e", 3) == ";"
    assert separator_of("a,b;c") == ","


def test_a_row_that_cannot_be_read_is_named_and_those_after_it_are_read():
    text = (
        'a,b\n1,"says "hi" to her"\n1,2,3\n1,2,,\n"two\nlines",2\n3\n1,"never closed\n5,6\n7,"8"\n'
    )
    cells = "It has {} cells, but the header has 2. Put values with a comma in quotation marks."
    assert rows_of(text) == [
        (2, QUOTES),
        (3, cells.format(3)),
        (4, {"a": "1", "b": "2"}),
        (5, {"a": "two\nlines", "b": "2"}),
        (7, cells.format(1)),
        (8, QUOTES),
        (9, {"a": "5", "b": "6"}),
        (10, {"a": "7", "b": "8"}),
    ]
    assert rows_of("a;b\n3\n4;5;6\n", pads=True) == [
        (2, {"a": "3", "b": ""}),
        (3, cells.format(3).replace("comma", "semicolon")),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "It is empty."),
        (" \n\n", "It is empty."),
        ("a,b,a\n", "The column 'a' appears twice."),
        ('a,"b"c\n1,2\n', "The line with the names of the columns can’t be read."),
    ],
)
def test_a_table_without_usable_columns_is_refused_once(text, message):
    with pytest.raises(TableError) as refused:
        Table(io.StringIO(text))
    assert str(refused.value).startswith(message)


def test_a_table_of_quotation_marks_takes_no_more_time_than_its_size(monkeypatch):
    monkeypatch.setattr(csv_rows, "MAX_READ_AGAIN", 100)
    with pytest.raises(TableError, match=r"^Line \d+: Its quotation marks don’t match"):
        rows_of("a,b\n" + '1,"2\n' * 99)


def test_the_empty_columns_of_a_spreadsheet_are_left_out():
    [row] = Table(["a,b,,\n", "1,2,,\n"])
    assert row == TableRow(2, {"a": "1", "b": "2"})

"""The limit of a cell belongs to its reader, not to the process."""

from __future__ import annotations

import csv
import io

import pytest

from annotate.datasets.faults import Faults
from annotate.imports.manifest import ManifestInvalid, read_manifest
from annotate.text.csv_rows import LONGEST_CELL, CsvRows, NamedCsvRows
from review.annotation_table.csv_format import COLUMNS, read_groups
from review.elsewhere.rows import read_rows

LONG = "x" * (LONGEST_CELL + 1)


def test_importers_do_not_change_what_others_accept():
    manifest = f"file,category\na.mp4,{LONG}\n".encode()
    table = [",".join(COLUMNS), f"dive,1,,{LONG}{',' * 8}"]
    captions = f"clip,caption\ndive,{LONG}\n".encode()
    for _ in range(2):
        with pytest.raises(ManifestInvalid) as error:
            read_manifest(manifest, ["a.mp4"])
        assert error.value.problems == [
            "Row 2: not readable as CSV (category has 131,073 characters, of which at most 131,072 "
            "are read: shorten it, or close its quotation marks)."
        ]
        faults: list = []
        [group] = read_groups(table, faults)
        assert (faults, group.rows[0]["Caption"]) == ([], LONG)
        [row] = read_rows(io.BytesIO(captions), "a.csv", Faults("a.csv"), has_scores=False)
        assert row.text == LONG


def test_a_cell_that_is_too_long_is_named_by_the_header_or_its_number():
    with pytest.raises(csv.Error, match=r"^b has 4 characters, of which at most 3"):
        list(CsvRows(["a,b", "1,2345"], longest=3))
    with pytest.raises(csv.Error, match=r"^cell 2 has 4 characters"):
        list(CsvRows(["a,2345"], longest=3))


def test_named_rows_are_those_of_the_csv_module_named_by_the_line_on_which_they_begin():
    lines = ["a,b\n", '"1\n', '2",3\n', "\n", "4\n", "5,6,7\n"]
    rows = NamedCsvRows(lines)
    ours = [(row, rows.line_num) for row in rows]
    assert ours == list(zip(csv.DictReader(lines, strict=True), [2, 5, 6], strict=True))
    open_quotes = NamedCsvRows(["a,b\n", "1,2\n", '3,"4\n', "5,6\n"])
    with pytest.raises(csv.Error, match="unexpected end of data"):
        list(open_quotes)
    assert open_quotes.line_num == 3

"""The files of a section of numbers."""

import csv
import io
import json

from review.reports.cells import Cell, Column, Row
from review.reports.section_files import section_table
from review.reports.tables import Section, Table


def test_sizes_that_differ_between_the_directions_have_columns_of_their_own(project):
    rows = tuple(
        Row(name, "", (Cell(over[0], over=over),))
        for name, over in (("A", (6, 9, 6, 6)), ("B", (12, 100)))
    )
    table = Table((Column("size", "Size", is_size=True),), rows)
    section = Section(key="sizes", title="Sizes", paper="", unit="", lead="size", table=table)
    files = section_table(project, section)
    first, second = csv.DictReader(io.StringIO(files.text("csv")))
    assert (first["size_queries"], first["size_gallery"], first["size_other_gallery"]) == (
        ("6", "9", "6")
    )
    assert (second["size_gallery"], second["size_other_gallery"]) == ("100", "")
    models = json.loads(files.text("json"))["models"]
    assert [model["numbers"]["size"] for model in models] == [
        {"queries": 6, "gallery": 9, "other_queries": 6, "other_gallery": 6},
        {"queries": 12, "gallery": 100},
    ]

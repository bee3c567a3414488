"""Lists of addresses: lines, and tables."""

from __future__ import annotations

import pytest

from annotate.imports.addresses import MAX_ROWS, AddressRow, name_in, read_lines, read_table
from annotate.imports.manifest import ManifestInvalid

HOST = "https://videos.example.org"


def problems_of(read, *arguments) -> list[str]:
    with pytest.raises(ManifestInvalid) as refused:
        read(*arguments)
    assert str(refused.value) == "The list has mistakes; nothing was imported."
    return refused.value.problems


def test_lines_share_their_facts_and_are_their_own_source():
    rows = read_lines(
        f"\n{HOST}/a.mp4\r\n  {HOST}/b.mp4?key=s3cret \n", {"category": "Sports", "license": "CC0"}
    )
    assert rows == [
        AddressRow(f"{HOST}/a.mp4", "", "Sports", "", "CC0", f"{HOST}/a.mp4"),
        # What opens a file is no source to publish.
        AddressRow(f"{HOST}/b.mp4?key=s3cret", "", "Sports", "", "CC0", ""),
    ]


def test_a_table_has_facts_for_each():
    rows = read_table(
        b"url,file,category,subcategory,license,source_url\n"
        b"https://a.example/v?id=1,dive.mp4,Sports,Diving,CC0,https://a.example/page\n"
        b"https://a.example/2.mp4,,,,,\n"
    )
    assert rows == [
        AddressRow(
            *("https://a.example/v?id=1", "dive.mp4", "Sports", "Diving", "CC0"),
            "https://a.example/page",
        ),
        AddressRow("https://a.example/2.mp4", source_url="https://a.example/2.mp4"),
    ]


def test_every_wrong_line_is_named_with_its_fix():
    text = f"{HOST}/a.mp4\n\nhttp://{HOST[8:]}/b.mp4\nhttps://127.0.0.1/c.mp4\n{HOST}/a.mp4\nvideo"
    assert problems_of(read_lines, text, {}) == [
        "Line 3: The address must begin with https://.",
        "Line 4: 127.0.0.1 is not a public host. Ask the person who runs the server to allow it "
        "(VERICAP_OUTGOING_ALLOWED).",
        "Line 5: It is number 1 too. Keep one of the two.",
        "Line 6: Write the whole address, beginning with https://.",
    ]


def test_every_wrong_cell_is_named_with_its_row_and_column():
    table = (
        "url,file,category,subcategory,source_url\n"
        ",a.mp4,,,\n"
        f"{HOST}/b.mp4,../b.mp4,,,\n"
        f"{HOST}/c.mp4,notes.txt,,,\n"
        f"{HOST}/d.mp4,,,Diving,nowhere at all\n"
    )
    problems = problems_of(read_table, table.encode())
    assert [problem.partition(":")[0] for problem in problems] == [
        *("Row 2, url", "Row 3, file", "Row 4, file", "Row 5, source_url", "Row 5, category"),
    ]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "It is empty. Its first line must name the columns: url, file, category,"),
        (b"file\na.mp4\n", "There is no column 'url'."),
        (b"url,color\n", "Unknown column 'color'."),
        (b"url\n", "It has no address."),
        (b"url\nhttps://a.example/\0\n", "It has NUL characters."),
        (b"\xff\xfe", "It isn't UTF-8 text."),
        (b'url\n"https://a.example/', "Row 2: Its quotation marks don’t match."),
        (b"url\nhttps://a.example/1,2\n", "Row 2: It has 2 cells, but the header has 1."),
        (b"url\n" + b"x" * 200_000 + b"\n", "Row 2: url has 200,000 characters"),
    ],
)
def test_a_table_that_can_not_be_read_says_why(data, problem):
    assert problems_of(read_table, data)[0].startswith(problem)


def test_a_list_has_a_maximum_length():
    lines = "\n".join(f"{HOST}/{number}.mp4" for number in range(MAX_ROWS + 1))
    assert problems_of(read_lines, lines, {}) == [
        "It has 1,001 addresses. Import at most 1,000 at once."
    ]


def test_a_row_is_shown_under_the_end_of_its_address():
    assert name_in(f"{HOST}/a/Dive%20%C3%A9.mp4?key=1") == "Dive é.mp4"
    assert name_in(f"{HOST}/a/") == "videos.example.org"
    assert name_in(f"{HOST}/a%00%0Ab.mp4") == "a\ufffd\ufffdb.mp4"

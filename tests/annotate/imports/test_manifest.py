"""The manifest: every mistake is named with its row and its mend, and nothing half-read."""

import pytest

from annotate.imports.manifest import MAX_BYTES, ManifestInvalid, read_manifest

HEADER = "file,category,subcategory,license,source_url\n"


def problems(data: str | bytes, *files: str) -> list[str]:
    with pytest.raises(ManifestInvalid) as error:
        read_manifest(data.encode() if isinstance(data, str) else data, files)
    return error.value.problems


def test_it_says_what_each_file_is():
    data = HEADER + 'a.mp4,Gym,Beam,CC0,https://example.org/a\n\n"b, c.mp4", Gym ,,,\n'
    assert read_manifest(b"\xef\xbb\xbf" + data.encode(), ["b, c.mp4", "a.mp4"]) == {
        "a.mp4": {
            "category": "Gym",
            "subcategory": "Beam",
            "license": "CC0",
            "source_url": "https://example.org/a",
        },
        "b, c.mp4": {"category": "Gym", "subcategory": "", "license": "", "source_url": ""},
    }


def test_columns_may_be_few_and_in_any_order():
    assert read_manifest(b"category,file\nGym,sub/a.mp4\n", ["sub/a.mp4"])["sub/a.mp4"] == {
        "category": "Gym",
        "subcategory": "",
        "license": "",
        "source_url": "",
    }


def test_the_older_spelling_of_a_column_is_read_once():
    data = b"file,licence\na.mp4,CC0\n"
    assert read_manifest(data, ["a.mp4"])["a.mp4"]["license"] == "CC0"
    assert problems("file,license,licence\na.mp4,a,b\n") == ["Column 'license' appears twice."]


def test_a_license_that_is_too_long_is_named_as_its_column():
    [problem] = problems(f"file,license\na.mp4,{'x' * 121}\n", "a.mp4")
    assert problem.startswith("Row 2, license: ")


def test_a_name_matches_however_its_accents_are_encoded():
    assert list(read_manifest("file\nGrüße.mp4\n".encode(), ["Gru\u0308ße.mp4"])) == [
        "Gru\u0308ße.mp4"
    ]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("", "It is empty. Its first line must name the columns"),
        ("file,colour\na.mp4,red\n", "Unknown column 'colour'"),
        ("file,file\na.mp4,a.mp4\n", "The column 'file' appears twice"),
        ("category\nGym\n", "There is no column 'file'"),
        ("file\na.mp4,extra\n", "Row 2: It has 2 cells, but the header has 1."),
        ('file\n"a.mp4\n', "Row 2: Its quotation marks don’t match."),
        ("file\na.mp4\0\n", "NUL"),
        (b"file\n\xff.mp4\n", "isn't UTF-8"),
        (b"file\n" + b"x" * MAX_BYTES, "larger than 8 MiB"),
        ("file\n/etc/passwd.mp4\na.mp4\n", "Row 2: '/etc/passwd.mp4' is outside the folder"),
        ("file\n../a.mp4\na.mp4\n", "Row 2: '../a.mp4' is outside"),
        ("file\nsub/../../a.mp4\na.mp4\n", "Row 2: 'sub/../../a.mp4' is outside"),
        ("file\nC:\\a.mp4\na.mp4\n", "is outside"),
        ("file\n..\\a.mp4\na.mp4\n", "is outside"),
        ("file\nb.mp4\na.mp4\n", "Row 2: there is no file 'b.mp4'"),
        ("file\na.mp4\na.mp4\n", "Row 3: a.mp4 was already named in row 2"),
        ("file,category\n,Gym\na.mp4,Gym\n", "Row 2: the column file is empty"),
        ("file,source_url\na.mp4,not an address\n", "Row 2, source_url: Give a whole address"),
        ("file,source_url\na.mp4,javascript:alert(1)\n", "Row 2, source_url: Give a whole"),
        ("file,subcategory\na.mp4,Beam\n", "Row 2, category: A subcategory needs its category."),
        ("file,category\na.mp4," + "x" * 101 + "\n", "Row 2, category: Ensure this value has"),
    ],
)
def test_a_mistake_is_named_with_what_to_do(data, expected):
    assert expected in problems(data, "a.mp4")[0]


def test_a_file_that_no_row_is_about_is_named():
    assert problems("file\na.mp4\n", "a.mp4", "b.mp4") == [
        "b.mp4: the manifest has no row for this file. Add one."
    ]


def test_up_to_fifty_mistakes_are_reported_at_once():
    assert len(problems("file\nx.mp4\ny.mp4\n", "a.mp4")) == 3
    many = problems("file\n" + "".join(f"{n}.mp4\n" for n in range(80)), "a.mp4")
    assert (len(many), many[-1]) == (51, "… and 31 more.")

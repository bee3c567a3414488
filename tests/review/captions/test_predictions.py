"""Reading files of predictions: their forms, and the messages about hostile ones."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.datasets.faults import Faults
from review.captions import predictions
from review.captions.predictions import read_predictions
from review.errors import ReviewError


def read(data: bytes | str):
    """Return (clip, text) of each good row, and each fault as a text."""
    data = data.encode() if isinstance(data, str) else data
    faults = Faults("heron.jsonl")
    rows = list(read_predictions(io.BytesIO(data), len(data), faults))
    return [(row.clip, row.text) for row in rows], [str(fault) for fault in faults.collected]


def lines(*rows) -> str:
    return "\n".join(json.dumps(row) for row in rows)


@pytest.mark.parametrize(
    ("row", "clip"),
    [
        ({"clip": "dive", "caption": "A dive."}, "dive"),
        ({"video": "dive.mp4", "caption": "A dive.", "category": "Sports"}, "dive.mp4"),
        ({"path": "v/v-Scene-001.mp4", "vid": "v", "cap": "A dive."}, "v/v-Scene-001.mp4"),
        ({"vid": "v", "cap": "A dive."}, "v"),
        ({"clip": " dive ", "pred": "  A dive.\r\n", "gt": "A diver jumps."}, "dive"),
    ],
)
def test_the_keys_of_the_papers_files_are_read(row, clip):
    assert read(lines(row)) == ([(clip, "A dive.")], [])


def test_a_list_is_read_like_lines():
    rows = [{"clip": "a", "caption": "One."}, {"clip": "b", "caption": "Two."}]
    for text in (lines(*rows), json.dumps(rows, indent=1), "\ufeff" + json.dumps(rows)):
        assert read(text) == ([("a", "One."), ("b", "Two.")], [])


def test_blank_lines_and_a_byte_order_mark_are_passed_over():
    text = "\ufeff" + "\n" * 5000 + lines({"clip": "a", "caption": "One."}) + "\r\n\r\n"
    assert read(text) == ([("a", "One.")], [])


def test_only_a_line_feed_ends_a_line():
    text = '{"clip": "a", "caption": "One\u2028two\u0085three."}'
    assert read(text) == ([("a", "One\u2028two\u0085three.")], [])


FAULTS = [
    ("7", "", "It must be an object with a clip and a caption."),
    ("null", "", "It must be an object with a clip and a caption."),
    ('{"caption": "A."}', "clip", "It is missing. Name the clip as clip, video, path or vid."),
    ('{"clip": 7, "caption": "A."}', "clip", "It must be the clip's name, as text."),
    ('{"video": " ", "caption": "A."}', "video", "It must be the clip's name, as text."),
    ('{"clip": "a"}', "caption", "It is missing. Give the text as caption, cap or pred."),
    ('{"clip": "a", "cap": ["A."]}', "cap", "It must be text."),
    ('{"clip": "a", "cap": NaN}', "cap", "It must be text."),
    (
        '{"clip": "a", "pred": " "}',
        "pred",
        "It is empty. Remove the row if there is no text.",
    ),
    (
        '{"clip": "a", "caption": "A.", "pred": "B."}',
        "pred",
        "caption is there too. Keep only the model's text.",
    ),
    (
        '{"clip": "a", "caption": "\\u0000"}',
        "caption",
        "It contains a character that can't be stored. Remove it.",
    ),
    (
        '{"clip": "a", "caption": "\\ud800"}',
        "caption",
        "It contains a character that can't be stored. Remove it.",
    ),
    (
        '{"clip": "a", "clip": "b", "caption": "A."}',
        "clip",
        "It occurs twice in one object. Keep one.",
    ),
    (
        '{"clip": "a", "caption": "A."',
        "",
        "It isn't JSON (Expecting ',' delimiter). Write one object per line, with line breaks "
        "inside a caption as \\n.",
    ),
    ("[" * 100_000, "", "Its lists are nested too deeply for a caption."),
]


@pytest.mark.parametrize(("line", "field", "mend"), FAULTS)
def test_a_fault_names_its_row_and_field_and_the_rest_is_read(line, field, mend):
    first, last = (json.dumps({"clip": name, "caption": "A."}) for name in ("first", "last"))
    where = ", ".join(filter(None, ["heron.jsonl", "line 2", field]))
    assert read(f"{first}\n{line}\n{last}") == (
        [("first", "A."), ("last", "A.")],
        [f"{where}: {mend}"],
    )


def test_a_caption_may_be_long_but_not_too_long(monkeypatch):
    monkeypatch.setattr(predictions, "MAX_CAPTION_LENGTH", 10)
    rows, faults = read(lines({"clip": "a", "cap": "x" * 10}, {"clip": "b", "cap": "x" * 11}))
    assert rows == [("a", "x" * 10)]
    assert faults == ["heron.jsonl, line 2, cap: It has 11 characters; the limit is 10."]


def test_a_huge_number_is_never_computed():
    assert read('{"clip": "a", "caption": "A.", "n": ' + "9" * 10_000 + "}") == ([("a", "A.")], [])


def test_a_duplicate_key_is_found_among_many():
    keys = [f'"{number}": 1' for number in range(100_000)]
    rows, faults = read(f"{{{', '.join([*keys, keys[-1]])}}}")
    assert rows == []
    assert faults == ["heron.jsonl, line 1, 99999: It occurs twice in one object. Keep one."]


def test_faults_are_collected_up_to_a_limit(monkeypatch):
    monkeypatch.setattr(predictions, "MAX_FAULTS", 3)
    assert len(read("{x\n" * 100)[1]) == 3


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "The file is empty. Choose the file with the captions."),
        (b"\xef\xbb\xbf \n", "The file is empty. Choose the file with the captions."),
        (b" " * 5000, "The file is empty. Choose the file with the captions."),
        (b"[]", "The list is empty. Choose the file with the captions."),
        (b"\xff\xfe{\x00", "Line 1 isn't UTF-8 text. Save the file in UTF-8."),
        (b"{\x00}", "Line 1 contains NUL characters. Save the file as text in UTF-8."),
        (b'[{"a": 1, "a": 2}]', "“a” occurs twice in one object. Keep one."),
        (b'[{"\\ud800": 1, "\\ud800": 2}]', "“\ufffd” occurs twice in one object. Keep one."),
        (b'[\n{"a": 1}\n{}]', "Line 3 isn't JSON: Expecting ',' delimiter."),
        (
            b"1\n00:00:00,000 --> 00:00:02,000\nA.\n",
            "The file isn’t JSON: it must begin with [ or {. Choose another file.",
        ),
        (b"[" * 100_000, "Its lists are nested too deeply for captions."),
    ],
)
def test_an_unreadable_file_is_refused_with_the_reason(data, message):
    with pytest.raises(ReviewError) as refused:
        read(data)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("limit", "value", "data", "message"),
    [
        ("MAX_BYTES", 2**20, b"x" * (2**20 + 1), "larger than 1 MiB. Split it."),
        ("MAX_ARRAY_BYTES", 2**20, b"[" + b" " * 2**20, "Write it as JSONL, one object per line"),
        ("MAX_ROW_LENGTH", 2**20, b"{" + b" " * 2**20, "Line 1 is longer than 1 MiB."),
        ("MAX_ROWS", 1, b"{}\n{}\n", "The file has more than 1 rows. Split it."),
    ],
)
def test_a_file_beyond_a_limit_is_refused(monkeypatch, limit, value, data, message):
    monkeypatch.setattr(predictions, limit, value)
    with pytest.raises(ReviewError, match=message):
        read(data)


@given(st.binary(max_size=200))
def test_any_file_is_read_or_refused(data):
    try:
        rows, faults = read(data)
    except ReviewError as error:
        "".join(str(error)).encode()
    else:
        for text in [*faults, *(text for _, text in rows)]:
            text.encode()


CAREBENCH = {
    "video": "v_00000044_3.mp4", "caption": "A woman combs her brow.",
    "spatial_caption": "A woman.", "temporal_caption": "She combs.",
    "category": "Personal Care", "subcategory": "apply_eyebrows",
}  # fmt: skip


@pytest.mark.parametrize("text", [json.dumps([CAREBENCH, CAREBENCH]), lines(CAREBENCH)])
def test_the_benchmarks_own_file_is_refused(text):
    with pytest.raises(ReviewError) as refused:
        read(text)
    message = str(refused.value)
    assert message.startswith("This is the metadata.json of a benchmark in CaReBench’s format")
    assert "has spatial_caption and temporal_caption. Nothing was imported." in message
    assert "Choose the file that the model wrote, with one caption per clip." in message


def test_the_benchmarks_own_file_is_refused_wherever_its_parts_begin():
    rows = [{"clip": "a", "caption": "One."}, {"clip": "b", "caption": "", "temporal_caption": "x"}]
    with pytest.raises(ReviewError, match="line 2 has temporal_caption"):
        read(lines(*rows))

"""Reading the files of published data sets, each in its published form."""

import io
import json

import pyarrow
import pytest
from pyarrow import parquet

from annotate.datasets.faults import Faults
from review.errors import ReviewError
from review.published.rows import PublishedRow, read_published
from tests.review.published.publishing import as_json, as_jsonl, carebench_row


def read(data: bytes, name: str = "file.json") -> list[PublishedRow]:
    faults = Faults(name)
    rows = list(read_published(data, name, faults))
    assert faults.collected == []
    return rows


def faults_in(data: bytes, name: str = "file.json") -> list[str]:
    faults = Faults(name)
    list(read_published(data, name, faults))
    return [str(fault) for fault in faults.collected]


def test_carebench_has_three_texts_and_lists_where_given():
    row = carebench_row("dive", events=["a diver jumps"], objects=["a  diver"])
    [read_row] = read(as_json(row))
    assert (read_row.clip, read_row.texts) == ("dive.mp4", [row["caption"]])
    assert read_row.parts == {
        "spatial": row["spatial_caption"],
        "temporal": row["temporal_caption"],
    }
    assert read_row.lists == {"events": ["a diver jumps"], "objects": ["a diver"]}
    assert (read_row.category, read_row.subcategory) == ("Sports", "Diving")


def test_msr_vtt_has_its_sentences_beside_its_videos():
    data = {
        "videos": [{"video_id": "video0", "category": 9, "start time": 1.5}],
        "sentences": [
            {"caption": "a car is shown", "video_id": "video0", "sen_id": 0},
            {"caption": "a man drives", "video_id": "video0", "sen_id": 1},
        ],
    }
    assert [(row.clip, row.texts) for row in read(json.dumps(data, indent=1).encode())] == [
        ("video0", ["a car is shown"]),
        ("video0", ["a man drives"]),
    ]


def test_msr_vtts_test_list_is_a_table():
    data = b"key,vid_key,video_id,sentence\nret0,msr9770,video9770,a person ties a shoe\n"
    [row] = read(data, "MSRVTT_JSFUSION_test.csv")
    assert (row.clip, row.texts) == ("video9770", ["a person ties a shoe"])


def test_msvd_has_a_table_of_many_languages_or_lines_of_text():
    table = (
        "VideoID,Start,End,WorkerID,Source,AnnotationTime,Language,Description\n"
        "mv89psg6zh4,33,46,588702,unverified,55,Slovene,Papagaj se umiva.\n"
        "mv89psg6zh4,33,46,362812,clean,19,English,A bird is bathing.\n"
    )
    lines = "# a comment\nmv89psg6zh4_33_46 A bird is bathing.\n"
    for data, name in ((table, "corpus.csv"), (lines, "AllVideoDescriptions.txt")):
        [row] = read(data.encode(), name)
        assert (row.clip, row.texts) == ("mv89psg6zh4_33_46", ["A bird is bathing."])


def test_didemo_has_descriptions_of_moments():
    rows = [
        {"video": "a.avi", "description": "a cat jumps", "times": [[0, 1]], "annotation_id": 1},
        {"video": "a.avi", "description": "it lands", "times": [[2, 3]], "annotation_id": 2},
    ]
    assert [row.texts for row in read(as_json(*rows))] == [["a cat jumps"], ["it lands"]]


def test_dream_has_its_reference_within_a_message_and_events_beside_it():
    row = {
        "messages": [
            {
                "role": "user",
                "content": ["look", {"type": "video", "video": {"video_file": "v/7.mp4"}}],
            },
            {"role": "assistant", "content": [{"type": "text", "reference": "A man runs."}]},
        ],
        "idx": 7,
        "extra_info": {"events": ["a man runs"], "n_events": 1},
    }
    [read_row] = read(as_jsonl(row))
    assert (read_row.clip, read_row.texts) == ("v/7.mp4", ["A man runs."])
    assert read_row.lists == {"events": ["a man runs"]}


def test_a_list_of_texts_is_several_references():
    [row] = read(as_json({"video": "a.mp4", "caption": ["One.", "Two."]}))
    assert row.texts == ["One.", "Two."]


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ({"caption": "A dive."}, "entry 1, video: It is missing. Name the video’s file."),
        ({"video": "a"}, "entry 1, caption: It is missing. Give the text as"),
        ({"video": "a", "caption": " "}, "entry 1, caption: It is empty."),
        ({"video": "a", "caption": []}, "entry 1, caption: It is an empty list."),
        ({"video": "a", "caption": 7}, "entry 1, caption: It must be text."),
        ({"video": 7, "caption": "A."}, "entry 1, video: It must be the name"),
        ({"video": "a", "caption": "A.", "sentence": "B."}, "entry 1, sentence: caption is there"),
        ({"video": "a", "caption": "A.", "spatial_caption": ""}, "entry 1, spatial_caption: It is"),
        ({"video": "a", "caption": "A.", "events": "a dive"}, "entry 1, events: It must be a list"),
        ({"video": "a", "caption": "A.", "objects": [""]}, "entry 1, objects: Entry 1 must be"),
        ({"video": "a", "caption": "A.", "category": "x" * 101}, "entry 1, category: It must be"),
        ("A dive.", "entry 1: It must be an object"),
    ],
)
def test_a_fault_names_row_field_and_fix(row, fault):
    [message] = faults_in(as_json(row))
    assert message.startswith(f"file.json, {fault}")


def test_a_line_of_text_without_a_sentence_is_named():
    assert faults_in(b"vid1 A man runs.\nvid2\n", "captions.txt") == [
        "captions.txt, line 2, caption: It has no text after the video’s name. Add it, or remove "
        "the line."
    ]


def parquet_file(**columns) -> bytes:
    data = io.BytesIO()
    parquet.write_table(pyarrow.table(columns), data)
    return data.getvalue()


@pytest.mark.parametrize(
    ("limit", "value", "name", "message"),
    [
        ("rows.MAX_ROWS", 1, "a.jsonl", "The file has more than 1 rows. Split it."),
        ("parquet.MAX_ROWS", 1, "a.parquet", "The file has more than 1 rows. Split it."),
        ("parquet.MAX_COLUMNS", 1, "a.parquet",
         "The file has more than 1 columns. Keep those needed."),
        ("parquet.MAX_UNPACKED", 1, "a.parquet",
         "A row group has more than 1 GiB. Write smaller ones."),
    ],
)  # fmt: skip
def test_the_limits_of_a_file(monkeypatch, limit, value, name, message):
    monkeypatch.setattr(f"review.published.{limit}", value)
    rows = {"video": ["a", "b"], "caption": ["A man runs.", "A man sits."]}
    lists = [{"video": video, "caption": text} for video, text in zip(*rows.values(), strict=True)]
    data = parquet_file(**rows) if name.endswith("parquet") else as_jsonl(*lists)
    with pytest.raises(ReviewError) as refused:
        list(read_published(data, name, Faults(name)))
    assert str(refused.value) == message


def test_reading_ends_after_the_most_faults_that_are_listed(monkeypatch):
    monkeypatch.setattr("review.published.rows.MAX_FAULTS", 1)
    assert len(faults_in(as_json("A.", "B.", "C."))) == 1


def test_a_column_of_parquet_can_be_a_dictionary():
    captions = pyarrow.array(["A man runs."] * 2).dictionary_encode()
    data = parquet_file(video=["a", "b"], caption=captions)
    assert [row.texts for row in read(data, "a.parquet")] == [["A man runs."]] * 2


def test_a_pickle_is_not_opened():
    with pytest.raises(ReviewError, match="A pickle can run programs"):
        read(b"\x80\x04.", "raw-captions.pkl")

"""The files of data sets: what is read, and how their faults are reported."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from annotate.datasets import files
from annotate.datasets.faults import DatasetInvalid
from annotate.datasets.files import DatasetFile
from annotate.datasets.finediving import read_finediving
from annotate.datasets.finegym import read_finegym
from annotate.datasets.formats import read_clips
from annotate.datasets.importing import read_dataset
from annotate.datasets.label_files import read_labels
from annotate.datasets.plain import read_plain
from annotate.datasets.rows import Frames, LabeledClip, LabelRow, Seconds
from fixtures.dives.annotations import write_annotations
from fixtures.dives.labels import DIVE_LABELS
from fixtures.dives.plan import dive_plan
from fixtures.dives.sources import dive_sources

HEAD = "source_video,clip,label,first_frame,end_frame\n"
GYM = "0LtLS9wROrk_E_002407_002435_A_0003_0005"


def file(text: str | bytes, name: str = "dives.csv") -> DatasetFile:
    return DatasetFile(name, text if isinstance(text, bytes) else text.encode())


def gym_times(**changes) -> DatasetFile:
    event = {
        "event": 1,
        "timestamps": [[2407.32, 2435.28]],
        "segments": {"A_0003_0005": {"stages": 2, "timestamps": [[3.45, 4.1], [4.1, 5.52]]}},
    }
    data = {"0LtLS9wROrk": {"E_002407_002435": {**event, **changes}}}
    return file(json.dumps(data), "times.json")


def faults_of(read, *arguments) -> list[tuple[str, str]]:
    with pytest.raises(DatasetInvalid) as raised:
        read(*arguments)
    return [(fault.row, fault.field) for fault in raised.value.faults]


@pytest.mark.parametrize("suffix", ["csv", "json"])
def test_the_made_up_dives_are_read_back(tmp_path, suffix):
    plan = dive_plan(7, sources=dive_sources(7, count=3), labels=DIVE_LABELS[:5], per_label=(2, 4))
    path = write_annotations(tmp_path / f"dives.{suffix}", plan)
    clips = read_plain(DatasetFile(path.name, path.read_bytes()))
    assert [(c.source, f"{c.name}.mp4", c.label, c.span) for c in clips] == [
        (clip.source, clip.name, clip.label, Frames(clip.first, clip.end)) for clip in plan
    ]


def test_a_plain_file_may_give_seconds_or_nothing():
    clips = read_plain(
        file("source_video,clip,label,start,end\nriga.mp4,a,1,1.25,2\nriga.mp4,b.mov,2.5,,\n")
    )
    assert clips == [
        LabeledClip("row 2", "riga", "a", "1", Seconds(Fraction(5, 4), Fraction(2))),
        LabeledClip("row 3", "riga", "b", "2.5", None),
    ]


@pytest.mark.parametrize(
    ("row", "field"),
    [
        (",a,1,0,5", "source_video"),
        ("riga,,1,0,5", "clip"),
        ("riga,../a,1,0,5", "clip"),
        ("riga,.a,1,0,5", "clip"),
        (f"riga,{'a' * 181},1,0,5", "clip"),
        (f"{'r' * 201},a,1,0,5", "source_video"),
        ("ri\x07ga,a,1,0,5", "source_video"),
        ("riga,a,,0,5", "label"),
        (f"riga,a,{'9' * 41},0,5", "label"),
        ("riga,a,1,-1,5", "first_frame"),
        ("riga,a,1,٣,5", "first_frame"),
        ("riga,a,1,0.5,5", "first_frame"),
        ("riga,a,1,0,1e9", "end_frame"),
        ("riga,a,1,0,99999999999999999999", "end_frame"),
        ("riga,a,1,5,5", "end_frame"),
        ("riga,a,1,0,", "end_frame"),
        ("riga,a,1,0", ""),
        ("riga,a,1,0,5,6", ""),
    ],
)
def test_a_wrong_row_is_named_with_its_field(row, field):
    assert faults_of(read_plain, file(f"{HEAD}{row}\n")) == [("row 2", field)]


def test_a_ragged_row_hides_no_other_fault():
    text = HEAD + "riga,a,1,0\nriga,b,1,5,5\nriga,c,1,0,5\nriga,d,,0,5,6\nriga,c,,5,9\n"
    assert faults_of(read_plain, file(text)) == [
        ("row 2", ""),
        ("row 5", ""),
        ("row 3", "end_frame"),
        ("row 6", "label"),
        ("row 6", "clip"),
    ]


def test_a_broken_line_of_the_gymnastics_list_hides_no_other_fault():
    text = "Clabel: 0; set: 1; Glabel: 1; Turn\nnothing\nClabel: 0; set: 1; Glabel: 1; Turn\n"
    assert faults_of(read_labels, file(text)) == [("line 2", ""), ("line 3", "label")]


@pytest.mark.parametrize(
    ("start", "end", "field"),
    [("nan", "2", "start"), ("1", "inf", "end"), ("2", "1", "end"), ("1e999999999", "2", "start")],
)
def test_a_wrong_time_is_named(start, end, field):
    text = f"source_video,clip,label,start,end\nriga,a,1,{start},{end}\n"
    assert faults_of(read_plain, file(text)) == [("row 2", field)]


def test_frames_and_seconds_together_are_refused():
    text = HEAD.replace("\n", ",start,end\n") + "riga,a,1,0,5,0,1\n"
    assert faults_of(read_plain, file(text)) == [("row 2", "start")]


def test_two_clips_of_one_name_are_refused():
    text = HEAD + "riga,a,1,0,5\nriga,b,1,5,9\noslo,a.mp4,2,5,9\noslo,B,2,9,12\n"
    assert faults_of(read_plain, file(text)) == [("row 4", "clip"), ("row 5", "clip")]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"  \n", "empty"),
        (HEAD.encode("utf-16"), "UTF-8"),
        (HEAD.encode() + "rïga".encode("latin-1"), "UTF-8"),
        (HEAD.encode() + b"ri\0ga,a,1,0,5", "NUL"),
        (b"\x80\x04\x95pickled", "pickle"),
        (b"source_video,clip\n", "This column is missing"),
        (b"source_video,clip,label,label\n", "twice"),
        (HEAD.encode() + b'riga,"a,1,0,5\n', "quotation marks"),
        (b"[{]", "JSON"),
        (b'{"clips": []}', "list of objects"),
        (b"[1]", "object"),
        (b'[{"clip": "a", "clip": "b"}]', "twice"),
        (b'[{"source_video": "riga", "clip": ["a"], "label": true}]', "It is missing"),
        (b"[" * 100_000, "nested"),
    ],
)
def test_a_broken_file_is_refused_with_what_to_do(data, words):
    with pytest.raises(DatasetInvalid) as raised:
        read_plain(file(data))
    assert words in raised.value.faults[0].mend
    assert raised.value.faults[0].file == "dives.csv"


def test_a_fault_is_reported_without_control_characters():
    with pytest.raises(DatasetInvalid) as raised:
        read_finediving(file('{"Rio\\u001b[2J": "5253b"}'))
    assert "\x1b" not in str(raised.value.faults[0])


def test_a_pickle_is_refused_by_its_name_too():
    with pytest.raises(DatasetInvalid) as raised:
        read_finediving(file(b"(dp0\n.", "annotation.pkl"))
    assert "can run any code" in raised.value.faults[0].mend


def test_a_file_that_is_too_large_or_too_long_is_refused(monkeypatch):
    monkeypatch.setattr(files, "MAX_ROWS", 1)
    text = HEAD + "riga,a,1,0,5\nriga,b,1,5,9\n"
    with pytest.raises(DatasetInvalid, match="Nothing was imported"):
        read_plain(file(text))
    monkeypatch.setattr(files, "MAX_BYTES", 10)
    with pytest.raises(DatasetInvalid):
        read_plain(file(text))


def test_only_so_many_faults_are_shown():
    rows = "".join(f"riga,a{n},1,5,5\n" for n in range(200))
    with pytest.raises(DatasetInvalid) as raised:
        read_plain(file(HEAD + rows))
    assert (len(raised.value.listed_faults), raised.value.total) == (50, 200)


def test_a_gymnastics_clip_counts_from_its_event():
    clips = read_finegym(file(f"{GYM} 57\n\n", "train.txt"), gym_times())
    span = Seconds(Fraction("2410.77"), Fraction("2412.84"))
    assert clips == [LabeledClip("line 1", "0LtLS9wROrk", GYM, "57", span)]


def test_without_times_a_gymnastics_clip_is_a_file_of_its_own():
    assert read_finegym(file(f"{GYM}.mp4 57"))[0].span is None


@pytest.mark.parametrize(
    "changes",
    [
        {"segments": None},
        {"segments": {"A_0003_0005": {"timestamps": []}}},
        {"segments": {"A_0003_0005": {"timestamps": [[5, 4]]}}},
        {"segments": {"A_0003_0005": {"timestamps": [["x", 4]]}}},
        {"segments": {"A_0003_0005": {"timestamps": [[1e300, 4]]}}},
        {"segments": {"A_0003_0005": {"timestamps": [[1, 2, 3]]}}},
        {"segments": {"A_0003_0005": 7}},
        {"timestamps": None},
    ],
)
def test_missing_or_wrong_times_name_the_clip(changes):
    assert faults_of(read_finegym, file(f"{GYM} 57"), gym_times(**changes)) == [(GYM, "timestamps")]


@pytest.mark.parametrize("line", ["abc 5", GYM, f"{GYM} 5 6", f"../{GYM} 5"])
def test_a_line_that_names_no_sub_action_is_refused(line):
    assert faults_of(read_finegym, file(line))[0][0] == "line 1"


@pytest.mark.parametrize(
    "text",
    [
        "competition,number,action_type\nRio_final,3,5253b\n",
        '[{"competition": "Rio_final", "number": 3, "action_type": "5253b"}]',
        '{"Rio_final_3": "5253b"}',
        '{"Rio_final_3": ["5253b", 85.5, 3.2]}',
    ],
)
def test_dives_are_read_from_csv_and_json(text):
    [clip] = read_finediving(file(text))
    assert (clip.source, clip.name, clip.label, clip.span) == (
        "Rio_final", "Rio_final_3", "5253b", None,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("competition,number,action_type\nRio,x,5253b\n", "number"),
        ("competition,number,action_type\nRio,1,\n", "action_type"),
        ("competition,number,action_type\nRio/x,1,5253b\n", "competition"),
        ('{"Rio": "5253b"}', ""),
        ('{"Rio_1": {"a": 1}}', "action_type"),
        ('{"Rio_1": []}', "action_type"),
    ],
)
def test_a_wrong_dive_is_named(text, field):
    assert faults_of(read_finediving, file(text))[0][1] == field


def test_the_306_labels_are_read_with_captions_that_repeat():
    path = Path("fixtures/tfcovr_labels.json")
    labels = read_labels(DatasetFile(path.name, path.read_bytes()))
    assert len(labels) == len({label.key for label in labels}) == 306
    assert len({label.caption for label in labels}) == 302
    assert {label.domain for label in labels} == {"gymnastics", "diving"}


def test_labels_come_as_csv_and_in_finegyms_own_list():
    assert read_labels(file("label,caption\n7,Turn\n")) == [LabelRow("row 2", "7", "Turn", "")]
    labels_file = file("label,caption,source,event\n7,Turn,Own, Balance  Beam\n")
    assert read_labels(labels_file) == [LabelRow("row 2", "7", "Turn", "own", "Balance Beam")]
    gym = file("Clabel: 7; set: 1; Glabel: 12; (VT) round-off; tucked\n", "gym288_categories.txt")
    assert read_labels(gym) == [LabelRow("line 1", "7", "(VT) round-off; tucked", "gymnastics")]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("label,caption\n7,Turn\n7,Turn\n", ("row 3", "label")),
        ("label,caption\n7,\n", ("row 2", "caption")),
        (f"label,caption\n7,{'x' * 301}\n", ("row 2", "caption")),
        (f"label,caption,source\n7,x,{'s' * 41}\n", ("row 2", "source")),
        (f"label,caption,event\n7,x,{'s' * 101}\n", ("row 2", "event")),
        ("Clabel: 7; set: 1; Glabel: 12; Turn\n\nClabel: 7; Turn\n", ("line 3", "")),
        ("label\n7\n", ("row 1", "caption")),
        ("Clabel: 7; Turn\n", ("line 1", "")),
    ],
)
def test_a_wrong_label_is_named(text, place):
    assert faults_of(read_labels, file(text)) == [place]


@pytest.mark.parametrize(
    ("format_name", "text", "rows"),
    [
        ("csv", HEAD + "riga,a,,0,5\nriga,a,1,0,5\nriga,b,1,9,5\n", ["row 2", "row 4"]),
        ("finediving", '{"Riga": "103b", "Riga_1": "103b"}', ["Riga"]),
        ("finegym", f"{GYM} 57\nodd\n", ["line 2"]),
    ],
)
def test_rows_with_an_error_are_left_out_on_request(format_name, text, rows):
    """A row that repeats one with an error is the only one left."""
    left_out = []
    [_] = read_clips(format_name, file(text), left_out=left_out)
    assert [fault.row for fault in left_out] == rows


def test_a_clip_whose_times_have_an_error_is_left_out_and_not_taken_as_a_file_of_its_own():
    left_out = []
    times = file("{}", "times.json")
    assert read_clips("finegym", file(f"{GYM} 57\n"), times, left_out) == []
    assert [(fault.file, fault.field) for fault in left_out] == [("times.json", "timestamps")]


def test_labels_with_an_error_are_left_out_on_request():
    left_out = []
    [label] = read_labels(file("label,caption\n7,\n7,Turn\n7,Leap\n"), left_out)
    assert label.caption == "Turn"
    assert [fault.row for fault in left_out] == ["row 2", "row 4"]


def test_empty_lines_of_a_table_are_no_rows():
    [clip] = read_plain(file(f"{HEAD},,,,\nriga,a,1,0,5\n"))
    assert (clip.row, clip.name) == ("row 3", "a")


def test_times_that_are_no_object_are_refused():
    with pytest.raises(DatasetInvalid) as raised:
        read_clips("finegym", file(f"{GYM} 57\n"), file("[]", "times.json"))
    [fault] = raised.value.faults
    assert fault.mend == "It must be an object with an entry for each video."


def test_a_data_set_without_a_good_row_is_refused_even_where_such_rows_are_left_out():
    chosen = {"annotations": file(f"{HEAD}riga,a,,0,5\n")}
    with pytest.raises(DatasetInvalid) as raised:
        read_dataset("csv", chosen, skips_bad=True)
    assert [fault.field for fault in raised.value.faults] == ["label"]


def test_times_belong_to_finegym_alone():
    assert faults_of(read_clips, "csv", file(HEAD), gym_times()) == [("", "")]

"""The files of captions that people have: of every kind, and as their tools write them."""

import json
import zipfile
from fractions import Fraction
from io import BytesIO
from pathlib import Path

import pytest

from annotate.corpus.precedence import current_caption
from annotate.datasets.faults import Faults
from annotate.datasets.rows import Seconds
from annotate.models import Caption
from annotate.templatetags.spans import sentence_times
from review.errors import ReviewError
from review.published.rows import read_published
from review.published.spans import spans_in
from tests.cast import make_clip, make_video
from tests.review.published.publishing import as_json, as_jsonl, check, import_captions
from tests.review.published.test_rows import faults_in, parquet_file, read

CASES = Path(__file__).parents[2] / "cases"
SENTENCES = {
    "t02_no_blank_after_header.vtt": [(0, 2, "The first cue."), (2, 4, "The second cue.")],
    "t03_blank_line_with_space_after_header.vtt": [
        (0, 2, "The first cue."),
        (2, 4, "The second cue."),
    ],
    "t14_timing_line_in_cue.vtt": [
        (0, 1, "A boy opens a gate"),
        (1, 1.4, "and walks in."),
        (1.4, 1.9, "He waves."),
    ],
    "t05.srt": [(0, 2, "A man walks."), (2, 4, "He sits.")],
    "t40_charades_sta.txt": [
        (0, 6.9, "a person is putting a book on a shelf."),
        (2, 5, "a person opens a book."),
    ],
}


def timed(data: bytes, name: str) -> list[tuple[float, float, str]]:
    return [
        (
            float(moment.time.start),
            float(moment.time.end),
            text[moment.text_start : moment.text_end],
        )
        for row in read(data, name)
        for text, moments in zip(row.texts, row.text_moments, strict=True)
        for moment in moments
    ]


@pytest.mark.parametrize("name", SENTENCES)
def test_a_case_has_its_sentences_with_their_times(name):
    assert timed((CASES / name).read_bytes(), name) == SENTENCES[name]


@pytest.mark.parametrize(
    ("name", "rows", "starts"),
    [
        ("t20_unquoted_comma.csv", [("cliptwo.mp4", ["A dog sits"])],
         ["line 2: It has 4 cells, but the header has 2. Put values with a comma in quot"]),
        ("t25_bad_quote.csv", [("cliptwo.mp4", ["A dog sits"])],
         ["line 2: Its quotation marks don’t match."]),
        ("t74_ls_json_min.json", [("clipone.mp4", ["A man runs."])], []),
        ("p02_list.parquet", [("clipone.mp4", ["A man runs.", "A person runs."]),
                              ("cliptwo.mp4", ["A dog sits."])], []),
        ("u01_macos.zip", [("clipone", ["A man walks."])], []),
    ],
)  # fmt: skip
def test_a_case_has_its_rows_and_its_faults(name, rows, starts):
    faults = Faults(name)
    read_rows = read_published((CASES / name).read_bytes(), name, faults)
    assert [(row.clip, row.texts) for row in read_rows] == rows
    messages = [str(fault).removeprefix(f"{name}, ") for fault in faults.collected]
    assert [
        message[: len(start)] for message, start in zip(messages, starts, strict=True)
    ] == starts


def test_webvtt_is_read_as_by_the_parser_of_its_standard():
    cues = (
        "WEBVTT - A dive\r\nKind: captions\r\n\r\nSTYLE\r\n::cue { color: red }\r\n\r\n"
        "NOTE written\r\nby hand --> there\r\n\r\n2\r\n00:04.000-->1:00:06.500 align:start\r\n"
        "<v Anna>She <i>turns</i> &amp; lands.</v>\r\n \r\n<00:05.000>She waves, 2 < 3.\r\n\r\n"
        "1\r\n\r\n1\r\n00:00:00.000 --> 00:04.000\r\nA diver\r\njumps.\r\n"
        "00:07.000 --> 00:08.000\r\n00:08.000 --> 00:09.000\r\n<b></b>\r\n"
    )
    sentences = [(0, 4, "A diver jumps."), (4, 3606.5, "She turns & lands. She waves, 2 < 3.")]
    for text in (cues, cues.replace("\r\n", "\n"), cues.replace("\r\n", "\r")):
        assert timed(b"\xef\xbb\xbf" + text.encode(), "dive.vtt") == sentences
    # A timing line needs no empty line before it, but text below an empty one is of no cue.
    assert timed(b"WEBVTT\nX: 1\n00:01.000 --> 00:02.000\nHi.", "a") == [(1, 2, "Hi.")]
    [fault] = faults_in(b"WEBVTT\n\n00:01.000 --> 00:02.000\nHi.\n\nThere.\n", "dive.vtt")
    assert fault.startswith("dive.vtt, line 6, time: This text has no times, such as")
    for times in ("00:04.0 --> 00:05.000", "61:00.000 --> 62:00.000", "0:01.000 --> 00:02.000"):
        [fault] = faults_in(f"WEBVTT\n\n1\n{times}\nText.\n".encode(), "dive.vtt")
        assert fault.startswith("dive.vtt, line 4, time: A cue begins with its times")
    [fault] = faults_in(b"WEBVTT\n\n00:04.000 --> 00:03.000\nText.\n", "dive.vtt")
    assert "The cue ends before it begins" in fault
    for data in (b"WEBVTTX\n\n00:00.000 --> 00:01.000\nText.\n", b"WEBVTT\n\nNOTE nothing\n"):
        with pytest.raises(ReviewError):
            read(data, "dive.vtt")


def test_subrip_is_read_as_players_do():
    cues = (
        "1\n00:00:01,5 --> 0:00:02.000 X1:1\n{\\an8}<i>A man</i>\nwalks.\n2\n"
        "00:00:03 --> 00:00:04\nHe sits.\n\n3\n\n"
    )
    expected = [(1.5, 2, "A man walks."), (3, 4, "He sits.")]
    assert timed(cues.encode(), "a.srt") == timed(cues.encode(), "a.txt") == expected


ACTIVITYNET = {
    "v_1": {"duration": 9.5, "timestamps": [[0, 5.25], [4.0, 9.5]], "sentences": [" A. ", "B."]},
    "v_2": {"duration": 3, "timestamps": [[2, 1]], "sentences": ["C."]},
}


def test_activitynet_has_a_paragraph_of_moments():
    faults = Faults("train.json")
    [row] = read_published(json.dumps(ACTIVITYNET, indent=1).encode(), "train.json", faults)
    assert (row.clip, row.texts) == ("v_1", ["A. B."])
    assert [(m.text_start, m.text_end) for m in row.text_moments[0]] == [(0, 2), (3, 5)]
    [fault] = map(str, faults.collected)
    assert fault.startswith("train.json, v_2, timestamps: Sentence 1 needs its [start, end]")


def test_vatex_has_english_references_beside_chinese_ones():
    row = {"videoID": "a_1_11", "enCap": ["A man runs.", "He runs."], "chCap": ["跑步"]}
    assert [(r.clip, r.texts) for r in read(as_json(row))] == [("a_1_11", row["enCap"])]


@pytest.mark.parametrize("sign", [";", "\t"])
@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.txt"])
def test_a_table_may_have_semicolons_or_tabs(sign, name):
    data = f"Video{sign}Caption\na.mp4{sign}A man, in red, runs.\n".encode()
    assert [(row.clip, row.texts) for row in read(data, name)] == [
        ("a.mp4", ["A man, in red, runs."])
    ]


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.csv", b"key;video_id\nret0;video7\n", "The file has no column with the caption."),
        ("a.csv", b"a.mp4,A man runs.\n", "The file has no column with the video. Name one"),
        ("a.ass", b"[Script Info]\n", "The file is of a kind that isn’t read."),
        ("a.ttml", b"<tt></tt>", "The file is of a kind that isn’t read. Choose JSON"),
        ("a.json", b"video,text\n", "The file isn’t JSON"),
        ("a.json", b'{"database": {}}', "This file has the labels of ActivityNet"),
        ("a.json", b'{"videos": [], "info": {}}', "This file of MSR-VTT lists videos without"),
        ("a.json", b'{"images": [], "annotations": []}', "This is a file in COCO’s form"),
        ("a.json", b'{"a": {"b": 1}}', "The file is one JSON object of a form that isn’t read."),
        ("a.json", as_jsonl({"audio_filepath": "a.wav", "text": "Hi."}),
         "This is Label Studio’s export as ASR_MANIFEST, which has no captions of videos."),
        ("a.conll", b"-DOCSTART- -X- O\n", "This is Label Studio’s export as CONLL2003"),
        ("a.parquet", parquet_file(video=[1], caption=[[["A."]]]),
         "The file has no text in the columns video, clip"),
        ("dive.mp4", b"\0\0\0\x20ftypisom\0\0\2\0\xff",
         "This is a video, not a text. Upload it under Corpus → Upload videos."),
        ("a.json", b"\x1aE\xdf\xa3\x9fB", "This is a video, not a text."),
        ("a.csv", b"\x89PNG\r\n\x1a\n", "This is a picture, not a text. Choose another file."),
        ("a.heic", b"\0\0\0\x18ftypheic", "This is a picture, not a text."),
        ("a.pdf", b"%PDF-1.7\n%\xe2\xe3", "This is a PDF. Save its content as text in UTF-8."),
        ("a.xlsx", b"PK\3\4\x14\0", "This is an Office file, or a ZIP with another suffix."),
        ("a.gz", b"\x1f\x8b\x08\0", "This is a packed file. Unpack it"),
        ("a.csv", "video,caption\na,b\n".encode("utf-16"), "The file isn't UTF-8 text."),
    ],
)  # fmt: skip
def test_a_file_of_another_kind_is_refused_once_by_name(name, data, message):
    with pytest.raises(ReviewError) as refused:
        list(read_published(data, name, Faults(name)))
    assert str(refused.value).startswith(message)


def zipped(**files: bytes) -> bytes:
    data = BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return data.getvalue()


def test_a_file_in_an_archive_that_cannot_be_read_is_named_and_the_others_are_read():
    good = b"WEBVTT\n\n00:00.000 --> 00:01.000\nA dive.\n"
    faults = Faults("a.zip")
    rows = read_published(
        zipped(**{"a.vtt": good, "b.vtt": b"\xff", "c.srt": b""}), "a.zip", faults
    )
    assert [row.clip for row in rows] == ["a"]
    assert [str(fault) for fault in faults.collected] == [
        "a.zip, b.vtt: The file isn't UTF-8 text. Save it in UTF-8.",
        "a.zip, c.srt: The file is empty. Choose the file with the captions.",
    ]
    coco = json.dumps({"images": [], "annotations": [], "info": {}}).encode()
    [fault] = faults_in(zipped(**{"result.json": coco, "images/a.png": b""}), "a.zip")
    assert fault.startswith("a.zip, result.json: This is a file in COCO’s form")
    for form, name in (("COCO", "result_coco.json"), ("YOLO", "classes.txt")):
        with pytest.raises(ReviewError, match=f"Label Studio’s export as {form}"):
            read(zipped(**{name: b"{}", "images/a.png": b""}), "a.zip")


FLAT = {
    "video": "/data/upload/3/1a2b3c4d-dive.mp4",
    "id": 1,
    "what_happens_temporal": "She turns.",
    "objects": [{"text": ["a pool", "a diver"]}],
    "category": {"choices": ["Sports"]},
    "annotator": 1,
    "annotation_id": 2,
    "lead_time": 3.5,
}
PARTS = [
    {"start": 5.5, "end": 9, "text": ["She lands."]},
    {"start": 1, "end": 5, "text": ["She jumps."]},
]


@pytest.mark.parametrize(
    ("captions", "texts"),
    [
        ({"caption": "A dive.", "_data_caption": "Old."}, ["A dive."]),
        ({"answer": ["A dive.", "Diving."]}, ["A dive.", "Diving."]),
        ({"title": "x.y", "description": {"text": ["A dive.", "Diving."]}}, ["A dive.", "Diving."]),
        ({"caption": PARTS}, ["She jumps. She lands."]),
    ],
)
def test_label_studios_flat_forms_have_a_row_per_annotation(captions, texts):
    flat = FLAT | captions
    cells = [v if isinstance(v, str) else json.dumps(v) for v in flat.values()]
    table = [
        sign.join('"{}"'.format(cell.replace('"', '""')) for cell in line)
        for sign in ",\t"
        for line in (flat, cells)
    ]
    for name, data in (
        ("min.json", as_json(flat)),
        ("a.csv", "\n".join(table[:2]).encode()),
        ("a.tsv", "\n".join(table[2:]).encode()),
    ):
        [row] = read(data, name)
        assert (row.clip, row.texts, row.category) == ("dive.mp4", texts, "Sports")
        assert row.parts == {"temporal": "She turns."}
        assert row.lists == {"objects": ["a pool", "a diver"]}


def test_an_annotation_of_label_studios_storage_has_its_task_inside():
    result = [{"from_name": "caption", "type": "textarea", "value": {"text": ["A dive."]}}]
    data = as_json({"id": 1, "result": result, "task": {"data": {"clip": "/upload/1/a.mp4"}}})
    assert [(row.clip, row.texts) for row in read(data)] == [("a.mp4", ["A dive."])]


def test_a_moment_has_the_frames_that_begin_in_it():
    [row] = read(as_json({"video": "a", "sentences": ["A."], "timestamps": [[0.5, 9]]}))
    [moments] = row.text_moments
    assert moments[0].time == Seconds(Fraction(1, 2), Fraction(9))
    span = {"text_start": 0, "text_end": 2, "start_frame": 13, "end_frame": 50}
    assert spans_in(moments, Fraction(25), 50) == [span]
    assert spans_in(moments, Fraction(25), 13) is None


@pytest.mark.django_db
def test_cues_and_moments_are_stored_with_their_times(project):
    video = make_video(project, original_name="t05.mp4", frames=75)
    clip = make_clip(project, video=video)
    make_clip(project, video=make_video(project, original_name="AO8RW.mp4", frames=100))
    name = "t05.srt"
    made = import_captions(project, (CASES / name).read_bytes(), name="SRT", file_name=name)
    assert made.preview["timed"] == 1
    assert current_caption(clip).text == "A man walks. He sits."
    assert current_caption(clip).spans == [
        {"text_start": 0, "text_end": 12, "start_frame": 0, "end_frame": 50},
        {"text_start": 13, "text_end": 21, "start_frame": 50, "end_frame": 75},
    ]
    times = sentence_times(current_caption(clip), clip)
    assert times == [("A man walks.", 0.0, 2.0), ("He sits.", 2.0, 3.0)]
    name = "t40_charades_sta.txt"
    data = (CASES / name).read_bytes()
    import_captions(project, data, name="Charades-STA", file_name=name)
    stored = Caption.objects.filter(clip__video__original_name="AO8RW.mp4").order_by("pk")
    spans = [[(s["start_frame"], s["end_frame"]) for s in caption.spans] for caption in stored]
    assert spans == [[(0, 100)], [(50, 100)]]
    checked = check(project, data, name="Joined", file_name=name, joins=True)
    assert checked.preview["kept"] == 1
    late = as_json({"video": "t05", "sentences": ["A.", "B."], "timestamps": [[0, 1], [3, 4]]})
    assert check(project, late, name="Late").preview["untimed"] == 1


def test_joined_texts_keep_their_times():
    [first, second] = read((CASES / "t40_charades_sta.txt").read_bytes(), "a.txt")
    first.texts += second.texts
    first.text_spans += second.text_spans
    first.text_moments += second.text_moments
    first.join()
    [moments] = first.text_moments
    assert [first.texts[0][m.text_start : m.text_end] for m in moments] == [
        "a person is putting a book on a shelf.",
        "a person opens a book.",
    ]


def test_reading_a_table_ends_after_the_most_faults_that_are_listed(monkeypatch):
    monkeypatch.setattr("review.published.files.MAX_FAULTS", 3)
    assert len(faults_in(b"video,caption\n" + b"a\n" * 9, "a.csv")) == 3

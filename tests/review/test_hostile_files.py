"""Files made to break an import: a clear error, and nothing is stored. One kind of threat per test,
through the command of every importer that takes the type of file."""

import io
import json
import stat
import zipfile

import pyarrow
import pytest
from django.core.management import CommandError, call_command
from pyarrow import parquet

from annotate.models import ActionLabel, Caption, Clip, Project
from annotate.text.csv_rows import MAX_LENGTH_OF_ALL
from review.published.models import HumanImport
from review.triplets.models import TripletSet
from tests.cast import make_project, make_video
from tests.review.cast import open_clip
from tests.review.triplets.triplets import make_label

pytestmark = pytest.mark.django_db
MODELS = (Caption, Clip, ActionLabel, HumanImport, TripletSet)
TEXT = '{"clip": "dive", "caption": "A dive."}'
# Each importer: its command, and what a file of it is called.
CAPTIONS = {
    "human": ("import_human_captions", {"name": "A"}),
    "model": ("import_predictions", {"name": "A"}),
    "results": ("import_results", {"kind": "caption", "model": "A"}),
}
SCORES = {"scores": ("import_results", {"kind": "score", "model": "A", "frames": "every:30"})}
LABELED = {"labeled": ("import_dataset", {"here": True})}
JSON = CAPTIONS | SCORES | LABELED
RELEASES = {
    name: ("import_dataset", {"format": format})
    for name, format in (("tfcovr", "tfcovr"), ("circo", "circo"))
}


@pytest.fixture
def refusal(tmp_path, capsys):
    """Import a file and return why that was refused, in one line or more."""

    def refuse(importer, name, data):
        project = Project.objects.first()
        if project is None:
            has_labels = importer in ("labeled", "tfcovr", "circo")
            protocol = "tfcovr" if has_labels else "carebench"
            project = make_project("Wide", protocol=protocol)
            open_clip(project, "dive")
        path = tmp_path / name
        path.write_bytes(data)
        command, options = (JSON | RELEASES)[importer]
        before = [model.objects.count() for model in MODELS]
        with pytest.raises(CommandError) as error:
            call_command(command, project.slug, path, **options)
        assert [model.objects.count() for model in MODELS] == before
        return str(error.value) + capsys.readouterr().err

    return refuse


def importers(which):
    return pytest.mark.parametrize("importer", list(which))


@importers(JSON)
@pytest.mark.parametrize("bomb", [b"[" * 200_000, b'{"a":' * 100_000, b'[{"clip":' + b"[" * 99_999])
def test_depth_bombs(refusal, importer, bomb):
    for name in ("deep.json", "deep.jsonl"):
        assert "nested too deeply" in refusal(importer, name, bomb)


@importers(JSON)
def test_duplicate_keys(refusal, importer):
    twice = b'[{"clip": "dive", "clip": "dive", "caption": "A.", "score": 0.1, "label": "a"}]'
    assert "clip" in refusal(importer, "twice.json", twice)


@importers(CAPTIONS | SCORES)
def test_duplicate_ids(refusal, importer):
    row = {"clip": "dive", "caption": "A.", "spatial_caption": "B.", "score": 0.1}
    if importer != "human":
        del row["spatial_caption"]
    assert "dive" in refusal(importer, "ids.json", json.dumps([row, row]).encode())


@importers(JSON)
@pytest.mark.parametrize("number", ["NaN", "Infinity", "-1e999", "9" * 10_000, '"0.3x"', "true"])
def test_values_that_are_not_numbers(refusal, importer, number):
    row = f'[{{"clip": "dive", "caption": {number}, "score": {number}}}]'
    if importer in CAPTIONS and number.startswith('"'):
        row = row.replace('"caption"', '"other"')
    assert refusal(importer, "numbers.json", row.encode())


@importers(JSON)
@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "latin-1", "cp1252"])
def test_wrong_encodings(refusal, importer, encoding):
    assert refusal(importer, "coded.json", TEXT.replace("A dive", "Ä dive").encode(encoding))


@importers(CAPTIONS)
def test_a_byte_order_mark_and_windows_line_ends_are_accepted(importer, tmp_path):
    project = make_project("Wide")
    open_clip(project, "dive")
    path = tmp_path / "fine.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + TEXT.encode() + b"\r\n\r\n")
    command, options = CAPTIONS[importer]
    call_command(command, project.slug, path, **options)
    assert Caption.objects.get().text == "A dive."


@importers(CAPTIONS | SCORES)
def test_very_long_lines(refusal, importer):
    line = json.dumps({"clip": "dive", "caption": "a" * 5_000_000}).encode()
    assert "longer than 4 MiB" in refusal(importer, "long.jsonl", b"{}\n" + line)


@importers(["human", "results", "scores", "labeled"])
@pytest.mark.parametrize(
    "cell",
    [b"a\0b", b'"' + b"a" * (MAX_LENGTH_OF_ALL + 1) + b'"', b'"open', b"\xff"],
    ids=["nul", "huge", "open", "bytes"],
)
def test_tables_with_nul_and_huge_cells(refusal, importer, cell):
    header = b"clip,caption,score,source_video,label,first_frame,end_frame\n"
    assert refusal(importer, "table.csv", header + b"dive," + cell + b",0.1,a,b,1,2\n")


def table(**columns):
    data = io.BytesIO()
    parquet.write_table(pyarrow.table(columns), data)
    return data.getvalue()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (table(path=[1], cap=["A."]), "video: It is missing"),
        (table(path=["dive"], cap=[[1.5]]), "caption: It is missing"),
        (table(path=["dive"]), "caption: It is missing"),
        (table(path=["dive", None], cap=["A.", None]), "row 2"),
        (table(other=["a"]), "has no text in the columns"),
        (table(path=["dive"], cap=["A."])[:-9], "its end is missing"),
        (b"PAR1" + b"\0" * 100 + b"PAR1", "can’t be read as Parquet"),
        (b"", "empty"),
    ],
)
def test_parquet_of_wrong_types(refusal, data, reason):
    assert reason in refusal("human", "all_clip.parquet", data) or not data


def test_lovrs_parquet_is_read(tmp_path):
    project = make_project("Wide")
    open_clip(project, "dive")
    path = tmp_path / "all_clip.parquet"
    path.write_bytes(table(path=["a/dive.mp4"], cap=["A dive."], words=[2]))
    call_command("import_human_captions", project.slug, path, name="LoVR")
    assert Caption.objects.get().text == "A dive."


def packed(**members):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as made:
        for name, data in members.items():
            made.writestr(f"dives/{name}", data)
    return content.getvalue()


def archive(*names, data=b"x", mode=0):
    content = io.BytesIO(packed(**{"annotations/train_finegd.csv": b"x"}))
    with zipfile.ZipFile(content, "a", zipfile.ZIP_DEFLATED) as changed:
        for name in names:
            member = zipfile.ZipInfo(name)
            member.external_attr = mode << 16
            member.compress_type = zipfile.ZIP_DEFLATED
            changed.writestr(member, data)
    return content.getvalue()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (archive("dives-1.0.0/../../evil"), "leads out of the ZIP"),
        (archive("/etc/passwd"), "leads out of the ZIP"),
        (archive("C:\\evil"), "leads out of the ZIP"),
        (archive("a/link", data=b"/etc/passwd", mode=stat.S_IFLNK | 0o777), "is a link"),
        (archive("dives-1.0.0/bomb.jsonl", data=b"0" * 50_000_000), "would unpack to 50,000,000"),
        (archive()[:-30], "isn’t a ZIP"),
        (b"", "isn’t a ZIP"),
    ],
)
@importers(["tfcovr", "human"])
def test_archives_with_paths_outside_or_too_much_data(refusal, importer, data, reason):
    assert reason in refusal(importer, "release.zip", data)


@pytest.mark.parametrize(
    ("member", "data", "reason"),
    [
        ("caption_data/all_clip.jsonl", b"[" * 200_000, "nested too deeply"),
        ("caption_data/all_video.jsonl", b'{"vid": NaN, "cap": "A."}', "all_video.jsonl, line 1"),
        ("caption_data/all_clip.jsonl", b'{"path": "a", "path": "dive"}', "line 1, path"),
        ("json/metadata.json", "[]".encode("utf-16"), "UTF-8"),
        ("dive.vtt", b"WEBVTT\n\nA dive.", "dive.vtt, line 3"),
        ("other.txt", b"dive A dive.", "no human captions"),
    ],
)
def test_human_captions_in_an_archive(refusal, member, data, reason):
    others = {"caption_data/all_clip.jsonl": TEXT} if "all_video" in member else {}
    assert reason in refusal("human", "release.zip", packed(**others | {member: data}))


TRAIN = "query_video,target_video,label1,label2,modification\n"
TEST = "query_id,query_video,target_video,modification,target_videos_ids\n"
TRIPLETS = {
    "annotations/train_finegd.csv": TRAIN,
    "annotations/val_finegd.csv": TEST,
    "annotations/test_finegd.csv": TEST,
}


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ("0,a,b,x\0y,\"['b']\"", "NUL"),
        (f"0,a,b,{'x' * 5_000_000},\"['b']\"", "longer than 4 MiB"),
        (f'0,a,b,x,"{"[" * 20_000}"', "is not a Python literal"),
        (f'0,a,b,x,"[{"9" * 60_000}]"', "longer than 50000"),
        ("0,a,b,x,\"__import__('os').listdir()\"", "is not a Python literal"),
        ("0,a,b,x,\"['b', 'b']\"", "names a clip twice"),
        ("7,a,b,x,\"['b']\"", "it must be 0"),
        ("NaN,a,b,x,\"['b']\"", "it must be 0"),
        ("0,a,b", "It has 3 cells, but the header has 5"),
        ('0,a,b,"x', "quotation marks don’t match"),
    ],
)
def test_queries_of_tfcovr(refusal, cells, reason):
    files = TRIPLETS | {"annotations/test_finegd.csv": f"{TEST}{cells}\n"}
    message = refusal("tfcovr", "release.zip", packed(**files))
    assert "test_finegd.csv, line" in message
    assert reason in message


@pytest.mark.parametrize(
    ("member", "data", "reason"),
    [
        ("annotations/train_finegd.csv", TRAIN.encode("utf-16"), "UTF-8"),
        ("annotations/train_finegd.csv", f"{TRAIN}a,b,1,2,{{}}\n", "must be a Python literal"),
        ("annotations/train_finegd.csv", f"{TRAIN}a,b,1,2,{'{1:' * 9_000}\n", "Python literal"),
        ("verdicts.jsonl", "[" * 200_000, "verdicts.jsonl"),
        ("verdicts.jsonl", '{"split": "test", "split": "test"}', "verdicts.jsonl"),
        ("verdicts.jsonl", '{"split": "test", "query": NaN}', "verdicts.jsonl"),
        ("manifest.json", '{"generated": {"seed": 1e999}}', "manifest.json"),
        ("manifest.json", "[" * 200_000, "manifest.json"),
    ],
)
def test_other_files_of_tfcovr(refusal, member, data, reason):
    message = refusal("tfcovr", "release.zip", packed(**TRIPLETS | {member: data}))
    assert member.removeprefix("annotations/") in message
    assert reason in message


ENTRY = {
    "reference_img_id": 1, "target_img_id": 2, "relative_caption": "x", "gt_img_ids": [2], "id": 0,
}  # fmt: skip
CLIPS = "id,clip,label,split\n1,a,1,test\n2,b,1,test\n"


@pytest.fixture
def dives(db):
    project = make_project("Wide", protocol="tfcovr")
    label = make_label(project, "1")
    for name in "ab":
        video = make_video(project, original_name=f"{name}.mp4", split="test")
        video.clips.update(label=label, name=name)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"[" * 200_000, "nested too deeply"),
        (b'[{"id": 0, "id": 0}]', "id"),
        (b'[{"id": NaN}]', "NaN"),
        (json.dumps([ENTRY | {"id": 1}, ENTRY]), "it must be 0"),
        (json.dumps([ENTRY | {"id": 0.0}]), "another type"),
        (json.dumps([ENTRY | {"id": True}]), "another type"),
        (json.dumps([ENTRY | {"gt_img_ids": [2, 2]}]), "names a clip twice"),
        (json.dumps([ENTRY | {"gt_img_ids": [10**30]}]), "is too large"),
        (json.dumps([ENTRY | {"gt_img_ids": [[2]]}]), "has no clip"),
        (json.dumps([ENTRY]).encode("utf-16"), "UTF-8"),
        (b"{}", "must be a list"),
    ],
)
def test_queries_of_circo(refusal, dives, data, reason):
    files = {"annotations/test_targets.json": data, "clips.csv": CLIPS}
    message = refusal("circo", "release.zip", packed(**files))
    assert "test_targets.json" in message
    assert reason in message


def test_duplicate_clips_of_circo(refusal, dives):
    files = {
        "annotations/test_targets.json": json.dumps([ENTRY]),
        "clips.csv": CLIPS + "2,a,1,test\n",
    }
    assert "id 2 is there twice" in refusal("circo", "release.zip", packed(**files))


@importers(["human", "model", "results", "scores", "labeled"])
def test_a_task_of_label_studio_is_read_only_where_it_belongs(refusal, importer):
    task = {"data": {"video": "dive.mp4"}, "annotations": [{"result": [{"from_name": "caption"}]}]}
    assert refusal(importer, "tasks.json", json.dumps([task]).encode())


@pytest.mark.parametrize(
    "task",
    [
        '{"from_name": 1, "annotations": ' + "[" * 99_000 + "]" * 99_000 + "}",
        '{"data": {"video": "dive"}, "data": {}, "annotations": [], "from_name": 1}',
        '{"data": {"video": "dive"}, "annotations": [{"result": [{"from_name": "caption", '
        '"type": "textarea", "value": {"text": [NaN]}}]}]}',
        '{"data": {"video": "dive"}, "annotations": [{"result": [{"from_name": "caption", '
        '"type": "textarea", "value": {"text": ["a\\u0000b"]}}]}]}',
    ],
)
def test_tasks_of_label_studio(refusal, task):
    assert refusal("human", "tasks.json", f"[{task}]".encode())


@pytest.mark.parametrize(
    ("cues", "reason"),
    [
        (b"WEBVTT\n\n00:00.000 --> 00:01.000\n" + b"a" * 500_000 + b"\n", "400,000"),
        ("WEBVTT\n\n00:00.000 --> 00:01.000\nä\n".encode("latin-1"), "UTF-8"),
        (b"WEBVTT\n\n99:99.000 --> 00:01.000\na\n", "line 3"),
        (b"WEBVTT" + b"\n" * 1_000_000, "no cue"),
        (b"", "is empty"),
    ],
)
def test_cues(refusal, cues, reason):
    assert reason in refusal("human", "dive.vtt", cues)

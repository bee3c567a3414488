"""A release in every format, read by the libraries that people read it with.

They are slow to import, so that all of this is in one file.
"""

import hashlib
import json
from pathlib import Path

import jsonschema
import pytest
from django.core.files.storage import default_storage
from django.urls import reverse

from annotate.models import Caption
from review.errors import ReviewError
from review.proof.verifying.main import verify
from review.releases.choice import Choice
from review.releases.formats import export_release
from review.releases.services import build_release
from review.releases.writers.huggingface import license_id
from tests.cast import client_of, join, make_project
from tests.hand_work import machine_caption
from tests.inference.segmented import segment
from tests.media import make_playable
from tests.review.cast import (
    add_complete,
    complete,
    make_complete_world,
    make_short_project,
    open_clip,
)
from tests.review.releases import released_triplets as triplets
from tests.review.releases.readers import records_of
from tests.review.releases.released_triplets import make_dives, make_set
from tests.shared_world import own_copies

pytestmark = [
    pytest.mark.filterwarnings("ignore"),  # of the libraries
]
HOSTILE = (
    'She says "no",\n=1+1\t\x01\x1b[0m\u202eevil\u2028,\x85 <b>\U0001f938</b> \\ {{x}} {% y %}'
)

SPANS = [
    {"text_start": 0, "text_end": 13, "start_frame": 1, "end_frame": 4},
    {"text_start": 14, "text_end": 18, "start_frame": 2, "end_frame": 5},
]


@pytest.fixture(scope="module")
def made(kept, rendered_media):
    """A release of two clips in CaReBench's form."""
    world = make_complete_world(rendered_media)
    project = world["project"]
    project.name = 'Dives: "a" \x85b'
    project.license = "CC BY 4.0"
    project.save()
    add_complete(world, rendered_media, "äpfel", category="Sports: <b>", license="")
    add_complete(world, rendered_media, "ball")
    release = build_release(project=project, version="1.0.0", admin=None, notes=HOSTILE)
    return {**world, "carebench": release}


@pytest.fixture
def carebench(shared):
    return shared["carebench"]


@pytest.fixture(scope="module")
def made_lovr(kept, rendered_media):
    """Two releases of one video with two clips, the first with a hostile caption: without the files
    of the clips, and with them."""
    project = make_project("Talks", protocol="lovr")
    make_talk(project, rendered_media)
    return [
        build_release(
            project=project, version=version, admin=None, choice=Choice(clip_files=clip_files)
        )
        for version, clip_files in (("1.0.0", False), ("1.1.0", True))
    ]


@pytest.fixture
def lovr(made_lovr, db):
    return own_copies(made_lovr[0])


@pytest.fixture
def lovr_with_clips(made_lovr, db):
    return own_copies(made_lovr[1])


def make_talk(project, rendered_media):
    video = make_playable(rendered_media, project, original_name="talk.mp4").video
    third = video.frames // 3
    segment(video, [0, third, 2 * third], min_video_seconds=0, min_clips=1)
    clips = list(video.clips.exclude(end_frame=video.frames, start_frame=0).order_by("start_frame"))
    first = machine_caption(clips[0], "Wrong.")
    text = Caption.objects.create(
        project=project, clip=clips[0], kind="general", source="corrected", text=HOSTILE,
        word_count=9, provenance=[{"label": "Secret Name"}], spans=SPANS,
    )  # fmt: skip
    text.parents.add(first)
    machine_caption(clips[2], "She stands.")
    whole = Caption.objects.create(
        project=project,
        clip=video.clips.get(start_frame=0, end_frame=video.frames),
        kind="full_video",
        source="machine",
        text="Whole.",
        word_count=1,
    )
    whole.parents.add(text)


def export(release, name, folder):
    export_release(release=release, format_name=name, target=folder / name)
    return folder / name


def bytes_of(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_hugging_face_pandas_and_croissant_read_clips_with_their_videos(
    carebench, tmp_path, readers
):
    folder = export(carebench, "huggingface", tmp_path)
    [(split, rows)] = readers.load(folder, "clips").items()
    assert split == "test"
    paths = [Path(row["video"]["path"]) for row in rows]
    assert [path.relative_to(folder) for path in paths] == [
        Path("videos/ball.mp4"),
        Path("videos/äpfel.mp4"),
    ]
    assert all(path.stat().st_size for path in paths)
    assert rows[1]["category"] == "Sports: <b>"
    assert (rows[0]["events"], rows[0]["fps"]) == (None, 25.0)
    table = readers.read_parquet(folder / "metadata.parquet")
    assert table["caption"].tolist() == [row["caption"] for row in rows]
    records = records_of(readers, folder, "clips")
    assert [record["caption"].decode() for record in records] == [row["caption"] for row in rows]
    described = json.loads((folder / "croissant.json").read_text())
    assert described["rai:annotationsPerItem"] == "2"
    assert described["version"] == "1.0.0"


def test_hugging_face_and_croissant_read_lovrs_clips_and_whole_videos(
    lovr_with_clips, tmp_path, readers
):
    folder = export(lovr_with_clips, "huggingface", tmp_path)
    clips = readers.load(folder, "clips")["test"]
    assert [clip["caption"] for clip in clips] == [HOSTILE, "She stands."]
    assert clips[1]["video"]["path"] == str(folder / "clips/talk/talk-Scene-003.mp4")
    [video] = readers.load(folder, "videos")["test"]
    assert (video["caption"], video["video"]["path"]) == ("Whole.", str(folder / "videos/talk.mp4"))
    texts = [record["caption"].decode() for record in records_of(readers, folder, "clips")]
    assert texts == [HOSTILE, "She stands."]
    assert [clip["caption_spans"] for clip in clips] == [SPANS, None]
    assert video["caption_spans"] is None
    times = [record["caption_spans"] for record in records_of(readers, folder, "clips")]
    assert [list(span.values()) for span in times[0]] == [list(span.values()) for span in SPANS]
    [record] = records_of(readers, folder, "videos")
    assert record["file_name"] == b"talk.mp4"
    described = (folder / "croissant.json").read_text()
    assert "Secret Name" not in described
    assert "corrected 1, machine 1" in json.loads(described)["rai:dataBiases"]


def test_clips_that_are_no_files_name_the_whole_video(lovr, tmp_path, readers):
    folder = export(lovr, "huggingface", tmp_path)
    clips = readers.load(folder, "clips")["test"]
    assert {clip["video"]["path"] for clip in clips} == {str(folder / "videos/talk.mp4")}
    folder = export(lovr, "webdataset", tmp_path)
    lines = (folder / "clips-test.jsonl").read_text().splitlines()
    assert [json.loads(line)["caption"] for line in lines] == [HOSTILE, "She stands."]
    assert not list(folder.glob("clips*.tar"))


def test_queries_and_clips_of_triplets_are_read_by_split(db, make_playable_clip, tmp_path, readers):
    project = make_dives(make_playable_clip)
    make_set(project)
    release = build_release(project=project, version="1.0.0", admin=None)
    folder = export(release, "huggingface", tmp_path)
    queries, clips = readers.load(folder, "queries"), readers.load(folder, "clips")
    assert list(queries) == list(clips) == ["train", "validation", "test"]
    first = queries["train"][0]
    assert (first["query"], first["modification"]) == ("clip-01", triplets.HOSTILE)
    assert first["targets"] == ["clip-04", "clip-05"]
    paths = {row["clip"]: row["video"]["path"] for row in clips["train"]}
    assert first["video"]["path"] == paths["clip-01"]
    assert Path(paths["clip-01"]).is_file()
    assert sum(map(len, clips.values())) == release.clip_count
    texts = [row["modification"].decode() for row in records_of(readers, folder, "queries-test")]
    assert texts == [row["modification"] for row in queries["test"]]
    shard = export(release, "webdataset", tmp_path) / "clips-validation-000000.tar"
    sample, *_ = readers.shards.WebDataset(str(shard), shardshuffle=False).decode()
    assert sample["json"]["label"] == "107b"
    native = lines_by_schema(export(release, "native", tmp_path))
    assert len(native["labels.jsonl"]) == 3
    numbers = [line["number"] for line in native["queries.jsonl"] if line["split"] == "test"]
    assert numbers == [0, 1, 2]


def test_webdataset_reads_shards(lovr_with_clips, tmp_path, readers, monkeypatch):
    monkeypatch.setattr("review.releases.writers.webdataset.MAX_SAMPLES", 1)
    folder = export(lovr_with_clips, "webdataset", tmp_path)
    shards = sorted(str(path) for path in folder.glob("clips-test-*.tar"))
    assert len(shards) == 2
    samples = list(readers.shards.WebDataset(shards, shardshuffle=False).decode())
    assert [sample["__key__"] for sample in samples] == ["000000000", "000000001"]
    assert [sample["json"]["caption"] for sample in samples] == [HOSTILE, "She stands."]
    assert [sample["json"]["caption_spans"] for sample in samples] == [SPANS, None]
    assert all(sample["mp4"][4:8] == b"ftyp" for sample in samples)


def test_pandas_reads_lovrs_two_tables(lovr, tmp_path, readers):
    folder = export(lovr, "lovr", tmp_path)
    for name in ("all_clip", "all_video"):
        lines = (folder / f"caption_data/{name}.jsonl").read_text().splitlines()
        path = folder / f"caption_data/{name}.parquet"
        records = readers.read_parquet(path).to_dict("records")
        spans = [record.pop("cap_spans") for record in records]
        read = [json.loads(line) for line in lines]
        assert [list(times) if times is not None else None for times in spans] == [
            line.pop("cap_spans", None) for line in read
        ]
        assert records == read
    assert verify(folder, lambda text: None) == []
    path.write_bytes(b"changed")
    problems = {problem.where for problem in verify(folder, lambda text: None)}
    assert problems == {f"caption_data/all_video.parquet{key}" for key in ("", "#sha256", "#size")}


def test_the_native_format_has_everything_by_its_schema(lovr_with_clips, tmp_path):
    folder = export(lovr_with_clips, "native", tmp_path)
    tables = lines_by_schema(folder)
    assert list(tables) == ["clips.jsonl", "videos.jsonl", "captions.jsonl", "scores.jsonl"]
    captions = {line["id"]: line for line in tables["captions.jsonl"]}
    first, second = tables["clips.jsonl"]
    corrected = captions[first["caption"]]
    assert (corrected["text"], corrected["source"]) == (HOSTILE, "corrected")
    assert corrected["spans"] == SPANS
    [parent] = corrected["parents"]
    assert (captions[parent]["text"], captions[parent]["is_released"]) == ("Wrong.", False)
    assert (folder / second["file_name"]).stat().st_size == second["size"]
    [video] = tables["videos.jsonl"]
    assert captions[video["caption"]]["parents"] == [corrected["id"]]
    assert "Secret Name" not in (folder / "captions.jsonl").read_text()


def lines_by_schema(folder):
    """The lines of each file, checked."""
    schemas = json.loads((folder / "schema.json").read_text())["$defs"]
    tables = {}
    for name, schema in schemas.items():
        check = jsonschema.Draft202012Validator(schema)
        tables[name] = [json.loads(line) for line in (folder / name).read_text().splitlines()]
        assert [list(check.iter_errors(line)) for line in tables[name]] == [[]] * len(tables[name])
    return tables


def test_the_native_format_of_carebench_has_the_write_ups(carebench, tmp_path):
    tables = lines_by_schema(export(carebench, "native", tmp_path))
    captions = {line["id"]: line for line in tables["captions.jsonl"]}
    for clip in tables["clips.jsonl"]:
        merged = captions[clip["caption"]]
        assert [captions[key]["kind"] for key in merged["parents"]] == ["general", "general"]
        assert captions[clip["spatial_caption"]]["parents"] == [merged["id"]]


def test_each_text_of_a_clip_has_its_own_times(
    anna, ben, emil, make_playable_clip, tmp_path, readers
):
    project = make_short_project(name="Swims")
    for person, role in ((anna, "annotator"), (ben, "annotator"), (emil, "expert")):
        join(project, person, role)
    ball, dive = (open_clip(project, name, make=make_playable_clip) for name in ("ball", "dive"))
    complete(project, ball, [anna, ben], emil)
    without = build_release(project=project, version="1.0.0", admin=None)
    own = export(without, "carebench", tmp_path / "without")
    assert "spans" not in (own / "json/metadata.json").read_text()
    table = readers.read_parquet(export(without, "huggingface", own) / "metadata.parquet")
    assert not [name for name in table.columns if "spans" in name]
    spatial = Caption.objects.get(project=project, kind="spatial")
    complete(project, dive, [anna, ben], emil)
    timed = Caption.objects.create(
        project=project, clip=spatial.clip, kind="spatial", source="human", text=HOSTILE,
        word_count=9, spans=SPANS,
    )  # fmt: skip
    timed.parents.set(spatial.parents.all())
    release = build_release(project=project, version="1.1.0", admin=None)
    own = export(release, "carebench", tmp_path / "with")
    first, second = json.loads((own / "json/metadata.json").read_text())
    assert (first["video"], first["spatial_caption"]) == ("ball.mp4", HOSTILE)
    assert (first.pop("spatial_caption_spans"), first.keys()) == (SPANS, second.keys())
    assert verify(own, lambda text: None) == []
    rows = readers.load(export(release, "huggingface", tmp_path), "clips")["test"]
    names = ("caption_spans", "spatial_caption_spans", "temporal_caption_spans")
    assert [[row[name] for name in names] for row in rows] == [[None, SPANS, None], [None] * 3]


@pytest.mark.parametrize("name", ["huggingface", "webdataset", "native"])
def test_every_format_names_its_release_and_has_the_same_bytes_twice(carebench, name, tmp_path):
    first = bytes_of(export(carebench, name, tmp_path / "one"))
    assert first == bytes_of(export(carebench, name, tmp_path / "two"))
    manifest = json.loads(first["manifest.json"])
    assert (manifest["format"], manifest["content_hash"]) == (name, carebench.content_hash)
    assert manifest["signature"].endswith(carebench.content_hash)
    hashes = {path: hashlib.sha256(content).hexdigest() for path, content in first.items()}
    assert {file["path"]: file["sha256"] for file in manifest["files"]}.items() <= hashes.items()
    sums = dict(line.split("  ")[::-1] for line in first["SHA256SUMS"].decode().splitlines())
    assert sums == {path: value for path, value in hashes.items() if path != "SHA256SUMS"}


def test_a_changed_video_is_found_before_a_shard_is_written(carebench, tmp_path):
    video = carebench.clips.select_related("clip__video").first().clip.video
    path = Path(default_storage.path(video.playback_file))
    content = path.read_bytes()
    path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    try:
        with pytest.raises(ReviewError, match="is not what was frozen"):
            export(carebench, "webdataset", tmp_path)
    finally:
        path.write_bytes(content)


def test_only_admins_get_what_says_where_captions_are_from(carebench, ada, anna, olaf):
    page = reverse("review:release", args=["dives", "1.0.0"])
    address = reverse("review:prepare_release_archive", args=["dives", "1.0.0", "native"])
    assert "archive-native" in client_of(ada).get(page).text
    assert "archive-native" not in client_of(anna).get(page).text
    answers = [client_of(person).post(address).status_code for person in (olaf, anna, ada)]
    assert answers == [404, 403, 302]


@pytest.mark.parametrize(
    ("name", "identifier"),
    [
        ("CC BY 4.0", "cc-by-4.0"),
        ("cc-by-nc-sa 4.0", "cc-by-nc-sa-4.0"),
        ("MIT", "mit"),
        ("CC0", "cc0-1.0"),
        ("My own: terms", "other"),
        (" ", "unknown"),
    ],
)
def test_licenses_have_the_names_that_hugging_face_knows(name, identifier):
    assert license_id(name) == identifier

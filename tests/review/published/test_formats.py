"""Reading Label Studio's export, WebVTT and LoVR's captions, and leaving out rows with errors."""

import csv
import io
import json

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotate.corpus.precedence import current_caption
from annotate.models import Caption, Clip
from review.published.models import HumanImport
from tests.cast import client_of, make_clip, make_project, make_video
from tests.review.cast import open_clip
from tests.review.published.publishing import as_json, as_jsonl, carebench_row, import_captions
from tests.review.published.test_rows import faults_in, read


def area(name, *texts, region="a1", **value) -> dict:
    return {
        "id": region,
        "from_name": name,
        "to_name": "video",
        "type": "textarea",
        "value": {"text": list(texts), **value},
    }


def task(*annotations, video="/data/upload/1/6c3b9a3c-dive%201.mp4", **fields) -> dict:
    return {"id": 7, "data": {"video": video}, "annotations": list(annotations), **fields}


def test_label_studio_has_a_caption_in_each_finished_annotation():
    category = {"id": "c", "from_name": "category", "type": "choices"}
    first = {
        "result": [
            area("caption", "A diver jumps."),
            area("temporal", "She turns."),
            area("objects", "a diver", "a pool"),
            category | {"value": {"choices": ["Sports, Excercise"]}},
        ]
    }
    canceled = {"was_cancelled": True, "result": [area("caption", "No.")]}
    [row] = read(as_json(task(first, canceled), task(video="unseen.mp4")))
    assert (row.clip, row.texts) == ("dive 1.mp4", ["A diver jumps."])
    assert row.parts == {"temporal": "She turns."}
    assert (row.lists, row.category) == ({"objects": ["a diver", "a pool"]}, "Sports, Excercise")


def test_texts_about_times_are_joined_in_their_order():
    times = [
        {"id": name, "type": "timelinelabels", "value": {"ranges": [{"start": start, "end": 90}]}}
        for name, start in (("late", 60), ("early", 1.5))
    ]
    texts = [
        area("caption", "She lands.", region="late"),
        area("caption", "She jumps.", region="early"),
    ]
    [row] = read(as_json(task({"result": [*times, *texts]}, video="a/dive.mp4")))
    assert (row.clip, row.texts) == ("dive.mp4", ["She jumps. She lands."])


@pytest.mark.parametrize(
    "address",
    [
        "/data/local-files/?d=clips/a%20dive.mp4",
        "s3://bucket/clips/a dive.mp4",
        "https://files.example.org/a%20dive.mp4?X-Amz-Signature=ab/c&d=e#t=1",
    ],
)
def test_label_studio_names_a_video_by_its_address(address):
    [row] = read(as_json(task({"result": [area("caption", "A dive.")]}, video=address)))
    assert row.clip == "a dive.mp4"


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        (["from_name", "annotations"], "entry 1: It must be an object"),
        (task({"result": [area("caption", 5)]}), "entry 1, caption: It must be text."),
        (
            task({"result": [area("caption", "a"), area("temporal", "a", None)]}),
            "entry 1, temporal_caption: It must be text.",
        ),
        (task({"result": "from_name"}), "entry 1, caption: It is an empty list."),
        ({"data": {"id": 1}, "annotations": [{"result": [area("x", "a")]}]}, "entry 1, video"),
    ],
)
def test_entries_that_label_studio_never_writes_are_named(entry, fault):
    good = task({"result": [area("caption", "A dive.")]})
    [message] = faults_in(as_json(entry, good))
    assert fault in message


CUES = """WEBVTT - A dive

STYLE
::cue { color: red }

NOTE written by hand

2
00:04.000 --> 00:06.500 align:start
<v Anna>She <i>turns</i> &amp; lands.</v>

1
00:00:00.000 --> 00:04.000
A diver
jumps.
"""


@pytest.mark.django_db
def test_lovr_has_captions_of_clips_and_of_whole_videos():
    project = make_project(protocol="lovr")
    video = make_video(project, original_name="walk.mp4", frames=200)
    whole = make_clip(project, video=video)
    scene = make_clip(project, video=video, end_frame=100)
    Clip.objects.filter(pk=scene.pk).update(name="walk-Scene-001")
    clips = as_jsonl({"path": "walk/walk-Scene-001.mp4", "vid": "walk", "cap": "A street."})
    import_captions(project, clips, name="LoVR clips", file_name="all_clip.jsonl")
    videos = as_jsonl({"vid": "walk", "cap": "Somebody walks through a town."})
    stored = import_captions(project, videos, name="LoVR videos", file_name="all_video.jsonl")
    assert current_caption(scene).text == "A street."
    assert current_caption(whole, "full_video").text == "Somebody walks through a town."
    assert current_caption(whole) is None
    assert (stored.preview["whole"], stored.preview["general"]) == (1, 0)


@pytest.mark.django_db
def test_rows_with_an_error_are_left_out_where_an_admin_says_so(project, ada):
    open_clip(project, "dive", category="", subcategory="")
    data = as_json(carebench_row("dive"), carebench_row("=nowhere"), {"video": "dive"})
    upload = {"name": "CaReBench v1", "file": io.BytesIO(data)}
    upload["file"].name = "metadata.json"
    client = client_of(ada)
    address = reverse("review:check_human_captions", args=[project.slug])
    refused = client.post(address, upload)
    assert refused.status_code == 422
    assert not Caption.objects.exists()
    kept = HumanImport.objects.get()
    download = reverse("review:human_import_faults", args=[project.slug, kept.pk])
    assert download in refused.text
    table = list(csv.reader(io.StringIO(client.get(download).text)))
    assert [row[1:3] for row in table[1:]] == [["entry 2", "video"], ["entry 3", "caption"]]
    assert (
        client.get(reverse("review:human_import", args=[project.slug, kept.pk])).status_code == 404
    )

    upload["file"].seek(0)
    page = client.post(address, upload | {"skips_bad": "on"}, follow=True)
    checked = HumanImport.objects.get()
    assert (checked.preview["rows"], checked.preview["bad"]) == (3, 2)
    download = reverse("review:human_import_faults", args=[project.slug, checked.pk])
    assert download in page.text
    assert len(client.get(download).text.splitlines()) == 3
    import_captions(project, data, name="Again", skips_bad=True)
    assert Caption.objects.filter(kind="general").count() == 1


@pytest.mark.django_db
def test_the_command_reads_every_format_and_a_dry_run_stores_nothing(project, tmp_path):
    open_clip(project, "dive")
    files = {
        "carebench": ("metadata.json", as_json(carebench_row("dive"))),
        "lovr": ("all_clip.jsonl", as_jsonl({"path": "dive/dive.mp4", "cap": "A dive."})),
        "webvtt": ("dive.vtt", CUES.encode()),
        "label-studio": (
            "export.json",
            as_json(task({"result": [area("caption", "Hi.")]}, video="dive")),
        ),
    }
    for name, (file_name, data) in files.items():
        (tmp_path / file_name).write_bytes(data)
        out = io.StringIO()
        call_command(
            "import_dataset", project.slug, str(tmp_path / file_name), format=name, dry_run=True,
            stdout=out,
        )  # fmt: skip
        assert "1 general captions" in out.getvalue()
    assert not Caption.objects.exists()
    call_command(
        "import_dataset", project.slug, str(tmp_path / "metadata.json"), format="carebench",
        here=True, stdout=io.StringIO(),
    )  # fmt: skip
    assert HumanImport.objects.get().name == "CaReBench"
    with pytest.raises(CommandError, match="Give the file"):
        call_command("import_dataset", project.slug, format="lovr")


@pytest.mark.django_db
def test_files_of_cues_come_in_together(project, tmp_path):
    for name in ("dive", "jump"):
        open_clip(project, name)
        (tmp_path / "cues" / name).mkdir(parents=True)
        (tmp_path / "cues" / name / f"{name}.vtt").write_text(CUES.replace("dive", name))
    call_command(
        "import_dataset", project.slug, str(tmp_path / "cues"), format="webvtt", here=True,
        stdout=io.StringIO(),
    )  # fmt: skip
    assert list(Caption.objects.order_by("pk").values_list("clip__name", flat=True)) == [
        *("dive", "jump"),
    ]
    assert HumanImport.objects.get().file_name == "cues.zip"


@pytest.mark.django_db
def test_a_dry_run_of_labeled_clips_stores_nothing(tmp_path):
    project = make_project(protocol="tfcovr")
    make_video(project, original_name="riga.mp4")
    rows = "source_video,clip,label,first_frame,end_frame\nriga.mp4,riga_1.mp4,103b,0,50\n"
    (tmp_path / "dives.csv").write_text(rows)
    labels = [{"label": "103b", "caption": "Forward", "source": "FineDiving"}]
    (tmp_path / "labels.json").write_text(json.dumps(labels))
    out = io.StringIO()
    call_command(
        "import_dataset", project.slug, str(tmp_path / "dives.csv"), dry_run=True,
        labels=tmp_path / "labels.json", stdout=out,
    )  # fmt: skip
    assert out.getvalue().startswith("1 new clip and 1 new label.")
    assert not Clip.objects.filter(name="riga_1").exists()

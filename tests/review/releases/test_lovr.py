"""A release in LoVR's form, from described clips to the lines of its files."""

import hashlib
import io
import json
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from django.core.management import call_command
from django.urls import reverse

from annotate.jobs.services.working import work_on
from annotate.models import Caption, Video
from annotate.models.jobs import Job
from review.captions.exchange import PredictionsInvalid, import_predictions
from review.errors import ReviewError
from review.releases.formats import export_release
from review.releases.gates.findings import gate_states, look
from review.releases.queries import content_of, next_release
from review.releases.services import build_release
from review.releases.statistics import release_statistics
from review.releases.writers.lovr import lovr_files
from review.releases.writers.lovr_captions import SceneText, VideoText, caption_chunks
from review.retrieval.exchange import import_vectors
from review.retrieval.models import ImportedVector
from review.statistics.report import count_statistics
from tests.cast import client_of, count_queries
from tests.hand_work import machine_caption, open_hand
from tests.inference.cast import make_model
from tests.inference.scored import score, score_run, write
from tests.inference.segmented import segment
from tests.review.retrieval.vector_files import npz
from tests.review.studio.cast import names_by_gate


@dataclass
class Talk:
    """A segmented video of three clips, in the order of time."""

    video: Video
    clips: list

    def caption(self, number, text):
        return machine_caption(self.clips[number - 1], text)

    def caption_whole(self, text, *parents):
        whole = self.video.clips.get(start_frame=0, end_frame=self.video.frames)
        caption = Caption.objects.create(
            project=self.video.project,
            clip=whole,
            kind=Caption.Kind.FULL_VIDEO,
            source=Caption.Source.MACHINE,
            text=text,
            word_count=1,
        )
        caption.parents.set(parents)
        return caption


@pytest.fixture
def lovr(project):
    project.protocol = "lovr"
    project.save()
    return project


def build(project, version="0.1.0", **options):
    return build_release(project=project, version=version, admin=None, **options)


def lines(release, name):
    text = content_of_file(release, f"caption_data/{name}")
    return [json.loads(line) for line in text.splitlines()]


def content_of_file(release, path):
    return every_file(release)[path].decode()


def every_file(release):
    with TemporaryDirectory() as folder:
        files = lovr_files(release, Path(folder))
        return {file.path: b"".join(file.checked()) for file in files}


@pytest.fixture
def make_talk(lovr, make_playable_clip):
    """A function that makes a segmented video with a real playback file."""

    def make(name="talk.mp4", **fields):
        video = make_playable_clip(lovr, original_name=name, **fields).video
        third = video.frames // 3
        segment(video, [0, third, 2 * third], min_video_seconds=0, min_clips=1)
        whole_span = {"start_frame": 0, "end_frame": video.frames}
        return Talk(video, list(video.clips.exclude(**whole_span).order_by("start_frame")))

    return make


def test_the_files_have_exactly_lovrs_fields(lovr, make_talk):
    talk = make_talk()
    clips = [talk.caption(2, "She sits."), talk.caption(1, "She stands.")]
    talk.caption_whole("She stands, then sits.", *clips)
    release = build(lovr)
    assert lines(release, "all_clip.jsonl") == [
        {"path": "talk/talk-Scene-001.mp4", "cap": "She stands."},
        {"path": "talk/talk-Scene-002.mp4", "cap": "She sits."},
    ]
    assert lines(release, "all_video.jsonl") == [{"vid": "talk", "cap": "She stands, then sits."}]
    second = talk.clips[1]
    fps = float(talk.video.fps)
    assert lines(release, "records.jsonl")[1] == {
        "video_id": "talk",
        "clip_id": "talk-Scene-002",
        "video_path": "video_data/long_video/talk.mp4",
        "clip_path": "video_data/long_video_clip/talk/talk-Scene-002.mp4",
        "start_time": second.start_frame / fps,
        "end_time": second.end_frame / fps,
        "clip_caption": "She sits.",
        "video_caption": "She stands, then sits.",
    }


def test_the_statistics_are_those_of_the_frozen_clips_and_videos(lovr, make_talk):
    talk = make_talk()
    first, second = (talk.caption(place, "She stands up.") for place in (1, 2))
    talk.caption_whole("She stands, then sits.", first, second)
    make_talk("other.mp4").caption(1, "He sits.")
    release = build(lovr)
    counted = release_statistics(release)
    project = count_statistics(lovr)
    lengths = [clip.duration_ms for clip in (first.clip, second.clip)]
    assert counted.clips.items == 3
    assert counted.clips.min_ms <= min(lengths) <= max(lengths) <= counted.clips.max_ms
    assert counted.clips.captions[0].words == {2: 1, 3: 2}
    assert counted.videos.items == 2
    assert counted.videos.total_ms == project.videos.total_ms
    assert counted.videos.captions[0].words == {1: 1}
    talk.caption(3, "She leaves.")
    assert release_statistics(release) == counted


def test_the_manifest_states_source_and_scores_of_captions_of_whole_videos(lovr, make_talk):
    run = score_run(lovr, make_model(lovr, "lexical"))
    for name, value, source in (("a", 0.5, "machine"), ("b", 0.25, "corrected")):
        talk = make_talk(f"{name}.mp4")
        full = talk.caption_whole("She stands.", talk.caption(1, "She stands."))
        score(full.clip, value, run, caption=full, scorer="e" * 64, scorer_name="Of videos")
        if source == "corrected":
            mended = write(full.clip, "She sits.", kind="full_video", source=source)
            mended.parents.add(full)
    release = build(lovr)
    later = talk.caption_whole("She stands up.")
    score(later.clip, 1.0, run, caption=later, scorer="e" * 64, scorer_name="Of videos")
    manifest = json.loads(content_of_file(release, "manifest.json"))
    assert manifest["video_captions_by_source"] == {"corrected": 1, "machine": 1}
    assert manifest["video_caption_scores"] == [
        {
            "scorer": "e" * 64, "scorer_name": "Of videos",
            "captions": 1, "mean": 0.5, "min": 0.5, "max": 0.5,
        }
    ]  # fmt: skip


def test_videos_come_by_name_and_clips_by_time_and_keep_their_numbers(lovr, make_talk):
    talks = {name: make_talk(f"{name}.mp4") for name in ("b", "a")}
    talks["b"].caption(1, "B1.")
    talks["a"].caption(3, "A3.")
    talks["a"].caption(1, "A1.")
    first = build(lovr)
    paths = ["a/a-Scene-001.mp4", "a/a-Scene-003.mp4", "b/b-Scene-001.mp4"]
    assert [line["path"] for line in lines(first, "all_clip.jsonl")] == paths
    talks["a"].caption(2, "A2.")
    again = [line["path"] for line in lines(build(lovr, "0.2.0"), "all_clip.jsonl")]
    assert again == [paths[0], "a/a-Scene-002.mp4", *paths[1:]]


def test_a_video_without_an_up_to_date_caption_has_none(lovr, make_talk):
    plain, old = make_talk("plain.mp4"), make_talk("old.mp4")
    plain.caption(1, "One.")
    old.caption_whole("Of an older text.", old.caption(1, "Older."))
    old.caption(1, "Newer.")
    release = build(lovr)
    assert lines(release, "all_video.jsonl") == []
    assert [r["video_caption"] for r in lines(release, "records.jsonl")] == [None, None]
    findings = look(content_of(lovr), gate_states(lovr))
    assert names_by_gate(findings)["whole-captions"] == ["plain", "old"]


def test_excluded_videos_uncut_videos_and_clips_to_write_by_hand_are_not_in_it(
    lovr, make_talk, make_playable_clip
):
    kept, excluded = make_talk("kept.mp4"), make_talk("static.mp4")
    kept.caption(1, "Kept.")
    kept.caption(2, "Too poor.")
    open_hand(kept.clips[1])
    excluded.caption_whole("Static.", excluded.caption(1, "Static."))
    excluded.video.excluded_because = "not dynamic"
    excluded.video.save()
    machine_caption(make_playable_clip(lovr, original_name="uncut.mp4"), "Not cut yet.")
    release = build(lovr)
    assert [line["cap"] for line in lines(release, "all_clip.jsonl")] == ["Kept."]
    assert lines(release, "all_video.jsonl") == []
    assert [video.vid for video in release.videos.all()] == ["kept"]


def test_a_release_stays_the_same_when_captions_come_in(lovr, make_talk):
    talk = make_talk()
    talk.caption(1, "Before.")
    first = build(lovr)
    bytes_before = every_file(first)
    assert build(lovr, "0.1.1").content_hash == first.content_hash
    talk.caption(1, "After.")
    assert every_file(first) == bytes_before
    assert build(lovr, "0.2.0").content_hash != first.content_hash


def test_the_exported_folder_has_no_file_that_is_not_there(lovr, make_talk, tmp_path):
    talk = make_talk("Scène <b>.mp4")
    talk.caption(1, "One.")
    release = build(lovr)
    out = tmp_path / "out"
    call_command("export_release", lovr.slug, "0.1.0", out=out)
    vid = lines(release, "all_clip.jsonl")[0]["path"].partition("/")[0]
    assert sorted(p.relative_to(out).as_posix() for p in out.rglob("*") if p.is_file()) == [
        "LICENSE.txt",
        "README.md",
        "SHA256SUMS",
        "caption_data/all_clip.jsonl",
        "caption_data/all_clip.parquet",
        "caption_data/all_video.jsonl",
        "caption_data/all_video.parquet",
        "caption_data/records.jsonl",
        "manifest.json",
        "reports/SHA256SUMS",
        "reports/index.json",
        "reports/names.jsonl",
        "reports/released.jsonl",
        "verify.pyz",
        f"video_data/long_video/{vid}.mp4",
    ]
    assert "The clips are not included as files" in (out / "README.md").read_text()
    sums = (out / "SHA256SUMS").read_bytes()
    assert hashlib.sha256(sums).hexdigest() == release.content_hash
    manifest = json.loads((out / "manifest.json").read_text())
    [video] = manifest["videos"]
    assert video["source_name"] == "Scène <b>.mp4"
    assert video["clips"] == [{"scene": 1, "start_frame": 0, "end_frame": talk.clips[0].end_frame}]
    assert manifest["clip_captions_by_source"] == {"machine": 1}
    assert (manifest["video_captions_by_source"], manifest["video_caption_scores"]) == ({}, [])
    assert "|format:lovr|" in manifest["signature"]


def test_a_release_is_offered_in_its_own_format_only(lovr, make_talk, tmp_path):
    make_talk().caption(1, "One.")
    release = build(lovr)
    with pytest.raises(ReviewError, match=r"can't be written in the format carebench. Choose lovr"):
        export_release(release=release, format_name="carebench", target=tmp_path / "out")


def test_the_command_builds_it_with_the_zip_of_its_format(lovr, make_talk, capsys):
    make_talk().caption(1, "One.")
    call_command("build_release", lovr.slug, "0.1.0", "--here")
    archive = lovr.releases.get().archives.get()
    assert archive.format == "lovr"
    *_, last, _, _, _, _, _ = capsys.readouterr().out.splitlines()
    assert last.startswith("Wrote the lovr ZIP: ")
    assert last.endswith(archive.sha256)


def test_nothing_described_is_refused_with_what_to_do(lovr, make_talk):
    make_talk()
    with pytest.raises(ReviewError, match="Segment the videos and caption their clips"):
        build(lovr)


def test_a_caption_is_one_line_for_every_reader():
    text = 'Two\nlines, a "quote"\u2028and\x85more.'
    scene = SceneText("talk", 1, 0, 5, Fraction(25), text)
    for make in caption_chunks(lambda: [scene], {"talk": VideoText(text)}).values():
        [line] = b"".join(make()).decode().splitlines()
        assert text in json.loads(line).values()


def test_the_pages_show_what_is_next_and_what_is_frozen(lovr, make_talk, ada, anna):
    talk = make_talk("talk.mp4")
    talk.caption_whole("Whole.", talk.caption(1, "<b>One.</b>"))
    list_url = reverse("review:release_checks", args=[lovr.slug])
    response = client_of(ada).get(list_url)
    following = response.context["following"]
    assert following.difference.added == ["talk (whole video)", "talk-Scene-001"]
    assert "Build and freeze" in response.content.decode()
    release = build(lovr)
    assert not next_release(lovr, release).difference
    talk.caption(1, "Two.")
    talk.caption(2, "More.")
    difference = next_release(lovr, release).difference
    assert (difference.added, difference.changed, difference.removed) == (
        ["talk-Scene-002"],
        ["talk-Scene-001"],
        ["talk (whole video)"],
    ), "the caption of the whole video is out of date"
    page_url = reverse("review:release", args=[lovr.slug, release.version])
    page = client_of(anna).get(page_url).content.decode()
    assert "talk-Scene-001" in page
    assert "&lt;b&gt;One.&lt;/b&gt;" in page
    assert 'id="archive-lovr"' in page
    assert 'id="archive-carebench"' not in page
    wrong = reverse("review:release_archive", args=[lovr.slug, release.version, "carebench"])
    assert client_of(anna).get(wrong).status_code == 404


def test_a_release_is_read_with_as_many_queries_for_one_clip_as_for_three(lovr, make_talk, ada):
    talk = make_talk()
    talk.caption(1, "One.")
    build(lovr)
    for number in (2, 3):
        talk.caption(number, "More.")
    build(lovr, "0.2.0")
    counts = []
    for version in ("0.1.0", "0.2.0"):
        client = client_of(ada)
        with count_queries() as count:
            client.get(reverse("review:release", args=[lovr.slug, version]))
        counts.append(int(count))
    assert counts[0] == counts[1]


def test_results_for_a_release_go_to_the_clips_that_it_calls_so(lovr, make_talk):
    talk = make_talk()
    captions = [talk.caption(1, "One."), talk.caption(2, "Two.")]
    whole = talk.caption_whole("Both.", *captions)
    for clip, name in zip(talk.clips, ("x", "talk-Scene-001", "talk-Scene-003"), strict=True):
        clip.name = name
        clip.save()
    release = build(lovr)
    rows = [{"path": "talk/talk-Scene-001.mp4", "cap": "A model's."}]
    file = io.BytesIO(json.dumps(rows).encode())
    made = import_predictions(
        project=lovr, file=file, name="Heron", file_name="h.json", admin=None, release=release
    )
    assert made.captions.get().caption.clip == talk.clips[0]
    file = io.BytesIO(json.dumps([{"path": "talk-Scene-003", "cap": "Not in it."}]).encode())
    with pytest.raises(PredictionsInvalid) as refused:
        import_predictions(
            project=lovr, file=file, name="Egret", file_name="e.json", admin=None, release=release
        )
    assert "does not contain 'talk-Scene-003'" in str(refused.value.faults[0])
    talk.caption(1, "Newer.")
    held = npz(
        clips=np.array(["talk-Scene-001"]), clip_vectors=np.eye(2)[:1],
        general=np.array(["talk-Scene-001"]), general_vectors=np.eye(2)[:1],
        full_video=np.array(["talk"]), full_video_vectors=np.eye(2)[:1],
    )  # fmt: skip
    stored = import_vectors(
        project=lovr, file=held, name="CARE", file_name="c.npz", admin=None, release=release
    )
    rows = ImportedVector.objects.filter(vector_set=stored).order_by("pk")
    assert [(row.clip, row.caption) for row in rows] == [
        (talk.clips[0], None),
        (talk.clips[0], captions[0]),
        (whole.clip, whole),
    ]


def test_a_worker_builds_the_release_and_writes_its_archive(lovr, make_talk, ada):
    talk = make_talk()
    talk.caption_whole("Whole.", talk.caption(1, "One."))
    build_url = reverse("review:build_release", args=[lovr.slug])
    client = client_of(ada)
    client.post(build_url, {"version": "0.1.0", "confirm": "on"})
    for kind in ("release", "release_archive"):
        work_on(job_id=Job.objects.get(kind=kind).pk)
    assert [archive.format for archive in lovr.releases.get().archives.all()] == ["lovr"]
    page = client.get(reverse("review:release", args=[lovr.slug, "0.1.0"])).content.decode()
    assert "1 clip of 1 video, 1 with a caption of the whole video" in page
    assert 'Download<span class="visually-hidden"> LoVR</span>' in page
    overview = client.get(reverse("review:activity", args=[lovr.slug]))
    assert (last := overview.context["funnel"][-1]).label == "Released in 0.1.0"
    assert (last.clips, last.of) == (1, 3)
    assert f"/p/{lovr.slug}/metrics/0.1.0/" not in page

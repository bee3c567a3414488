"""A release freezes what people said of its captions, and which run made each."""

import json

import pytest
from django.db import DatabaseError, transaction

from annotate.models import Caption
from inference.models import ModelSpec
from review.releases.services import build_release
from review.verification.models import MissingSegment
from tests.cast import make_person
from tests.hand_work import machine_caption
from tests.inference.segmented import segment
from tests.review.releases.judged import (
    caption_run,
    find_dynamic,
    import_verdict,
    made_by,
    make_test,
    pick,
    rate,
    sign_off,
)
from tests.review.takedowns.releases import fresh, json_lines, take, written
from tests.review.verification.verifying import (
    ALL_OK,
    CAPTION,
    hold_verification,
    verify,
)

pytestmark = pytest.mark.django_db


CORRECTIONS = ALL_OK | {
    "verdict-1": "A",
    "correction-1": "His cap is orange.",
    "verdict-2": "B",
    "delete-2": "1",
}
CORRECTED = "A man opens a door. His cap is orange.\n\nA dog barks."


def build(project, version="1.0.0"):
    return build_release(project=project, version=version, admin=None)


def tables(release):
    """The records of the native format by file."""
    files = written(release, "native")
    return {
        name.removesuffix(".jsonl"): json_lines(content)
        for name, content in files.items()
        if name.endswith(".jsonl")
    }


@pytest.fixture
def talk(project, make_playable_clip):
    """A project in LoVR's form: a video of two clips, the first with a caption by a run."""
    project.protocol = "lovr"
    project.save()
    video = make_playable_clip(project, original_name="talk.mp4").video
    segment(video, [0, video.frames // 2], min_video_seconds=0, min_clips=1)
    first, last = video.clips.exclude(start_frame=0, end_frame=video.frames).order_by("start_frame")
    run = caption_run(project)
    Caption.objects.create(
        project=project, clip=first, kind="general", source="machine", text=CAPTION,
        word_count=18, provenance=made_by(run),
    )  # fmt: skip
    machine_caption(last, "She stands.")
    return video


def test_lovr_has_verdicts_ratings_and_runs_without_names(project, talk, ada):
    machine = Caption.objects.get(text=CAPTION)
    run = project.jobs.get(kind="caption").inferencerun
    rita, uma = make_person("Rita", project, "reviewer"), make_person("Uma", project, "reviewer")
    find_dynamic(uma, talk)
    verify(hold_verification(rita, machine), machine, CORRECTIONS)
    MissingSegment.objects.create(
        verification=machine.verifications.get(), place=1, text="He climbs a rope.",
        start_frame=5, end_frame=15,
    )  # fmt: skip
    import_verdict("Secret Name", machine)
    other = Caption.objects.get(text="She stands.")
    rate(rita, machine, 2)
    rate(uma, other, 4)
    release = build(project)
    rate(rita, other, 0)
    lines = tables(release)
    ids = {line["text"]: line["id"] for line in lines["captions"]}
    assert lines["origins"] == [
        {
            "caption": ids[CAPTION],
            "run": run.pk,
            "kind": "caption",
            "model": run.model.name,
            "model_id": "Qwen/Qwen2-VL",
            "revision": "abc123",
            "recipe_hash": run.recipe_hash,
        }
    ]
    verification, imported = lines["verifications"]
    assert (verification["by"], imported["by"]) == ("reviewer-2", "imported-reviewer-1")
    assert verification["caption"] == ids[CAPTION]
    assert verification["corrected"] == ids[CORRECTED]
    assert list(verification["sentences"][1].items())[:6] == [
        ("number", 1), ("start", 20), ("end", 39), ("types", "A"),
        ("correction", "His cap is orange."), ("is_deleted", False),
    ]  # fmt: skip
    assert [sentence["types"] for sentence in verification["sentences"]] == ["", "A", "B", ""]
    assert verification["missing"] == [
        {"place": 1, "text": "He climbs a rope.", "start_frame": 5, "end_frame": 15}
    ]
    assert [(line["caption"], line["by"], line["value"]) for line in lines["ratings"]] == sorted(
        [(ids[CAPTION], "reviewer-2", 2), (ids["She stands."], "reviewer-1", 4)]
    )
    assert lines["dynamics"] == [{"video_id": "talk", "by": "reviewer-1", "is_dynamic": True}]
    everything = b"".join(written(release, "native")[f"{name}.jsonl"] for name in lines)
    assert b"Secret Name" not in everything
    assert b"Dear Ada" not in everything


def test_lovrs_manifest_counts_the_captions_of_each_run(project, talk):
    release = build(project)
    manifest = json.loads(written(release, "lovr")["manifest.json"])
    [run] = manifest["captions_by_run"]
    assert (run["model_id"], run["revision"], run["captions"]) == ("Qwen/Qwen2-VL", "abc123", 1)
    take(Caption.objects.get(text=CAPTION), "caption")
    assert "captions_by_run" not in json.loads(written(release, "lovr")["manifest.json"])


def test_a_release_states_the_weights_of_its_models_if_an_admin_does(project, talk):
    [spec] = ModelSpec.objects.filter(model_id="Qwen/Qwen2-VL")
    silent = build(project)
    assert "models" not in json.loads(written(silent, "native")["manifest.json"])
    spec.weights_license, spec.weights_sha256 = "Apache-2.0", "ab" * 32
    spec.save()
    last = Caption.objects.get(text="She stands.").clip
    machine_caption(last, "She sits.")  # or the release would have the same content
    release = build(project, "2.0.0")
    spec.weights_license = "changed since"
    spec.save()
    stated = {
        "model": spec.name,
        "model_id": "Qwen/Qwen2-VL",
        "revision": "abc123",
        "weights_license": "Apache-2.0",
        "weights_sha256": "ab" * 32,
    }
    for format_name in ("lovr", "native", "huggingface"):
        files = written(release, format_name)
        assert json.loads(files["manifest.json"])["models"] == [stated]
        assert "Qwen/Qwen2-VL abc123; license Apache-2.0; SHA" in files["README.md"].decode()
    spec.revision = "other weights"
    spec.save()
    machine_caption(last, "She lies.")
    later = json.loads(written(build(project, "3.0.0"), "lovr")["manifest.json"])
    assert "models" not in later


def test_a_verification_goes_with_the_caption_that_it_quotes(project, talk, ada):
    machine = Caption.objects.get(text=CAPTION)
    verify(
        hold_verification(make_person("Rita", project, "reviewer"), machine), machine, CORRECTIONS
    )
    rate(make_person("Uma", project, "reviewer"), Caption.objects.get(text="She stands."), 4)
    release = build(project)
    take(Caption.objects.get(text=CORRECTED), "caption")
    lines = tables(release)
    assert lines["verifications"] == []
    assert len(lines["ratings"]) == 1
    readme = written(release, "native")["README.md"].decode()
    assert "with a verdict on each sentence (0 lines)" in readme


@pytest.fixture
def dives(project, make_complete):
    return {name: make_complete(name) for name in ("dive", "jump", "swim")}


def test_carebench_has_sign_offs_and_the_picks_of_ended_tests(project, dives):
    eva, uma = make_person("Eva", project, "expert"), make_person("Uma", project, "reviewer")
    test = make_test(project, list(dives.values()))
    pick(uma, test, dives["dive"], dives["dive"])
    pick(uma, test, dives["jump"], dives["swim"])
    pick(uma, make_test(project, [dives["dive"]], ended=False), dives["dive"], dives["dive"])
    sign_off(eva, dives["dive"])
    sign_off(eva, dives["jump"], "split")
    release = build(project)
    sign_off(eva, dives["swim"])
    lines = tables(release)
    clips = {line["file_name"]: line for line in lines["clips"]}
    dive, jump, swim = (clips[f"videos/{name}.mp4"] for name in ("dive", "jump", "swim"))
    texts = ("caption", "spatial_caption", "temporal_caption")
    assert lines["sign_offs"] == [
        {**{name: clip[name] for name in texts}, "by": "signer-1", "verdict": verdict}
        for clip, verdict in ((dive, "agree"), (jump, "split"))
    ]
    assert dive["provenance"]["signed_off_by"] == ["signer-1"]
    picks = [(line["caption"], line["picked"], line["options"]) for line in lines["picks"]]
    assert picks == [
        (dive["spatial_caption"], dive["spatial_caption"], 3),
        (jump["spatial_caption"], swim["spatial_caption"], 3),
    ]
    assert {line["by"] for line in lines["picks"]} == {"reviewer-1"}
    take(dives["swim"], "clip")
    assert [line["picked"] for line in tables(release)["picks"]] == [dive["spatial_caption"], None]
    take(dives["dive"], "clip")
    lines = tables(release)
    assert [line["caption"] for line in lines["picks"]] == [jump["spatial_caption"]]
    assert [line["caption"] for line in lines["sign_offs"]] == [jump["caption"]]


def test_a_release_from_before_has_no_such_files_and_the_rows_of_others_never_change(
    project, dives
):
    sign_off(make_person("Eva", project, "expert"), dives["dive"])
    release = build(project)
    assert "sign_offs.jsonl" in written(release, "native")
    with pytest.raises(DatabaseError), transaction.atomic():
        release.records.update(file="picks")
    release.records.all().delete()
    files = written(fresh(release), "native")
    assert {name for name in files if name.endswith(".jsonl")} == {
        "clips.jsonl", "captions.jsonl", "scores.jsonl"
    }  # fmt: skip
    assert set(json.loads(files["schema.json"])["$defs"]) == {
        "clips.jsonl", "captions.jsonl", "scores.jsonl"
    }  # fmt: skip

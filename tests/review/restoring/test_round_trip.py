"""Export, import into another project with the same videos, export: the same bytes."""

import pytest
from django.core.management import CommandError, call_command

from annotate.models import ActionLabel, Caption, Clip, DynamicsVerdict, Project, SignOff
from annotate.text.words import count_words
from inference.models import QualityScore
from review.elements.models import Extraction
from review.identification.models import IdentifiedClip
from review.pairs.models import PairVerdict
from review.ratings.models import Rating
from review.releases.formats import export_release
from review.releases.services import build_release
from review.verification.models import MissingSegment, Verification
from tests.cast import make_person
from tests.hand_work import machine_caption
from tests.inference.cast import make_model
from tests.inference.scored import score, score_run
from tests.inference.segmented import segment
from tests.review.cast import complete, open_clip
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
from tests.review.releases.released_triplets import FORMULA, make_dives, make_set, query_of, verify
from tests.review.restoring.mirrors import mirror
from tests.review.verification.verifying import hold_verification
from tests.review.verification.verifying import verify as verify_caption

pytestmark = [pytest.mark.django_db]
# They say when and where a release was built, and by which keys its reports name clips.
ABOUT = {"README.md", "manifest.json", "SHA256SUMS", "verify.pyz"} | {
    "reports/names.jsonl",
    "reports/SHA256SUMS",
}
HOSTILE = 'She says "no",\n=1+1\t\x01\u2028, <b>\U0001f938</b> \\ {{x}}'


def carebench(project, make_playable_clip):
    anna, ben, emil = (
        make_person(name, project, role)
        for name, role in (("Anna", "annotator"), ("Ben", "annotator"), ("Emil", "expert"))
    )
    for name, category in (("äpfel", "Sports, Excercise"), ("ball", "Sports")):
        clip = open_clip(project, name, make=make_playable_clip, category=category)
        complete(project, clip, [ben, anna], emil)
    temporal = Caption.objects.filter(kind="temporal").first()
    Extraction.objects.create(
        caption=temporal, kind="events", elements=["she=1 turns"], method="x", author=anna
    )
    return project


def lovr(project, make_playable_clip):
    project.protocol = Project.Protocol.LOVR
    project.save()
    video = make_playable_clip(project, original_name="talk scene.mp4").video
    third = video.frames // 3
    segment(video, [0, third, 2 * third], min_video_seconds=0, min_clips=1)
    clips = list(video.clips.exclude(end_frame=video.frames, start_frame=0).order_by("start_frame"))
    first = machine_caption(clips[0], "Wrong.")
    text = Caption.objects.create(
        project=project, clip=clips[0], kind="general", source="corrected", text=HOSTILE,
        word_count=count_words(HOSTILE), provenance=[{"label": "Secret Name"}],
        spans=[{"text_start": 4, "text_end": 8, "start_frame": 1, "end_frame": 3}],
    )  # fmt: skip
    text.parents.add(first)
    last = Caption.objects.create(
        project=project, clip=clips[2], kind="general", source="machine", text="She stands.",
        word_count=2, provenance=made_by(caption_run(project)),
    )  # fmt: skip
    whole = Caption.objects.create(
        project=project, clip=video.clips.get(start_frame=0, end_frame=video.frames),
        kind="full_video", source="machine", text="Whole.", word_count=1,
        provenance=[{"model": "Fuser"}],
    )  # fmt: skip
    whole.parents.add(text, last)
    score(
        clips[0],
        0.1 + 0.2,
        score_run(project, make_model(project, backend="lexical")),
        caption=text,
    )
    return project


def tfcovr(project, make_playable_clip):
    dives = make_dives(make_playable_clip)
    triplets = make_set(dives, seed=7)
    ben, anna = (make_person(name, dives, "annotator") for name in ("Ben", "Anna"))
    query = triplets.queries.filter(split="test").order_by("pk").first()
    names = list(query.targets.values_list("target__name", flat=True))
    verify(ben, query, wrong=names[:1], corrected="turn =1 more")
    verify(anna, query, wrong=names[:1], corrected="turn =1 more")
    verify(anna, query_of(triplets, "clip-01"))
    pair = query.modification.pair
    PairVerdict.objects.create(pair=pair, label="Secret Name", kind="temporal")
    assert FORMULA in dives.triplet_sets.get().queries.values_list("modification__text", flat=True)
    return dives


def judge_carebench(project):
    clips = list(Clip.objects.filter(project=project).order_by("pk"))
    eva, enzo, uma = (
        make_person(name, project, role)
        for name, role in (("Eva", "expert"), ("Enzo", "expert"), ("Uma", "reviewer"))
    )
    for expert in (enzo, eva):
        sign_off(expert, clips[0])
    sign_off(eva, clips[1], "merge")
    test = make_test(project, clips)
    for clip in clips:
        pick(uma, test, clip, clips[0])


def judge_lovr(project):
    machine = Caption.objects.get(text="She stands.")
    rita, uma = (make_person(name, project, "reviewer") for name in ("Rita", "Uma"))
    find_dynamic(uma, machine.clip.video, is_dynamic=False)
    content = {"verdict-0": "A", "correction-0": "She sits. =1+1", "theme": "ok"}
    content |= {"span-0-start": "1", "span-0-end": "2"}
    verify_caption(hold_verification(rita, machine), machine, content)
    MissingSegment.objects.create(
        verification=machine.verifications.get(), place=1, text=HOSTILE, start_frame=0, end_frame=9
    )
    import_verdict("Secret Name", machine)
    rate(rita, Caption.objects.get(text=HOSTILE), 3)


# What imported judgments never become.
BY_PEOPLE = (Verification, Rating, SignOff, IdentifiedClip, DynamicsVerdict)
RECORDS = {
    "carebench": {"sign_offs.jsonl", "picks.jsonl"},
    "lovr": {"origins.jsonl", "verifications.jsonl", "ratings.jsonl", "dynamics.jsonl"},
}
JUDGES = {"carebench": judge_carebench, "lovr": judge_lovr}
MAKERS = {"carebench": carebench, "lovr": lovr, "tfcovr": tfcovr}


def exported(project, name, folder):
    """A new release in a format, as its files."""
    release = build_release(project=project, version="1.0.0", admin=None)
    export_release(release=release, format_name=name, target=folder)
    files = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
    return release, files


def take(project, name, folder):
    call_command("import_dataset", project.slug, folder, format=name, here=True)


@pytest.mark.parametrize(
    ("protocol", "name", "says_who"),
    [
        pytest.param("carebench", "carebench", False, marks=pytest.mark.one_database),
        ("lovr", "lovr", False),
        pytest.param("tfcovr", "tfcovr", True, marks=pytest.mark.one_database),
        ("tfcovr", "circo", True),
        ("carebench", "native", True),
        ("lovr", "native", True),
        pytest.param("tfcovr", "native", True, marks=pytest.mark.one_database),
    ],
)
def test_a_release_that_is_imported_and_released_again_has_the_same_bytes(
    project, make_playable_clip, tmp_path, capsys, protocol, name, says_who
):
    made = MAKERS[protocol](project, make_playable_clip)
    if name == "native" and protocol in JUDGES:
        JUDGES[protocol](made)
    first, files = exported(made, name, tmp_path / "first")
    by_people = [model.objects.count() for model in BY_PEOPLE]
    other = mirror(made, has_labels=name in ("tfcovr", "circo"))
    take(other, name, tmp_path / "first")
    second, again = exported(other, name, tmp_path / "second")
    # The table of what people judged is computed from their work, as a report is.
    kept = {path for path in files if not path.startswith("assessment.")}
    assert set(again) == kept
    assert {path for path in kept if files[path] != again[path]} <= ABOUT
    if name == "native":
        assert RECORDS.get(protocol, set()) <= kept
    assert [model.objects.count() for model in BY_PEOPLE] == by_people
    if name != "circo":
        assert second.content_hash == first.content_hash
    before = [model.objects.count() for model in (Caption, QualityScore, Clip, ActionLabel)]
    if says_who:
        call_command("import_dataset", other.slug, tmp_path / "first", format=name)
        assert "Nothing was changed" in capsys.readouterr().out
    assert before == [model.objects.count() for model in (Caption, QualityScore, Clip, ActionLabel)]


@pytest.mark.one_database
def test_clips_that_are_missing_are_named_with_how_their_video_was_segmented(
    project, make_playable_clip, tmp_path
):
    exported(lovr(project, make_playable_clip), "native", tmp_path / "first")
    other = mirror(project)
    Clip.objects.filter(project=other).exclude(start_frame=0).delete()
    with pytest.raises(CommandError) as refusal:
        call_command("import_dataset", other.slug, tmp_path / "first", format="native")
    settings = "min_video_seconds=0, threshold=34, min_scene_seconds=5, min_clips=1, downscale=3"
    assert "clips.jsonl, line 2, start_frame: " in str(refusal.value)
    assert f"Segment the video with {settings}." in str(refusal.value)
    Clip.objects.filter(project=other).delete()
    other.videos.all().delete()
    with pytest.raises(CommandError, match=r"videos\.jsonl, line 1, video_id: The project"):
        call_command("import_dataset", other.slug, tmp_path / "first", format="native")

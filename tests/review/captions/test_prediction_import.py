"""Captions of a model that ran elsewhere become a set of captions, or nothing is stored."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from annotate import bulk
from annotate.datasets.faults import Fault
from annotate.models import AuditEvent, Caption
from review.captions.exchange import PredictionsInvalid, import_predictions
from review.captions.models import CaptionSet, SetCaption
from review.errors import ReviewError
from review.frozen.models import Release, ReleasedClip
from tests.cast import NO_PROOF, make_clip, make_project, make_video
from tests.review.comparisons.comparing import make_set, predict

pytestmark = pytest.mark.django_db


def jsonl(*rows) -> io.BytesIO:
    return io.BytesIO("\n".join(json.dumps(row) for row in rows).encode())


def about(*names, text="A heron.") -> io.BytesIO:
    return jsonl(*({"clip": name, "caption": text} for name in names))


def import_file(project, file, name="Heron", **options):
    options = {"file_name": "heron.jsonl", "admin": None, **options}
    return import_predictions(project=project, file=file, name=name, **options)


def faults_of(project, file, **options):
    """Return the faults of a refused import, which must store nothing."""
    before = (CaptionSet.objects.count(), Caption.objects.count(), AuditEvent.objects.count())
    with pytest.raises(PredictionsInvalid) as refused:
        import_file(project, file, **options)
    now = (CaptionSet.objects.count(), Caption.objects.count(), AuditEvent.objects.count())
    assert now == before
    return [str(fault) for fault in refused.value.faults]


@pytest.fixture
def clips(project):
    return [make_clip(project, original_name=f"{name}.mp4") for name in ("dive", "jump", "v.2")]


def released(project, *clips) -> Release:
    release = Release.objects.create(
        project=project,
        version="1.0.0",
        content_hash="0" * 64,
        clip_count=len(clips),
        proof=NO_PROOF,
    )
    for clip in clips:
        text = predict(clip, "A dive.")
        ReleasedClip.objects.create(
            release=release, clip=clip, file_name=f"{clip.name}.mp4",
            caption=text, spatial_caption=text, temporal_caption=text,
        )  # fmt: skip
    return release


def test_each_row_becomes_a_prediction_of_the_set(project, clips, ada):
    dive, jump, dotted = clips
    file = jsonl(
        {"video": "dive.mp4", "caption": "A heron\n dives."},
        {"path": "some/folder/jump.mp4", "cap": "It jumps."},
        {"vid": "v.2", "pred": "Nothing."},
    )
    made = import_file(project, file, " Heron  7B ", admin=ada)
    assert (made.name, made.kind, made.file_name) == ("Heron 7B", "general", "heron.jsonl")
    assert (len(made.sha256), made.run, made.created_by) == (64, None, ada)
    stored = SetCaption.objects.filter(caption_set=made).select_related("caption")
    assert [(each.clip, each.caption.text, each.caption.word_count) for each in stored] == [
        (dive, "A heron\n dives.", 3),
        (jump, "It jumps.", 2),
        (dotted, "Nothing.", 1),
    ]
    caption = stored[0].caption
    assert (caption.kind, caption.source, caption.clip) == ("prediction", "imported", dive)
    assert (caption.provenance, caption.written_by) == ([{"model": "Heron 7B"}], "Heron 7B")
    assert AuditEvent.objects.get(verb="add caption set").after["captions"] == 3


def test_all_faults_are_listed_and_nothing_is_stored(project, clips):
    make_clip(make_project("Other"), original_name="elsewhere.mp4")
    file = jsonl(
        {"clip": "dive", "caption": "A."},
        {"clip": "heron", "caption": "A."},
        {"video": "dive.mp4", "caption": "B."},
        {"clip": "jump", "caption": " "},
        {"clip": "elsewhere", "caption": "A."},
        {"clip": "<b>\ud800", "caption": "A."},
    )
    unknown = "Correct its name, or import its video first."
    assert faults_of(project, file) == [
        f"heron.jsonl, line 2, clip: The project has no clip 'heron'. {unknown}",
        "heron.jsonl, line 3, video: 'dive.mp4' already has a caption, at line 1. Keep one.",
        "heron.jsonl, line 4, caption: It is empty. Remove the row if there is no text.",
        f"heron.jsonl, line 5, clip: The project has no clip 'elsewhere'. {unknown}",
        f"heron.jsonl, line 6, clip: The project has no clip '<b>\\ud800'. {unknown}",
    ]


def test_a_fault_after_stored_rows_undoes_the_import(project, clips, monkeypatch):
    monkeypatch.setattr(bulk, "BATCH_SIZE", 1)
    assert len(faults_of(project, about("dive", "jump", "heron"))) == 1
    assert import_file(project, about("dive", "jump", "v.2")).captions.count() == 3


def test_rows_with_an_error_are_left_out_if_the_admin_chooses_so(project, clips):
    left_out = []
    made = import_file(project, about("dive", "heron", "dive", "jump"), left_out=left_out)
    assert made.captions.count() == made.clip_count == 2
    assert [fault.row for fault in left_out] == ["line 2", "line 3"]


def test_a_file_without_a_good_row_is_refused(project, clips):
    assert len(faults_of(project, about("heron", "egret"), left_out=[])) == 2


def test_only_the_first_faults_are_shown_with_how_many_there_are(project):
    with pytest.raises(PredictionsInvalid) as refused:
        import_file(project, about(*(f"heron-{number}" for number in range(70))))
    assert len(refused.value.listed_faults) == 50
    assert (
        str(refused.value)
        == "Nothing was imported: 70 problems in the file. Fix them and import it again."
    )


def test_where_reading_stopped_it_says_that_there_may_be_more(project):
    with pytest.raises(PredictionsInvalid, match="at least 1,000 problems"):
        import_file(project, about(*map(str, range(2000))))


def test_the_same_file_under_the_same_name_is_refused(project, clips):
    import_file(project, about("dive"))
    with pytest.raises(
        ReviewError, match=r"This file was already imported as “Heron” on .* Nothing"
    ):
        import_file(project, about("dive"), "heron ")
    assert Caption.objects.count() == 1


def test_another_file_needs_another_name(project, clips):
    import_file(project, about("dive"))
    with pytest.raises(ReviewError, match=r"The name “Heron” is already taken\."):
        import_file(project, about("jump"))
    assert import_file(project, about("dive"), "Egret").captions.count() == 1


def test_an_unknown_kind_is_refused(project, clips):
    with pytest.raises(ReviewError, match="“prediction” is not one of general, spatial"):
        import_file(project, about("dive"), kind="prediction")


def test_only_clips_of_the_release_are_accepted(project, clips):
    release = released(project, clips[0])
    assert faults_of(project, about("dive", "jump"), release=release) == [
        "heron.jsonl, line 2, clip: Release 1.0.0 does not contain 'jump'. Remove the row."
    ]
    made = import_file(project, about("dive"), release=release)
    assert made.captions.get().caption.provenance == [{"model": "Heron", "release": "1.0.0"}]


def test_captions_of_whole_videos_are_about_clips_that_span_theirs(project):
    video = make_video(project, original_name="race.mp4")
    part = make_clip(project, video=video, end_frame=100)
    [fault] = faults_of(project, about("race", part.name), kind="full_video")
    assert fault.endswith(
        "is only a part of a video. Name a clip that spans its video, or choose another kind."
    )
    assert import_file(project, about("race"), kind="full_video").kind == "full_video"


def test_a_clip_is_known_by_the_name_of_its_file_where_that_is_unambiguous(project):
    for number, original in enumerate(("my dive.mp4", "two.mp4", "two.mov")):
        clip = make_video(project, original_name=original).clips.get()
        clip.name = f"clip-{number}"
        clip.save()
    made = import_file(project, about("my dive.mp4"))
    assert made.captions.get().clip.name == "clip-0"
    assert import_file(project, about("two.mov"), name="Crane").captions.get().clip.name == "clip-2"
    assert faults_of(project, about("two"), name="Egret") == [
        "heron.jsonl, line 1, clip: The file name 'two' belongs to the clips clip-1 and clip-2. "
        "Give the name of the clip, without a suffix."
    ]


def test_the_name_of_a_clip_comes_before_that_of_a_file(project):
    other = make_video(project, original_name="jump.mp4").clips.get()
    other.name = "first"
    other.save()
    clip = make_video(project, original_name="b.mp4").clips.get()
    clip.name = "jump"
    clip.save()
    assert import_file(project, about("jump")).captions.get().clip == clip
    [fault] = faults_of(project, about("jump.mp4"), name="Egret")
    assert "'jump.mp4' belongs to the clips first and jump." in fault
    release = released(project, clip)
    made = import_file(project, about("jump.mp4"), name="Egret", release=release)
    assert made.captions.get().clip == clip


def test_the_number_of_statements_follows_the_batches_alone(project, django_assert_max_num_queries):
    clips = [make_clip(project) for _ in range(40)]
    with django_assert_max_num_queries(20):
        import_file(project, about(*(clip.name for clip in clips)))


def command(*arguments) -> str:
    out = io.StringIO()
    call_command("import_predictions", *arguments, stdout=out)
    return out.getvalue()


def test_the_command_imports_a_file(project, clips, tmp_path):
    release = released(project, *clips)
    file = tmp_path / "egret.jsonl"
    file.write_bytes(about("dive", "jump").read())
    output = command(
        project.slug, str(file), "--name", "Egret", "--kind", "spatial", "--release", "1.0.0"
    )
    assert output == "Imported 2 captions of Egret.\n"
    made = CaptionSet.objects.get()
    assert (made.kind, made.file_name, release.version) == ("spatial", "egret.jsonl", "1.0.0")


@pytest.mark.parametrize(
    ("content", "arguments", "message"),
    [
        ("{}", [], "line 1, clip: It is missing."),
        ("", [], "The file is empty."),
        (None, [], "can't be read"),
        ("{}", ["--release", "9.9.9"], "has no release 9.9.9. It has: 1.0.0."),
    ],
)
def test_the_command_says_what_to_fix(project, clips, tmp_path, content, arguments, message):
    released(project)
    file = tmp_path / "egret.jsonl"
    if content is not None:
        file.write_text(content)
    with pytest.raises(CommandError) as refused:
        command(project.slug, str(file), "--name", "Egret", *arguments)
    assert message in str(refused.value)


def test_a_set_from_another_source_keeps_its_name(project, clips):
    make_set(project, "Heron", clips)
    with pytest.raises(ReviewError, match=r"The name “Heron” is already taken\."):
        import_file(project, about("dive"))


def test_faults_are_in_the_order_of_the_file():
    rows = ["line 10", "", "line 2", "line 10"]
    faults = [
        Fault("a.jsonl", row, field, "Fix it.") for row, field in zip(rows, "abcd", strict=True)
    ]
    assert [fault.field for fault in PredictionsInvalid(faults).faults] == ["b", "c", "a", "d"]


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ({"prompt": "x" * 8001}, "The prompt has 8,001 characters. Shorten it to 8,000."),
        ({"frames": "x" * 201}, "Describe the frames in at most 100 characters."),
        ({"theme": "maybe"},
         "Set the theme to “told”, “not_told” or “no_model”, or leave it out."),
    ],
)  # fmt: skip
def test_a_statement_about_the_model_is_refused(project, clips, statement, message):
    with pytest.raises(ReviewError) as refused:
        import_file(project, about("dive"), **statement)
    assert str(refused.value) == message
    assert not CaptionSet.objects.exists()


def test_reading_ends_after_the_most_faults_that_are_listed(project, clips, monkeypatch):
    monkeypatch.setattr("review.captions.predictions.MAX_FAULTS", 2)
    assert len(faults_of(project, about("a", "b", "c", "d"))) == 2

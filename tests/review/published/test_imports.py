"""Importing human captions, what they change, and removing them."""

import json

import pytest
from django.core.management import CommandError, call_command

from annotate.corpus.precedence import current_caption
from annotate.corpus.services.precedence import make_current
from annotate.datasets.faults import Fault
from annotate.models import AuditEvent, Caption, Video, WorkItem
from annotate.models.jobs import Job
from inference.models import ModelSpec
from review.captions.references import further_references, human_references
from review.elements.models import Extraction
from review.elements.queries import lists_of
from review.errors import ReviewError
from review.published import jobs
from review.published.models import HumanImport
from review.published.plan import PublishedInvalid
from review.published.services import remove_import
from review.releases.services import build_release
from tests.cast import make_project, make_video
from tests.hand_work import machine_caption
from tests.review.cast import complete, merge, open_clip, split, write
from tests.review.published.publishing import as_json, carebench_row, check, import_captions
from tests.review.releases.test_build_release import content

pytestmark = pytest.mark.django_db


@pytest.fixture
def clip(project):
    return open_clip(project, "dive", category="", subcategory="")


def texts(project, kind):
    keys = human_references(project, kind)
    return {Caption.objects.get(pk=key).text for key in keys.values()}


def test_all_three_texts_become_the_clips_human_captions(project, clip):
    row = carebench_row("dive")
    human_import = import_captions(project, as_json(row))
    for kind, field in (
        ("general", "caption"),
        ("spatial", "spatial_caption"),
        ("temporal", "temporal_caption"),
    ):
        caption = current_caption(clip, kind)
        assert (caption.text, caption.source, caption.author) == (row[field], "published", None)
        assert caption.written_by == "Imported from CaReBench v1"
        assert texts(project, kind) == {row[field]}
    clip.video.refresh_from_db()
    assert (clip.video.category, clip.video.subcategory) == ("Sports", "Diving")
    event = AuditEvent.objects.get(verb="import human captions")
    assert (event.object_id, event.after["general"]) == (human_import.pk, 1)


def test_nobody_is_asked_to_write_what_nobody_has_begun(project, clip, anna):
    begun = open_clip(project, "begun")
    write(project, begun, anna)
    checked = check(project, as_json(carebench_row("dive"), carebench_row("begun")))
    assert (checked.preview["withdrawn"], checked.preview["begun"]) == (1, 1)
    import_captions(project, as_json(carebench_row("dive"), carebench_row("begun")))
    assert list(WorkItem.objects.filter(kind="write").values_list("clip", flat=True)) == [begun.pk]


def test_human_work_stays(project, anna, ben, emil):
    done = complete(project, open_clip(project, "dive"), [anna, ben], emil)
    before = list(Caption.objects.order_by("pk").values_list("pk", flat=True))
    human_import = import_captions(project, as_json(carebench_row("dive")))
    assert human_import.preview["kept"] == 3
    assert list(Caption.objects.order_by("pk").values_list("pk", flat=True)) == before
    assert current_caption(done).source == "merged"


def test_what_people_merge_later_replaces_an_imported_caption(project, anna, ben, emil):
    clip = open_clip(project, "dive")
    write(project, clip, anna)
    import_captions(project, as_json(carebench_row("dive")))
    assert current_caption(clip).source == "published"
    write(project, clip, ben)
    merge(project, clip, emil)
    split(project, clip, anna)
    assert [current_caption(clip, kind).source for kind in ("general", "spatial")] == [
        "merged",
        "human",
    ]


def test_it_replaces_a_machine_caption_but_not_one_that_an_admin_chose(project, clip, ada):
    other = open_clip(project, "other")
    machine_caption(clip, "A machine’s.")
    first, _ = machine_caption(other, "Chosen."), machine_caption(other, "Newer.")
    make_current(caption_id=first.pk, clip=other, admin=ada)
    human_import = import_captions(project, as_json(carebench_row("dive"), carebench_row("other")))
    assert (human_import.preview["replaced"], human_import.preview["chosen"]) == (1, 1)
    assert current_caption(clip).source == "published"
    assert current_caption(other) == first


def test_several_texts_of_a_clip_are_references_and_the_first_is_its_caption(project, clip):
    rows = [{"video": "dive", "caption": text} for text in ("One.", "Two.", "Three.")]
    import_captions(project, as_json(*rows))
    assert current_caption(clip).text == "One."
    references = human_references(project, "general")
    further = further_references(project, references)
    assert [Caption.objects.get(pk=key).text for key in further[clip.pk]] == ["Two.", "Three."]


def test_several_texts_can_be_joined_into_a_paragraph(project, clip):
    rows = [{"video": "dive.avi", "description": text} for text in ("One.", "Two.")]
    import_captions(project, as_json(*rows), joins=True)
    assert current_caption(clip).text == "One. Two."
    assert Caption.objects.count() == 1


def test_lists_belong_to_the_captions_that_capst_takes_them_from(project, clip):
    row = carebench_row("dive", events=["a diver jumps"], objects=["a diver"])
    import_captions(project, as_json(row))
    lists = {
        (extraction.caption.kind, extraction.kind, extraction.most_elements): (
            extraction.elements,
            extraction.is_checked,
        )
        for extraction in Extraction.objects.select_related("caption")
    }
    assert lists == {
        ("general", "events", 10): (["a diver jumps"], True),
        ("temporal", "events", None): (["a diver jumps"], True),
        ("general", "objects", 10): (["a diver"], True),
        ("spatial", "objects", None): (["a diver"], True),
    }
    assert set(lists_of(current_caption(clip))) == {"events", "objects"}


def span(start, end, first=0, after=2):
    return {"text_start": start, "text_end": end, "start_frame": first, "end_frame": after}


def test_sentences_keep_their_times(project, clip):
    spans = {
        "caption_spans": [span(0, 7), span(8, 13, 1, 9)],
        "spatial_caption_spans": None,
        "temporal_caption_spans": [span(0, 8)],
    }
    import_captions(project, as_json(carebench_row("dive", **spans)))
    stored = dict(Caption.objects.values_list("kind", "spans"))
    assert stored == {
        "general": spans["caption_spans"],
        "spatial": None,
        "temporal": spans["temporal_caption_spans"],
    }


@pytest.mark.parametrize(
    ("spans", "reason"),
    [
        (1, "must be a list of objects"),
        ([span(0, 3) | {"end_frame": 2.5}], "must be a list of objects"),
        ([span(0, 3) | {"more": 1}], "must be a list of objects"),
        ([span(0, 3) | {"end_frame": True}], "must be a list of objects"),
        ([span(0, 3), span(2, 5)], "in its order"),
        ([span(0, 1_000)], "in its order"),
        ([span(0, 3, 2, 2)], "must come before end_frame"),
        ([span(0, 3, 0, 100_000)], "end_frame is 100,000, but the clip has"),
    ],
)
def test_times_that_no_text_has_are_refused(project, clip, spans, reason):
    with pytest.raises(PublishedInvalid) as error:
        check(project, as_json(carebench_row("dive", caption_spans=spans)))
    [fault] = error.value.faults
    assert reason in fault.mend
    assert not HumanImport.objects.exists()


def test_a_text_with_times_has_no_space_at_its_ends(project, clip):
    row = carebench_row("dive", caption_spans=[span(0, 3)])
    with pytest.raises(PublishedInvalid) as error:
        check(project, as_json(row | {"caption": f" {row['caption']}"}))
    [fault] = error.value.faults
    assert fault.mend == "The text begins or ends with a space. Remove it from both."


def test_a_file_of_other_videos_says_so(project, clip):
    with pytest.raises(ReviewError) as refused:
        check(project, as_json(carebench_row("nowhere")), leaves_out=True)
    assert str(refused.value) == (
        "No row is about a video of the project. Import the videos first; their file names must be "
        "those of the file."
    )


def test_a_file_name_of_several_videos_is_refused_and_a_clips_name_is_not(project, clip):
    second, third = open_clip(project, "dive-2"), open_clip(project, "dive-3")
    Video.objects.filter(pk=second.video_id).update(original_name="dive.mp4")
    Video.objects.filter(pk=third.video_id).update(original_name="dive.mov")
    row = carebench_row("dive")
    for video, clips in (
        ("dive.mp4", "dive and dive-2"),
        ("videos/dive.mp4", "dive and dive-2 and dive-3"),
        ("dive.avi", "dive and dive-2 and dive-3"),
    ):
        with pytest.raises(PublishedInvalid) as error:
            check(project, as_json(row | {"video": video}))
        assert [fault.mend for fault in error.value.faults] == [
            f"The file name '{video}' belongs to the clips {clips}. Give the name of the clip, "
            "without a suffix."
        ]
    import_captions(project, as_json(row | {"video": "dive-2"}), name="Second")
    import_captions(project, as_json(row | {"video": "dive"}), name="First")
    assert set(Caption.objects.values_list("clip", flat=True)) == {clip.pk, second.pk}


def test_nothing_is_stored_unless_every_row_is_good(project, clip):
    rows = [carebench_row("dive"), carebench_row("dive"), carebench_row("nowhere")]
    with pytest.raises(PublishedInvalid) as error:
        check(project, as_json(*rows))
    assert [(fault.row, fault.field) for fault in error.value.faults] == [
        ("entry 2", "video"),
        ("entry 3", "video"),
    ]
    assert not HumanImport.objects.exists()
    human_import = import_captions(project, as_json(rows[0], rows[2]), leaves_out=True)
    assert (human_import.preview["clips"], human_import.preview["left_out"]) == (1, 1)


def test_a_name_is_imported_once(project, clip):
    import_captions(project, as_json(carebench_row("dive")))
    with pytest.raises(ReviewError, match="Captions of “carebench V1” were imported already"):
        check(project, as_json(carebench_row("dive")), name="carebench V1")


def test_an_import_is_removed_while_nothing_builds_on_it(project, clip, ada):
    machine = machine_caption(clip, "A machine’s.")
    row = carebench_row("dive", events=["a diver jumps"])
    human_import = import_captions(project, as_json(row))
    assert remove_import(human_import=human_import, admin=ada) == 3
    assert list(Caption.objects.all()) == [machine]
    assert not HumanImport.objects.exists()
    assert WorkItem.objects.filter(clip=clip, kind="write").exists()
    assert AuditEvent.objects.get(verb="remove human captions").before["captions"] == 3


def test_an_import_stays_where_a_release_has_it(project, make_playable_clip, ada):
    make_playable_clip(project, original_name="dive.mp4")
    human_import = import_captions(project, as_json(carebench_row("dive")))
    build_release(project=project, version="0.1.0", admin=ada)
    with pytest.raises(ReviewError, match="used by 3 released clips"):
        remove_import(human_import=human_import, admin=ada)
    assert Caption.objects.count() == 3


def test_checked_lists_are_in_a_release(project, make_playable_clip):
    make_playable_clip(project, original_name="dive.mp4")
    row = carebench_row("dive", events=["a diver jumps"], objects=["a diver", "a pool"])
    import_captions(project, as_json(row))
    release = build_release(project=project, version="0.1.0", admin=None)
    assert json.loads(content(release)) == [row]
    temporal = Caption.objects.get(kind="temporal")
    Extraction.objects.create(
        caption=temporal, kind="events", elements=["newer"], recipe="f" * 64, method="A model",
        model=ModelSpec.objects.create(project=project, name="Other", backend="lexical"),
    )  # fmt: skip
    release = build_release(project=project, version="0.1.1", admin=None)
    assert json.loads(content(release)) == [row], "nobody has checked the model's list"


def test_a_release_imported_elsewhere_gives_the_same_release(
    project, make_playable_clip, anna, ben, emil
):
    for name in ("a", "b"):
        complete(project, open_clip(project, name, make=make_playable_clip), [anna, ben], emil)
    first = content(build_release(project=project, version="0.1.0", admin=None))
    other = make_project("Other")
    for name in ("a", "b"):
        make_playable_clip(other, original_name=f"{name}.mp4", category="", subcategory="")
    import_captions(other, first)
    release = build_release(project=other, version="0.1.0", admin=None)
    assert content(release) == first
    provenance = release.clips.first().provenance
    assert provenance["captions_from"] == "CaReBench v1"
    assert "written_by" not in provenance


def test_the_command_previews_and_imports(project, clip, tmp_path, capsys):
    file = tmp_path / "metadata.json"
    file.write_bytes(as_json(carebench_row("dive")))
    call_command("import_human_captions", project.slug, file, name="CaReBench v1", preview=True)
    assert "1 general captions" in capsys.readouterr().out
    assert not Caption.objects.exists()
    call_command("import_human_captions", project.slug, file, name="CaReBench v1")
    assert Caption.objects.count() == 3
    call_command("import_human_captions", project.slug, file, name="CaReBench v1")
    assert "imported already as CaReBench v1" in capsys.readouterr().out
    assert Caption.objects.count() == 3
    file.write_text(json.dumps([{"video": "nowhere", "caption": "A."}]))
    with pytest.raises(CommandError, match="entry 1, video: The project has no video 'nowhere'"):
        call_command("import_human_captions", project.slug, file, name="Other")


def test_the_command_lists_what_its_job_refuses(project, clip, tmp_path, monkeypatch, capsys):
    def refuse(**how):
        raise PublishedInvalid([Fault("metadata.json", "entry 1", "video", "It is gone.")])

    monkeypatch.setattr(jobs, "import_checked", refuse)
    file = tmp_path / "metadata.json"
    file.write_bytes(as_json(carebench_row("dive")))
    with pytest.raises(CommandError, match="1 problem in the file") as refusal:
        call_command("import_human_captions", project.slug, file, "--here", name="CaReBench v1")
    assert refusal.value.returncode == 1
    assert capsys.readouterr().err == "metadata.json, entry 1, video: It is gone.\n"
    assert Job.objects.get().state == "failed"


def test_only_its_own_projects_clips_are_named(project, clip):
    make_video(make_project("Other"), original_name="elsewhere.mp4")
    with pytest.raises(PublishedInvalid):
        check(project, as_json(carebench_row("elsewhere")))

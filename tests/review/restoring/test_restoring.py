"""Bringing a release back: what it refuses, what it leaves out, and its page."""

import io
import json
import zipfile
from hashlib import sha256

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotate.corpus.precedence import current_caption
from annotate.jobs.services.working import work_on
from annotate.models import Caption, Job, WorkItem
from review.errors import ReviewError
from review.restoring.services import ReleaseInvalid, RestoreOptions, import_release
from tests.cast import client_of, make_project
from tests.hand_work import machine_caption
from tests.review.cast import complete, open_clip

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def caption(number, kind="general", source="merged", **fields):
    return {
        "id": number, "kind": kind, "source": source, "text": f"Text {number}.", "words": 2,
        "parts": {}, "model": None, "data_set": None, "author": "person-2", "parents": [],
        "is_released": True, **fields,
    }  # fmt: skip


def clip(name, first, **fields):
    return {
        "file_name": f"videos/{name}.mp4", "size": 1, "sha256": sha256().hexdigest(),
        "category": "Sports, Excercise", "subcategory": "dive", "caption": first,
        "spatial_caption": first + 1, "temporal_caption": first + 2, "events": None,
        "objects": ["a pool"], "provenance": {}, **fields,
    }  # fmt: skip


def texts(first):
    parents = {"source": "human", "parents": [first]}
    return [caption(first), caption(first + 1, "spatial", **parents),
            caption(first + 2, "temporal", **parents)]  # fmt: skip


def rating(**fields):
    return {"caption": 1, "by": "reviewer-1", "study": 1, "value": 3, **fields}


def chosen(**fields):
    return {"caption": 2, "by": "reviewer-1", "test": 1, "options": 4, "picked": 2, **fields}


def verification(**fields):
    sentence = {
        "number": 0, "start": 0, "end": 6, "types": "A", "correction": "", "is_deleted": True,
        "start_frame": None, "end_frame": None, **fields,
    }  # fmt: skip
    return {
        "caption": 1, "by": "reviewer-1", "corrected": None, "splitter": "lines",
        "fits_theme": True, "sentences": [sentence], "missing": [],
    }  # fmt: skip


def span(text_start, text_end, start_frame, end_frame):
    return {
        "text_start": text_start, "text_end": text_end,
        "start_frame": start_frame, "end_frame": end_frame,
    }  # fmt: skip


def lines(rows):
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def release(*names, **files):
    """A release of these clips."""
    listed = [clip(name, 3 * number + 1) for number, name in enumerate(names)]
    written = [text for row in listed for text in texts(row["caption"])]
    members = {
        "manifest.json": json.dumps({"project": "Dives", "version": "1.0.0"}).encode(),
        "clips.jsonl": lines(listed),
        "captions.jsonl": lines(written),
        "scores.jsonl": b"",
    }
    return members | {name.replace("__", "."): data for name, data in files.items()}


def zipped(members, top="dives-1.0.0/"):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(top + name, content)
    data.seek(0)
    return data


def bring(project, members, *, is_dry=False, **options):
    return import_release(
        project=project,
        file=zipped(members),
        file_name="dives.zip",
        format="native",
        options=RestoreOptions(**options),
        admin=None,
        is_dry=is_dry,
    )


def test_a_preview_stores_nothing_and_a_second_import_changes_nothing(project):
    dive = open_clip(project, "dive", category="", subcategory="")
    machine_caption(dive, "A machine’s.")
    members = release("dive")
    assert "3 captions of 1 clip." in bring(project, members, is_dry=True).sentence
    assert Caption.objects.count() == 1
    bring(project, members)
    assert current_caption(dive).text == "Text 1."
    assert current_caption(dive).written_by == "person-2"
    dive.video.refresh_from_db()
    assert dive.video.category == "Sports, Excercise"
    assert not WorkItem.objects.filter(kind="write").exists()
    assert "Nothing was changed" in bring(project, members | {"README.md": b"x"}).sentence
    assert Caption.objects.count() == 4


def test_the_command_says_how_the_videos_are_imported_with_it(project, tmp_path):
    path = tmp_path / "dives.zip"
    path.write_bytes(zipped(release("dive")).getvalue())
    with pytest.raises(CommandError, match="add --videos FOLDER") as refused:
        call_command("import_dataset", project.slug, path, format="native")
    assert "no clip 'dive'" in str(refused.value)


def test_nobodys_text_is_replaced(project, anna, ben, emil):
    done = complete(project, open_clip(project, "dive"), [anna, ben], emil)
    other = open_clip(project, "other")
    members = release("dive", "other", "nowhere")
    with pytest.raises(ReleaseInvalid) as error:
        bring(project, members)
    assert [(fault.row, fault.field) for fault in error.value.faults] == [
        ("line 3", "file_name"),
        ("line 1", "clip"),
    ]
    assert current_caption(other) is None
    restored = bring(project, members, skips_bad=True)
    assert restored.sentence.startswith("Imported 3 captions of 1 clip. 2 with an error were left")
    assert len(restored.skipped) == 2
    assert current_caption(done).source == "merged"
    assert current_caption(done).author == emil
    assert current_caption(other).text == "Text 4."


def test_a_release_of_another_protocol_is_refused():
    with pytest.raises(ReviewError, match="follows CaReBench"):
        bring(make_project(protocol="lovr"), release("dive"))
    with pytest.raises(ReviewError, match="and a TF-CoVR project has none"):
        bring(make_project("Gym", protocol="tfcovr"), release("dive"))


@pytest.mark.parametrize(
    ("name", "data", "refusal"),
    [
        ("captions__jsonl", lines([caption(1), caption(1)]), "line 2: id 1 is at line 1 already"),
        ("captions__jsonl", lines([caption(2)]), "line 1: id is 2; it must be 1"),
        ("captions__jsonl", lines([caption(1, parents=[1])]), "caption 1 must come before"),
        ("captions__jsonl", lines([caption(1, words="2")]), "line 1: words: Expected `int`"),
        ("captions__jsonl", lines([caption(1, more=1)]), "contains unknown field `more`"),
        ("captions__jsonl", lines([caption(1, text="a\ud800")]), "text contains a character"),
        ("captions__jsonl", lines([caption(1, author="Anna")]), "author: Expected `str` matching"),
        ("captions__jsonl", lines([caption(1, spans=[span(0, 99, 0, 1)])]), "a part of the text"),
        ("captions__jsonl", lines([caption(1, spans=[span(0, 4, 5, 5)])]), "must come before end"),
        ("captions__jsonl", lines([caption(1, spans=[span(0, 4, -1, 5)])]), "Expected `int` >= 0"),
        ("captions__jsonl", lines([caption(1, spans=[span(0, 4, 0, 9**9)]), *texts(1)[1:]]),
         "Nothing was imported: 1 problem"),
        ("clips__jsonl", lines([clip("dive", 7)]), "Nothing was imported: 1 problem"),
        ("scores__jsonl", b'{"caption": 9, "scorer": "a", "scorer_name": "a", "value": 1.5}\n',
         "scores.jsonl, line 1: caption: there is no caption 9"),
        ("scores__jsonl", b'{"caption": 1, "scorer": "a", "scorer_name": "a", "value": NaN}\n',
         "scores.jsonl, line 1: NaN is not a number"),
        ("ratings__jsonl", lines([rating(caption=9)]), "line 1: caption: there is no caption 9"),
        ("ratings__jsonl", lines([rating(value=6)]), "line 1: value: Expected `int` <= 5"),
        ("ratings__jsonl", lines([rating(by="Anna")]), "line 1: by: Expected `str` matching"),
        ("picks__jsonl", lines([chosen(options=0)]), "line 1: options: Expected `int` >= 2"),
        ("picks__jsonl", lines([chosen(picked=9)]), "line 1: picked: there is no caption 9"),
        ("verifications__jsonl", lines([verification(types="E")]), "types 'E' must be such as A"),
        ("verifications__jsonl", lines([verification(number=1)]), "number is 1; it must be 0"),
        ("sign_offs__jsonl", b"[]\n", "sign_offs.jsonl, line 1: it must be an object"),
        ("dynamics__jsonl", lines([{"video_id": "talk"}]), "missing required field `by`"),
    ],
)  # fmt: skip
def test_a_wrong_line_is_named_and_nothing_is_stored(project, name, data, refusal):
    open_clip(project, "dive")
    with pytest.raises(ReviewError) as error:
        bring(project, release("dive", **{name: data}))
    assert refusal in str(error.value)
    assert not Caption.objects.exists()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"clips.jsonl": b""}, "The release has no clip. Nothing to import."),
        ({"clips.jsonl": None},
         "dives.zip has no clips.jsonl. Choose the ZIP of a release in the format Vericap. To "
         "import captions alone, use Human captions (import_human_captions)."),
        ({"captions.jsonl": lines([caption(1), caption(2, parents=[1, 1])])},
         "captions.jsonl, line 2: parents names a caption twice. Keep one."),
        ({"captions.jsonl": lines([caption(2), caption(1)]), "TOMBSTONES": b'{"items": [1]}'},
         "captions.jsonl, line 2: id is 1; it must be more than 2."),
        ({"captions.jsonl": lines([caption(1, parts={"a\0": "b"})])},
         "captions.jsonl, line 1: a key contains a character that can’t be stored."),
    ],
)  # fmt: skip
def test_each_refusal_says_what_to_do(project, changed, message):
    open_clip(project, "dive")
    members = {name: data for name, data in (release("dive") | changed).items() if data is not None}
    with pytest.raises(ReviewError) as refused:
        bring(project, members)
    assert str(refused.value) == message
    assert not Caption.objects.exists()


def test_two_clips_with_the_same_captions_are_refused(project):
    open_clip(project, "dive"), open_clip(project, "other")
    shared = lines([clip("dive", 1), clip("other", 1)])
    with pytest.raises(ReleaseInvalid) as error:
        bring(project, release("dive", "other", clips__jsonl=shared))
    assert [(fault.row, fault.field, fault.mend) for fault in error.value.faults] == [
        ("line 2", "caption", f"Caption {number} also belongs to another clip. Give it one.")
        for number in (1, 2, 3)
    ]


def test_captions_of_clips_that_the_release_leaves_out_are_counted(project):
    open_clip(project, "dive")
    written = lines([*texts(1), caption(4)])
    members = release("dive", captions__jsonl=written)
    del members["manifest.json"], members["scores.jsonl"]
    assert bring(project, members).sentence == (
        "Imported 3 captions of 1 clip. Not imported: 1 caption of clips that the release leaves "
        "out."
    )


def test_a_worker_imports_what_the_page_takes(project, ada, anna):
    open_clip(project, "dive")
    page = reverse("review:import_release", args=[project.slug])
    client = client_of(ada)
    upload = SimpleUploadedFile("dives.zip", zipped(release("dive", "nowhere")).read())
    assert client.post(page, {"format": "native", "file": upload}).status_code == 302
    work_on(job_id=Job.objects.get().pk)
    answer = client.get(page)
    assert "The project has no clip &#x27;nowhere&#x27;" in answer.text
    assert "A worker imports" not in answer.text
    upload = SimpleUploadedFile("dives.zip", zipped(release("dive", "nowhere")).read())
    client.post(page, {"format": "native", "file": upload, "skips_bad": "on"})
    work_on(job_id=Job.objects.latest("pk").pk)
    assert "Imported 3 captions of 1 clip. 1 with an error was left out." in client.get(page).text
    assert client.post(page, {"format": "circo"}).status_code == 422

"""Labeled clips come in whole or not at all, and twice is once."""

from fractions import Fraction

import pytest

from annotate.datasets.faults import DatasetInvalid
from annotate.datasets.rows import Frames, LabeledClip, LabelRow, Seconds
from annotate.datasets.services import import_dataset
from annotate.errors import AnnotateError
from annotate.models import ActionLabel, AuditEvent, Clip, Video, WorkItem
from tests.cast import count_queries, make_clip, make_project, make_video

LABELS = [
    LabelRow("row 2", "103b", "Forward, 1.5 somersaults, pike", "diving"),
    LabelRow("row 3", "207b", "Back, 3.5 somersaults, pike", "diving"),
]


@pytest.fixture
def project(db):
    return make_project(protocol="tfcovr")


@pytest.fixture
def video(project):
    """10 s at 25 frames a second."""
    return make_video(project, original_name="riga.mp4")


SPAN = Frames(10, 60)


def row(name="riga_1", label="103b", span=SPAN, source="riga", where="row 2"):
    return LabeledClip(where, source, name, label, span)


def load(project, *clips, labels=LABELS, admin=None, left_out=None):
    return import_dataset(
        project=project, admin=admin, clips=clips, clips_file="dives.csv",
        labels=labels, labels_file="labels.csv", left_out=left_out,
    )  # fmt: skip


def mends(raised) -> list[tuple[str, str, str]]:
    return [(fault.file, fault.row, fault.field) for fault in raised.value.faults]


def everything():
    return Clip.objects.count(), ActionLabel.objects.count(), AuditEvent.objects.count()


def test_it_stores_labels_and_clips(project, video, ada):
    imported = load(
        project, row(), row("riga_2", "207b", Frames(60, 110), where="row 3"), admin=ada
    )
    assert (imported.labels, imported.clips) == (2, 2)
    clip = Clip.objects.get(name="riga_1")
    assert (clip.video, clip.start_frame, clip.end_frame) == (video, 10, 60)
    assert (clip.duration_ms, clip.label.key, clip.label.domain) == (2000, "103b", "diving")
    event = AuditEvent.objects.get(verb="import dataset")
    assert (event.actor, event.after["clips"]) == (ada, 2)
    assert event.after["files"] == ["dives.csv", "labels.csv"]
    assert not WorkItem.objects.exists()


def test_rows_with_an_error_are_left_out_on_request(project, video):
    """Each row about an unknown label or video is left out, and the rest stored."""
    rows = [
        row(),
        row("riga_2", "9", Frames(60, 110), where="row 3"),
        row("riga_3", "9", Frames(60, 110), where="row 4"),
        row("riga_4", "103b", Frames(60, 110), where="row 5"),
        row("oslo_1", source="oslo", where="row 6"),
        row("riga_5", "103b", Frames(60, 110), where="row 7"),
        row("riga_6", "103b", Frames(60, 9000), where="row 8"),
    ]
    imported = load(project, *rows, left_out=(left_out := []))
    assert sorted(Clip.objects.exclude(label=None).values_list("name", flat=True)) == [
        "riga_1",
        "riga_4",
    ]
    assert (imported.clips, [fault.row for fault in left_out]) == (
        2,
        ["row 3", "row 4", "row 8", "row 6", "row 7"],
    )
    assert AuditEvent.objects.get(verb="import dataset").after["faults left out"] == 5


def test_a_label_that_means_something_else_is_left_out_on_request(project, video):
    load(project)
    changed = [LabelRow("row 2", "103b", "Twist", ""), LabelRow("row 3", "5", "Leap", "diving")]
    load(project, row(), labels=changed, left_out=(left_out := []))
    assert [fault.row for fault in left_out] == ["row 2"]
    assert Clip.objects.get(name="riga_1").label.caption == LABELS[0].caption
    assert ActionLabel.objects.count() == 3


def test_files_without_a_good_row_store_nothing(project, video):
    with pytest.raises(DatasetInvalid):
        load(project, row(label="9"), labels=[], left_out=[])
    assert not AuditEvent.objects.exists()


def test_twice_is_once(project, video):
    load(project, row())
    before = Clip.objects.count(), ActionLabel.objects.count()
    again = load(project, row())
    assert (again.labels, again.clips, again.labelled, again.unchanged) == (0, 0, 0, 1)
    assert str(again) == "0 new clips and 0 new labels. 1 clip had this label already."
    assert (Clip.objects.count(), ActionLabel.objects.count()) == before


@pytest.mark.parametrize(
    ("fps", "start", "end", "frames"),
    [
        ((25, 1), "1", "2", (25, 50)),
        ((25, 1), "1.01", "2.01", (26, 51)),
        ((25, 1), "1.01", "1.02", (25, 26)),
        ((30000, 1001), "1.001", "2.002", (30, 60)),
        ((30000, 1001), "1.0010001", "2.002", (31, 60)),
    ],
)
def test_a_span_of_time_holds_the_frames_that_begin_in_it(project, fps, start, end, frames):
    make_video(project, original_name="riga.mp4", fps_num=fps[0], fps_den=fps[1])
    load(project, row(span=Seconds(Fraction(start), Fraction(end))))
    clip = Clip.objects.get(name="riga_1")
    assert (clip.start_frame, clip.end_frame) == frames


def test_a_file_of_its_own_gets_the_label_and_keeps_its_name(project):
    file = make_video(project, original_name="Riga_Open_3.mp4")
    imported = load(project, row("Riga_Open_3", span=None, source="Riga_Open"))
    assert (imported.clips, imported.labelled) == (0, 1)
    file.refresh_from_db()
    assert (file.clips.get().label.key, file.cut_from) == ("103b", "Riga_Open")


def test_a_file_of_its_own_is_taken_where_the_long_video_is_not_there(project):
    make_video(project, original_name="riga_1.mkv")
    load(project, row(span=Frames(1_000, 1_100)))
    assert Clip.objects.get(name="riga_1").end_frame == 250


def test_all_faults_are_reported_and_nothing_is_stored(project, video):
    before = everything()
    with pytest.raises(DatasetInvalid) as raised:
        load(
            project,
            row("riga_1", where="row 2"),
            row("riga_2", "999x", where="row 3"),
            row("riga_3", span=Frames(200, 251), where="row 4"),
            row("riga_4", source="oslo", where="row 5"),
            row("riga_5", source="oslo", where="row 6"),
            row("riga_6", where="row 7"),
            row("Riga", span=Frames(1, 2), where="row 8"),
        )
    assert mends(raised) == [
        ("dives.csv", "row 3", "label"),
        ("dives.csv", "row 4", "end_frame"),
        ("dives.csv", "row 5", ""),
        ("dives.csv", "row 3", ""),
        ("dives.csv", "row 7", ""),
        ("dives.csv", "row 8", ""),
    ]
    messages = " ".join(fault.mend for fault in raised.value.faults)
    assert "oslo is not in the project (2 clips)" in messages
    assert f"manage.py import_videos {project.slug}" in messages
    assert everything() == before


@pytest.mark.parametrize(
    ("row_of_label", "field", "mend"),
    [
        (("Something else", "diving"), "caption",
         "Label 103b already means {caption!r}. Use that, or another label."),
        (("{caption}", "gymnastics"), "source",
         "Label 103b already has the source 'diving'. Use that."),
        (("{caption}", "diving", "Beam"), "event",
         "Label 103b already has the event {event!r}. Use that."),
    ],
)  # fmt: skip
def test_another_meaning_of_a_stored_label_is_refused(project, row_of_label, field, mend):
    load(project)
    stored = ActionLabel.objects.get(key="103b")
    words = {"caption": stored.caption, "event": stored.event}
    caption, *rest = row_of_label
    with pytest.raises(DatasetInvalid) as raised:
        load(project, labels=[LabelRow("row 2", "103b", caption.format(**words), *rest)])
    assert mends(raised) == [("labels.csv", "row 2", field)]
    assert raised.value.faults[0].mend == mend.format(**words)


def test_the_event_comes_from_its_column_or_from_the_brackets(project):
    rows = [
        LabelRow("row 2", "7", "(Vault) tsukahara", "gymnastics"),
        LabelRow("row 3", "8", "(back) salto", "gymnastics", "Uneven Bar"),
        LabelRow("row 4", "9", "Forward", "diving"),
    ]
    load(project, labels=rows)
    events = dict(ActionLabel.objects.values_list("key", "event"))
    assert events == {"7": "Vault", "8": "Uneven Bar", "9": ""}
    load(project, labels=rows)
    with pytest.raises(DatasetInvalid) as raised:
        load(project, labels=[LabelRow("row 2", "7", "(Vault) tsukahara", "", "Floor")])
    assert mends(raised) == [("labels.csv", "row 2", "event")]


def test_another_label_of_a_stored_clip_is_refused(project, video):
    load(project, row())
    with pytest.raises(DatasetInvalid) as raised:
        load(project, row(label="207b"))
    assert mends(raised) == [("dives.csv", "row 2", "label")]


def test_frames_of_a_file_whose_rate_varies_are_refused_and_times_are_not(project):
    make_video(project, original_name="riga.mp4", probe={"variable_frame_rate": True})
    with pytest.raises(DatasetInvalid, match="1 thing has"):
        load(project, row())
    load(project, row(span=Seconds(Fraction(1), Fraction(2))))


def test_two_videos_of_one_name_are_refused(project, video):
    other = make_video(project)
    Video.objects.filter(pk=other.pk).update(original_name="riga.mov")
    with pytest.raises(DatasetInvalid) as raised:
        load(project, row())
    assert "2 videos are called" in raised.value.faults[0].mend


def test_another_protocol_is_refused(db):
    with pytest.raises(AnnotateError, match="TF-CoVR"):
        load(make_project("Kitchen"))


def test_labels_of_another_project_are_none(project, video):
    load(make_project("Other", protocol="tfcovr"))
    with pytest.raises(DatasetInvalid):
        load(project, row(), labels=())


def test_many_clips_need_few_statements(project, video):
    def queries(frames):
        rows = [row(f"riga_{n}", span=Frames(n, n + 1), where=f"row {n}") for n in range(*frames)]
        with count_queries() as count:
            load(project, *rows)
        return int(count)

    load(project)
    assert queries((1, 2)) == queries((2, 90))


def test_a_clip_of_the_whole_video_is_the_one_that_is_there(project, video):
    whole = make_clip(project, video=video)
    load(project, row(span=Frames(0, 250)))
    whole.refresh_from_db()
    assert (whole.name, whole.label.key) == ("riga", "103b")

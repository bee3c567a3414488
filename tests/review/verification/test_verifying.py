"""A machine caption verified: what is stored, what is refused."""

from uuid import uuid4

import pytest
from django.db import DatabaseError, IntegrityError, transaction

from annotate.errors import AnnotateError, DraftConflict, LeaseLost, WorkInvalid
from annotate.models import AuditEvent, Caption, WorkItem
from annotate.text.sentences import SPLITTER
from review.verification.models import MissingSegment, SentenceVerdict, Verification
from review.verification.services import submit_verification
from review.verification.work import Verify
from tests.annotate.queue.test_concurrency import in_threads
from tests.cast import make_clip, make_person, make_project
from tests.hand_work import machine_caption
from tests.review.verification.verifying import (
    ALL_OK,
    CAPTION,
    MENDED,
    MENDED_TEXT,
    hold_verification,
    open_verification,
    verify,
)
from tests.work import fill_draft, hold, make_work


@pytest.fixture
def clip(project):
    return make_clip(project)


@pytest.fixture
def caption(clip):
    return machine_caption(clip, CAPTION)


@pytest.fixture
def held(caption, anna):
    return hold_verification(anna, caption)


def corrections():
    return Caption.objects.filter(source=Caption.Source.CORRECTED)


def test_a_mended_caption_is_a_new_one_that_descends_from_the_machines(held, caption, anna):
    verify(held, caption, MENDED)
    corrected = corrections().get()
    assert corrected.text == MENDED_TEXT
    assert (corrected.kind, corrected.word_count) == ("general", 16)
    assert (corrected.author, corrected.assignment, corrected.clip) == (anna, held, caption.clip)
    assert corrected.parents.get() == caption
    caption.refresh_from_db()
    assert caption.text == CAPTION
    assert WorkItem.objects.get().state == WorkItem.State.DONE


def test_the_corrected_caption_has_the_frames_of_its_sentences(clip, anna):
    # The machine's caption had a time for its last sentence, as one from a release can.
    caption = Caption.objects.create(
        project=clip.project, clip=clip, kind="general", source="machine", text=CAPTION,
        word_count=16, provenance=[{"model": "m"}],
        spans=[{"text_start": 55, "text_end": 67, "start_frame": 3, "end_frame": 8}],
    )  # fmt: skip
    held = hold_verification(anna, caption)
    context = Verify().context(held, {})
    assert context["sentence_spans"] == [{"name": "Sentence 4", "mark": "4", "start": 3, "end": 8}]
    verify(held, caption, MENDED)
    spans = corrections().get().spans
    assert [
        (MENDED_TEXT[s["text_start"] : s["text_end"]], s["start_frame"], s["end_frame"])
        for s in spans
    ] == [("He climbs a rope.", 25, 125), ("A dog barks.", 3, 8)]


def test_what_was_judged_is_stored_with_both_counts_and_the_splitter(held, caption, anna):
    verify(held, caption, MENDED)
    stored = Verification.objects.get()
    assert (stored.caption, stored.reviewer, stored.assignment) == (caption, anna, held)
    assert (stored.splitter, stored.sentences, stored.fits_theme) == (SPLITTER, 4, True)
    assert (stored.errors_a, stored.errors_b, stored.errors_c) == (1, 1, 1)
    assert (stored.content_errors, stored.content_error_sentences) == (3, 2)
    assert (stored.topic_errors, stored.corrected) == (0, corrections().get())
    verdicts = stored.verdicts.values_list("number", "types", "correction", "is_deleted")
    assert list(verdicts) == [
        (0, "", "", False),
        (1, "A#C", "His cap is orange.", False),
        (2, "B", "", True),
        (3, "", "", False),
    ]
    assert [CAPTION[v.start : v.end] for v in stored.verdicts.all()] == [
        "A man opens a door.",
        "He wears a red cap.",
        "It is a door.",
        "A dog barks.",
    ]
    segment = stored.missing_segments.get()
    assert (segment.place, segment.text) == (1, "He climbs a rope.")
    assert (segment.start_frame, segment.end_frame) == (25, 125)


def test_the_frames_a_sentence_talks_about_are_stored(held, caption):
    verify(held, caption, {**MENDED, "span-2-start": "10", "span-2-end": "30"})
    stored = Verification.objects.get().verdicts.values_list("start_frame", "end_frame")
    assert list(stored) == [(None, None), (None, None), (10, 30), (None, None)]


@pytest.mark.parametrize(
    ("start", "end", "message"),
    [
        ("10", "", "Sentence 3 has only one of start and end frame: set both, or clear both."),
        ("10", "251", "Sentence 3 covers frames 10 to 251: choose a span from 0 to 250"),
        ("30", "10", "Sentence 3 covers frames 30 to 10: choose a span from 0 to 250"),
        ("x", "", "Sentence 3 has only one of start and end frame"),
    ],
)
def test_frames_that_are_no_span_are_refused(held, caption, start, end, message):
    with pytest.raises(WorkInvalid, match=message) as refused:
        verify(held, caption, {**MENDED, "span-2-start": start, "span-2-end": end})
    assert [problem.field for problem in refused.value.problems] == ["span-2-start"]


def test_a_clip_of_two_seconds_can_be_verified_but_has_nothing_missing(project, anna):
    clip = make_clip(project, start_frame=0, end_frame=50)
    caption = machine_caption(clip, CAPTION)
    held = hold_verification(anna, caption)
    with pytest.raises(WorkInvalid, match="the clip lasts 2 s and C needs at least 3"):
        verify(held, caption, ALL_OK | {"verdict-0": "C"})
    verify(held, caption, ALL_OK)
    assert Verification.objects.get().errors_c == 0


def test_the_audit_says_what_was_found(held, caption, anna):
    verify(held, caption, MENDED)
    event = AuditEvent.objects.get(verb="submit")
    assert (event.actor, event.object_id) == (anna, held.pk)
    assert event.after == {
        "content_errors": 3,
        "topic_errors": 0,
        "corrected": corrections().get().pk,
    }


def test_a_caption_without_fault_gets_no_child(held, caption):
    verify(held, caption, ALL_OK)
    stored = Verification.objects.get()
    assert (stored.corrected, stored.content_errors, stored.topic_errors) == (None, 0, 0)
    assert Caption.objects.get() == caption


def test_a_caption_of_a_whole_video_is_mended_as_such(clip, anna):
    full = Caption.objects.create(
        project=clip.project,
        clip=clip,
        kind=Caption.Kind.FULL_VIDEO,
        source=Caption.Source.MACHINE,
        text=CAPTION,
        word_count=16,
    )
    verify(hold_verification(anna, full), full, MENDED)
    assert corrections().get().kind == Caption.Kind.FULL_VIDEO


def test_it_is_refused_while_a_sentence_is_undecided(held, caption):
    with pytest.raises(WorkInvalid) as refused:
        verify(held, caption, {**MENDED, "verdict-3": "", "verdict-0": "Q"})
    assert [problem.field for problem in refused.value.problems] == ["verdict-0", "verdict-3"]
    assert Verification.objects.count() == 0
    assert corrections().count() == 0
    held.refresh_from_db()
    assert held.state == "held"


def test_a_deletion_and_a_correction_of_one_sentence_are_refused(held, caption):
    with pytest.raises(WorkInvalid, match="both deleted and corrected: choose one"):
        verify(held, caption, {**MENDED, "correction-2": "It is red."})


def test_a_segment_is_measured_by_the_clips_own_frames(project, anna):
    video = make_clip(project).video
    clip = make_clip(project, video=video, start_frame=100, end_frame=200)
    caption = machine_caption(clip, CAPTION)
    held = hold_verification(anna, caption)
    with pytest.raises(WorkInvalid, match="25 to 125: choose a span from 0 to 100"):
        verify(held, caption, MENDED)
    verify(held, caption, {**MENDED, "missing-1-end": "100"})
    assert MissingSegment.objects.get().end_frame == 100


def test_a_page_of_other_sentences_is_refused(held, caption, anna):
    with pytest.raises(AnnotateError, match="The sentences have changed since this page was"):
        submit_verification(
            assignment_id=held.pk,
            annotator=anna,
            key=uuid4(),
            base_version=0,
            content={**MENDED, "sentences": f"{caption.pk}, another splitter"},
        )
    assert Verification.objects.count() == 0


def test_the_same_submit_twice_is_one_verification_and_another_is_refused(held, caption):
    key = uuid4()
    verify(held, caption, MENDED, key=key)
    verify(held, caption, MENDED, key=key)
    with pytest.raises(LeaseLost):
        verify(held, caption, ALL_OK)
    assert (Verification.objects.count(), corrections().count()) == (1, 1)


def test_a_lost_lease_and_a_newer_draft_change_nothing(caption, anna, ben):
    item = open_verification(caption, 2)
    with pytest.raises(LeaseLost):
        verify(hold(anna, item, minutes=-1), caption, MENDED)
    held = hold(ben, item)
    fill_draft(held, theme="ok")
    with pytest.raises(DraftConflict):
        verify(held, caption, MENDED)
    assert Verification.objects.count() == 0


def test_two_people_judge_one_caption_without_each_other(caption, anna, rita):
    item = open_verification(caption, 2)
    verify(hold(anna, item), caption, MENDED)
    assert WorkItem.objects.get().state == WorkItem.State.OPEN
    verify(hold(rita, item), caption, ALL_OK)
    assert WorkItem.objects.get().state == WorkItem.State.DONE
    assert [stored.content_errors for stored in Verification.objects.all()] == [3, 0]


def test_work_that_names_no_caption_of_its_clip_is_refused(project, caption, clip, anna, ben):
    elsewhere = machine_caption(make_clip(project), CAPTION)
    item = make_work(clip, "verify", 2, subject=elsewhere.pk)
    with pytest.raises(AnnotateError, match="This work names no caption of its clip"):
        verify(hold(anna, item), elsewhere, MENDED)


class TestTheDatabase:
    def test_nothing_stored_can_change(self, held, caption):
        verify(held, caption, MENDED)
        for rows, change in [
            (Verification.objects, {"topic_errors": 1}),
            (SentenceVerdict.objects, {"types": "D"}),
            (MissingSegment.objects, {"text": "x"}),
        ]:
            with pytest.raises(DatabaseError, match="immutable"), transaction.atomic():
                rows.update(**change)

    @pytest.mark.parametrize(
        "fields",
        [
            {"number": 0, "types": ""},  # a second verdict of one sentence
            {"number": 9, "types": "E"},
            {"number": 9, "types": "B#A"},
            {"number": 9, "types": "B", "correction": "x", "is_deleted": True},
            {"number": 9, "types": "", "correction": "x"},
            {"number": 9, "types": "C", "is_deleted": True},
            {"number": 9, "types": "", "start_frame": 5},
            {"number": 9, "types": "", "end_frame": 5},
            {"number": 9, "types": "", "start_frame": 5, "end_frame": 5},
        ],
    )
    def test_a_verdict_that_can_not_be_is_refused(self, held, caption, fields):
        verify(held, caption, ALL_OK)
        stored = Verification.objects.get()
        with pytest.raises(IntegrityError), transaction.atomic():
            SentenceVerdict.objects.create(verification=stored, start=0, end=1, **fields)

    @pytest.mark.parametrize(
        "change",
        [
            {},  # twice by one person
            {"reviewer": None},  # by nobody
            {"label": "x"},  # by two
            {"reviewer": None, "label": "x", "content_errors": 1},
            {"reviewer": None, "label": "x", "topic_errors": 5},
        ],
    )
    def test_a_verification_that_can_not_be_is_refused(self, held, caption, change):
        verify(held, caption, ALL_OK)
        stored = Verification.objects.get()
        stored.pk, stored.assignment = None, None
        for name, value in change.items():
            setattr(stored, name, value)
        with pytest.raises(IntegrityError), transaction.atomic():
            stored.save(force_insert=True)


@pytest.mark.django_db(transaction=True)
def test_the_same_submit_four_times_at_once_is_one_verification():
    project = make_project()
    anna = make_person("Anna", project, "annotator")
    caption = machine_caption(make_clip(project), CAPTION)
    held, key = hold_verification(anna, caption), uuid4()
    in_threads(lambda _: verify(held, caption, MENDED, key=key), range(4))
    assert Verification.objects.get().corrected == corrections().get()

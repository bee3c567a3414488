"""Judgments that are stored at once are the same as those that are stored one by one."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotate.models import Caption
from review.verification.content import read_judgment
from review.verification.models import MissingSegment, SentenceVerdict, Verification
from review.verification.recording import Judged, record_verification, record_verifications
from tests.cast import make_clip
from tests.hand_work import machine_caption
from tests.review.verification.verifying import ALL_OK, CAPTION, MENDED, MENDED_TEXT

OFF_TOPIC = ALL_OK | {"verdict-3": "D", "delete-3": "1", "theme": "off"}


def judgment(content):
    return read_judgment(content, 4)[0]


@pytest.fixture
def captions(project):
    return [machine_caption(make_clip(project), CAPTION) for _ in range(2)]


def judged(captions):
    return [
        Judged(caption, judgment(content), label=label)
        for caption in captions
        for label, content in (("Uma", MENDED), ("Ugo", ALL_OK), ("Ula", OFF_TOPIC))
    ]


def stored():
    """Everything that was stored but its own keys and times."""
    of = "verification__caption", "verification__label"
    span = "start_frame", "end_frame"
    counts = "errors_a", "errors_b", "errors_c", "content_error_sentences", "topic_errors"
    corrected = "corrected__text", "corrected__parents", "corrected__author", "corrected__kind"
    return (
        list(
            Verification.objects.order_by("caption", "label").values_list(
                *("caption", "label", "reviewer", "assignment", "splitter", "fits_theme"),
                *("sentences", "content_errors", *counts, *corrected),
            )
        ),
        list(
            SentenceVerdict.objects.order_by(*of, "number").values_list(
                *of, "number", "start", "end", "types", "correction", "is_deleted", *span
            )
        ),
        list(
            MissingSegment.objects.order_by(*of, "place").values_list(*of, "place", "text", *span)
        ),
    )


def test_judgments_stored_at_once_are_the_same_as_stored_one_by_one(captions):
    record_verifications(judged(captions))
    together = stored()
    Verification.objects.all().delete()
    for entry in judged(captions):
        record_verification(caption=entry.caption, judgment=entry.judgment, label=entry.label)
    assert stored() == together
    assert [len(rows) for rows in together] == [6, 24, 2]


def test_they_come_back_in_order_each_with_the_caption_made_from_it(captions):
    verifications = record_verifications(judged(captions))
    assert [v.label for v in verifications] == ["Uma", "Ugo", "Ula"] * 2
    assert [v.corrected and v.corrected.text for v in verifications[:3]] == [
        MENDED_TEXT,
        None,
        CAPTION.replace("\n\nA dog barks.", ""),
    ]


def test_more_judgments_need_no_more_statements(project, captions):
    def statements(batch):
        with CaptureQueriesContext(connection) as done:
            record_verifications(batch)
        return len(done)

    others = [machine_caption(make_clip(project), CAPTION) for _ in range(3)]
    assert statements(judged(captions[:1])) == statements(judged(others))


def test_a_corrected_caption_names_whose_label_it_has(captions):
    record_verifications(judged(captions)[:1])
    assert Caption.objects.get(source=Caption.Source.CORRECTED).written_by == "Uma"


def test_nothing_is_stored_when_one_does_not_say_whether_the_theme_fits(captions):
    undecided = {name: value for name, value in ALL_OK.items() if name != "theme"}
    both = [
        Judged(captions[0], judgment(MENDED), label="Uma"),
        Judged(captions[1], judgment(undecided), label="Uma"),
    ]
    with pytest.raises(ValueError, match="theme"):
        record_verifications(both)
    assert stored() == ([], [], [])
    assert not Caption.objects.filter(source=Caption.Source.CORRECTED).exists()


def test_no_judgments_store_nothing(db):
    assert record_verifications([]) == []

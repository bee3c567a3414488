"""The corrected caption shown while somebody verifies: it is what a submit would store."""

import html
import re

import pytest
from django.urls import reverse

from annotate.models import Caption
from review.verification.models import Verification
from tests.cast import client_of, count_queries, make_clip
from tests.hand_work import machine_caption
from tests.review.verification.verifying import (
    ALL_OK,
    CAPTION,
    MENDED,
    form_data,
    hold_verification,
    verify,
)
from tests.work import hold, make_work

pytestmark = pytest.mark.django_db
HOSTILE = '<b>Two</b> & "three" <ins>men</ins>\n\nדגים 😀.'


@pytest.fixture
def caption(project):
    return machine_caption(make_clip(project), CAPTION)


@pytest.fixture
def held(caption, anna):
    return hold_verification(anna, caption)


def answer(held, caption, content, person=None):
    return client_of(person or held.annotator).post(
        reverse("review:verify_changes", args=[held.pk]),
        {"content": form_data(caption, content)},
        content_type="application/json",
    )


def text_of(reply):
    """The corrected caption, without what it deletes."""
    [inner] = re.findall(r"<p [^>]*>(.*)</p>", reply.json()["html"], re.DOTALL)
    return html.unescape(re.sub(r"</?ins>", "", re.sub(r"<del>.*?</del>", "", inner, flags=re.S)))


def test_it_marks_what_changes_and_saves_nothing(held, caption):
    reply = answer(held, caption, MENDED)
    assert (
        '<p class="reading verify-rebuilt" dir="auto">A man opens a door.'
        "<ins> He climbs a rope.</ins> <del>He wears a red</del><ins>His</ins> cap"
        "<ins> is orange</ins>.<del> It is a door.</del>\n\nA dog barks.</p>"
    ) in reply.json()["html"]
    held.refresh_from_db()
    assert (held.draft, held.draft_version) == ({}, 0)
    assert Verification.objects.count() == 0


@pytest.mark.parametrize(
    "content",
    [
        MENDED,
        MENDED | {"correction-1": HOSTILE},
        ALL_OK | {"verdict-0": "D", "delete-0": "1", "verdict-2": "B", "correction-2": " It is. "},
        ALL_OK | {"verdict-3": "B", "delete-3": "1"},
    ],
    ids=["mended", "markup", "first deleted", "last deleted"],
)
def test_it_is_the_text_that_a_submit_stores(held, caption, content):
    preview = text_of(answer(held, caption, content))
    verify(held, caption, content)
    assert Caption.objects.get(source=Caption.Source.CORRECTED).text == preview


def test_what_is_not_complete_yet_is_shown_as_far_as_it_is(held, caption):
    typed = {"verdict-0": "X", "missing-4-text": "He sits.", "missing-4-start": "?"}
    assert text_of(answer(held, caption, typed)) == f"{CAPTION} He sits."


def test_sentences_that_have_changed_are_refused_as_in_a_submit(held, caption):
    reply = answer(held, caption, {"sentences": "another caption"})
    assert reply.status_code == 400
    assert reply.json()["message"].startswith("The sentences have changed")
    assert answer(held, caption, {"verdict-0": 3}).status_code == 400


def test_only_the_holder_of_a_verification_is_answered(held, caption, anna, rita, project):
    assert answer(held, caption, MENDED, rita).status_code == 404
    written = hold(anna, make_work(make_clip(project)))
    assert answer(written, caption, {}).status_code == 404


def test_its_queries_do_not_grow_with_the_sentences(project, anna):
    counts = []
    for text in ("One.", "One. Two. Three."):
        caption = machine_caption(make_clip(project), text)
        held = hold_verification(anna, caption)
        with count_queries() as count:
            answer(held, caption, {"verdict-0": "A", "correction-0": "Two."})
        counts.append(int(count))
    assert counts[0] == counts[1]

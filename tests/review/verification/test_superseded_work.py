"""Work about a caption that another has replaced: withdrawn, and kept where it comes too late."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse

from annotate.corpus.precedence import current_caption
from annotate.corpus.services.precedence import settle_captions
from annotate.errors import LeaseLost
from annotate.models import Assignment, Caption, CaptionRank, WorkItem
from annotate.queue.services import beat, claim_next, take_again
from review.verification.models import Verification
from tests.cast import client_of, make_clip
from tests.hand_work import attempt, machine_caption, open_hand, write_by_hand
from tests.review.threshold.studying import scored_captions, start_study
from tests.review.verification.verifying import (
    ALL_OK,
    CAPTION,
    MENDED,
    form_data,
    hold_verification,
    open_verification,
    verify,
)
from tests.work import fill_draft, hold

pytestmark = pytest.mark.django_db

REFINED = CaptionRank.Because.REFINED


@pytest.fixture
def clip(project):
    return make_clip(project)


@pytest.fixture
def first(clip):
    return machine_caption(clip, CAPTION)


def replace(caption: Caption, because: str = REFINED) -> Caption:
    newer = machine_caption(caption.clip, "A man climbs a rope.")
    settle_captions([newer], because)
    return newer


def test_a_verification_that_nobody_has_taken_goes_with_its_caption(first):
    open_verification(first)
    replace(first)
    assert not WorkItem.objects.exists()


def test_a_verification_in_progress_ends_and_its_draft_stays_with_its_author(first, anna):
    held = hold_verification(anna, first)
    fill_draft(held, **{"verdict-0": "A"})
    replace(first)
    held.refresh_from_db()
    assert (held.state, held.draft) == ("expired", {"verdict-0": "A"})
    assert (held.item.state, held.item.open_slots) == ("cancelled", 1)
    assert claim_next(membership=anna.memberships.get(), kind="verify") is None
    with pytest.raises(LeaseLost, match="no longer needed"):
        beat(assignment=held)
    with pytest.raises(LeaseLost, match="no longer needed"):
        take_again(assignment_id=held.pk, annotator=anna)


def test_a_late_verification_is_kept_as_a_record_and_its_author_is_told(first, anna):
    held = hold_verification(anna, first)
    newer = replace(first)
    data = {"key": uuid4(), "base_version": 0, **form_data(first, MENDED)}
    url = reverse("annotate:submit", args=[held.pk])
    page = client_of(anna).post(url, data, follow=True)
    messages = [str(message) for message in page.context["messages"]]
    assert messages == [
        f"{first.clip.short_name} had a new caption before you submitted. "
        "Your work is kept as a record, and the clip keeps its new caption."
    ]
    stored = Verification.objects.get()
    assert (stored.caption, stored.corrected.source) == (first, "corrected")
    assert current_caption(first.clip) == newer
    held.refresh_from_db()
    assert (held.state, held.is_late, held.item.open_slots) == ("submitted", True, 0)
    text = client_of(anna).get(reverse("annotate:work", args=[held.pk])).content.decode()
    assert "does not change the clip’s caption" in " ".join(text.split())


def test_a_late_correction_stays_a_record_when_its_caption_is_no_longer_current(first, anna, ben):
    """A run may still bring a machine's caption after it: no order makes the late text current."""
    held = hold_verification(anna, first)
    replace(first)
    verify(held, first, MENDED)
    newest = replace(first, REFINED)
    assert current_caption(first.clip) == newest


def test_a_machines_caption_without_a_rank_replaces_no_correction(first, anna):
    verify(hold_verification(anna, first), first, MENDED)
    corrected = Verification.objects.get().corrected
    replace(first)
    replace(first, "")
    assert current_caption(first.clip) == corrected


def test_a_caption_that_a_person_left_as_it_is_stays(first, anna):
    verify(hold_verification(anna, first), first, ALL_OK)
    replace(first, "")
    assert current_caption(first.clip) == first


def test_a_running_study_keeps_its_captions(project, anna):
    scores = scored_captions(project, [place / 40 for place in range(20)])
    study = start_study(project)
    replace(scores[0].caption)
    assert study.captions.filter(item__state="open").count() == 20


def test_hand_writing_withdraws_the_verification_of_the_same_clip(first, anna):
    held = hold_verification(anna, first)
    open_hand(first.clip, attempt(first))
    held.item.refresh_from_db()
    assert held.item.state == "cancelled"
    assert list(WorkItem.objects.filter(state="open").values_list("kind", flat=True)) == ["hand"]


def test_an_accepted_caption_ends_the_hand_writing_and_another_attempt_does_not(first, anna):
    item = open_hand(first.clip, attempt(first))
    held = hold(anna, item)
    replace(first, "")
    item.refresh_from_db()
    assert item.state == "open"
    newer = replace(first)
    item.refresh_from_db()
    assert item.state == "cancelled"
    written = write_by_hand(held, "A man by a door.")
    assert written.is_late
    assert written.captions.get().given.because == "late"
    assert current_caption(first.clip) == newer


def test_hand_writing_that_was_withdrawn_is_asked_for_again(first, anna, ben):
    item = open_hand(first.clip, attempt(first))
    hold(anna, item)
    replace(first)
    open_hand(first.clip, attempt(first))
    item.refresh_from_db()
    assert (item.state, item.needed, item.open_slots) == ("open", 1, 1)
    assert claim_next(membership=anna.memberships.get(), kind="hand").item == item
    assert Assignment.objects.get().state == "held"


def test_a_person_writes_on_when_a_model_is_accepted_by_another_clip(project, first, anna):
    other = machine_caption(make_clip(project), CAPTION)
    held = hold_verification(anna, first)
    replace(other)
    held.item.refresh_from_db()
    assert held.item.state == "open"

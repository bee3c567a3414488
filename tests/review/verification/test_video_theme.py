"""The Verify page shows the theme of the video, and takes the right one if it is wrong."""

from __future__ import annotations

import pytest
from django.urls import reverse

from annotate.errors import WorkInvalid
from annotate.models import AuditEvent
from inference.models import VideoTheme
from inference.queries import current_theme
from inference.themes.services import correct_theme
from review.verification.models import Verification
from tests.cast import client_of, make_clip
from tests.hand_work import machine_caption
from tests.inference.cast import name_theme
from tests.review.verification.verifying import ALL_OK, CAPTION, hold_verification, verify

pytestmark = pytest.mark.django_db


@pytest.fixture
def caption(project):
    return machine_caption(make_clip(project), CAPTION)


@pytest.fixture
def held(rita, caption):
    return hold_verification(rita, caption)


def work_page(held) -> str:
    url = reverse("annotate:work", args=[held.pk])
    return client_of(held.annotator).get(url).content.decode()


def test_the_page_shows_the_theme_and_one_field_for_the_right_one(held, caption):
    assert 'name="video_theme"' not in work_page(held)
    name_theme(caption.clip.video, "Cooking")
    page = work_page(held)
    assert "named by a model" in page
    assert '<strong class="wrap-anywhere">Cooking</strong>' in page
    assert page.count('name="video_theme"') == 1


def test_a_verifier_says_the_right_theme(held, caption, rita):
    earlier = name_theme(caption.clip.video, "Cooking")
    verify(held, caption, ALL_OK | {"video_theme": " Baking  bread"})
    theme = current_theme(caption.clip.video)
    assert (theme.text, theme.author, theme.replaces) == ("Baking bread", rita, earlier)
    assert AuditEvent.objects.get(verb="correct theme").actor == rita


@pytest.mark.parametrize("typed", ["", " ", "Cooking"])
def test_an_empty_field_or_the_same_theme_changes_nothing(held, caption, typed):
    earlier = name_theme(caption.clip.video, "Cooking")
    verify(held, caption, ALL_OK | {"video_theme": typed})
    assert list(VideoTheme.objects.all()) == [earlier]


def test_the_theme_of_another_person_stays_and_what_was_typed_is_kept(held, caption, ada):
    video = caption.clip.video
    name_theme(video, "Cooking")
    assert 'id="video_theme"' in work_page(held)
    correct_theme(video=video, text="Dining", person=ada)
    held.draft = {"video_theme": "Baking"}
    held.save(update_fields=["draft"])
    page = work_page(held)
    assert 'id="video_theme"' not in page
    assert "given by Ada" in page
    assert '<span class="wrap-anywhere" dir="auto">Baking</span>' in page
    verify(held, caption, ALL_OK | {"video_theme": "Baking"})
    assert current_theme(video).text == "Dining"
    held.refresh_from_db()
    assert held.draft["video_theme"] == "Baking"


def test_a_verifier_may_change_a_theme_of_their_own(held, caption, rita):
    video = caption.clip.video
    correct_theme(video=video, text="Dining", person=rita)
    verify(held, caption, ALL_OK | {"video_theme": "Baking"})
    assert current_theme(video).text == "Baking"


def test_too_long_a_theme_is_refused_with_the_whole_submit(held, caption):
    name_theme(caption.clip.video, "Cooking")
    with pytest.raises(WorkInvalid) as refusal:
        verify(held, caption, ALL_OK | {"video_theme": "x" * 301})
    (problem,) = refusal.value.problems
    assert (problem.field, problem.message) == (
        "video_theme",
        "The theme has 301 letters. Shorten it to 300.",
    )
    assert not Verification.objects.exists()
    held.refresh_from_db()
    assert held.state == "held"

"""The list of themes: which were corrected, and an admin's correction in place."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotate.models import AuditEvent
from inference.models import VideoTheme
from inference.queries import current_theme
from inference.themes.services import correct_theme
from tests.cast import client_of, make_clip, make_video
from tests.inference.cast import name_theme

pytestmark = pytest.mark.django_db


def video_with_theme(project, text="Cooking", **fields):
    """A video whose theme a model named."""
    video = make_clip(project, video=make_video(project, **fields)).video
    name_theme(video, text)
    return video


@pytest.fixture
def page(project, ada):
    client = client_of(ada)

    def get(**query):
        return client.get(reverse("inference:themes", args=[project.slug]), query)

    return get


def rows(response):
    return [(row.video, row.theme and row.theme.text) for row in response.context["rows"]]


def test_an_admin_sees_every_theme_and_those_that_people_corrected(project, page, rita):
    right = video_with_theme(project, "Cooking", original_name="a.mp4")
    wrong = video_with_theme(project, "Travel", original_name="b.mp4")
    bare = make_clip(project).video
    correct_theme(video=wrong, text="Diving", person=rita)
    assert {*rows(page())} == {(right, "Cooking"), (wrong, "Diving"), (bare, None)}
    assert rows(page(show="none")) == [(bare, None)]
    corrected = page(show="corrected")
    assert rows(corrected) == [(wrong, "Diving")]
    text = corrected.content.decode()
    assert "Travel" in text
    assert "by Rita" in text
    assert [number for *_, number in corrected.context["tabs"]] == [3, 1, 1]


def test_an_admin_corrects_one_and_stays_on_the_list(project, ada, page):
    video = video_with_theme(project)
    url = reverse("inference:correct_theme", args=[project.slug, video.pk])
    client = client_of(ada)
    answer = client.post(f"{url}?show=corrected&page=1", {"theme": "Baking bread"})
    assert answer.url == reverse("inference:themes", args=[project.slug]) + "?show=corrected&page=1"
    theme = current_theme(video)
    assert (theme.text, theme.author, theme.replaces.text) == ("Baking bread", ada, "Cooking")


def test_an_admin_takes_a_correction_back_and_it_counts_no_more(project, ada, rita, page):
    video = video_with_theme(project)
    correct_theme(video=video, text="Travel", person=rita)
    correct_theme(video=video, text="Diving", person=ada)
    url = reverse("inference:take_back_theme", args=[project.slug, video.pk])
    answer = client_of(ada).post(f"{url}?show=corrected", follow=True)
    assert [str(message) for message in answer.context["messages"]] == [
        f"Took back the theme of {video}. The model’s theme is current again: Cooking."
    ]
    assert rows(answer) == []
    assert current_theme(video).author is None
    assert AuditEvent.objects.get(verb="take back theme").before["theme"] == "Diving"
    answer = client_of(ada).post(url, follow=True)
    assert [str(message) for message in answer.context["messages"]] == [
        "No person gave this theme, so there is nothing to take back."
    ]
    # A later correction counts again, alone.
    correct_theme(video=video, text="Swimming", person=rita)
    assert [theme.text for theme in VideoTheme.objects.current_first()] == ["Swimming", "Cooking"]


def test_a_video_that_no_model_named_has_no_theme_then(project, ada):
    video = make_clip(project).video
    correct_theme(video=video, text="Diving", person=ada)
    url = reverse("inference:take_back_theme", args=[project.slug, video.pk])
    client_of(ada).post(url)
    assert current_theme(video) is None


@pytest.mark.parametrize("typed", ["", "Cooking", "x" * 301])
def test_a_wrong_correction_is_marked_and_stays(project, ada, typed):
    video = video_with_theme(project)
    url = reverse("inference:correct_theme", args=[project.slug, video.pk])
    answer = client_of(ada).post(url, {"theme": typed})
    assert answer.status_code == 422
    assert f'id="theme-{video.pk}-theme_error"' in answer.content.decode()
    (row,) = answer.context["rows"]
    assert row.form["theme"].value() == typed
    assert VideoTheme.objects.count() == 1


def test_more_rows_need_no_more_queries(project, page, rita, django_assert_num_queries):
    correct_theme(video=video_with_theme(project), text="Diving", person=rita)
    page()
    with CaptureQueriesContext(connection) as first:
        page()
    for _ in range(2):
        correct_theme(video=video_with_theme(project), text="Diving", person=rita)
    with django_assert_num_queries(len(first)):
        assert len(page().context["rows"]) == 3

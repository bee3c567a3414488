"""POST p/<slug>/clips/<id>/facts/: an admin says what a clip's video is."""

import pytest
from django.urls import reverse

from annotate.corpus.queries import categories
from annotate.models import AuditEvent
from tests.cast import client_of, count_queries, make_clip, make_video

FACTS = {
    "category": "Kitchen",
    "subcategory": "Baking",
    "license": "CC0",
    "source_url": "https://example.org/cake",
}


@pytest.fixture
def clip(project):
    return make_clip(project, category="", subcategory="", license="")


@pytest.fixture
def clip_page(project, clip):
    return reverse("annotate:clip", args=[project.slug, clip.pk])


@pytest.fixture
def url(project, clip):
    return reverse("annotate:change_video_facts", args=[project.slug, clip.pk])


def facts_of(video) -> dict[str, str]:
    video.refresh_from_db()
    return {name: getattr(video, name) for name in FACTS}


def test_an_admin_says_what_a_clip_is(url, clip_page, clip, ada):
    response = client_of(ada).post(url, FACTS, follow=True)
    assert response.redirect_chain == [(clip_page, 302)]
    assert "Details saved." in response.content.decode()
    assert facts_of(clip.video) == FACTS


def test_it_is_noted_what_it_was_before(url, clip, project, ada):
    client_of(ada).post(url, FACTS)
    event = AuditEvent.objects.get(verb="change facts")
    assert (event.actor, event.object_type, event.object_id, event.project) == (
        ada,
        "video",
        clip.video_id,
        project,
    )
    assert event.before == dict.fromkeys(FACTS, "")
    assert event.after == FACTS
    client_of(ada).post(url, FACTS)
    assert AuditEvent.objects.filter(verb="change facts").count() == 1


def test_the_list_of_categories_is_read_anew(
    url, project, ada, django_capture_on_commit_callbacks, clip
):
    assert categories(project) == [("", "")]
    with django_capture_on_commit_callbacks(execute=True):
        client_of(ada).post(url, FACTS)
    assert categories(project) == [("Kitchen", "Baking")]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"category": ""}, "A subcategory needs its category."),
        ({"source_url": "javascript:alert(1)"}, "Give a whole address"),
        ({"license": "x" * 121}, "at most 120 characters"),
    ],
)
def test_wrong_facts_are_named_and_nothing_is_saved(url, clip, ada, changes, message):
    response = client_of(ada).post(url, {**FACTS, **changes})
    html = response.content.decode()
    assert (response.status_code, message in html) == (422, True)
    assert 'value="Baking"' in html
    assert facts_of(clip.video) == dict.fromkeys(FACTS, "")
    assert not AuditEvent.objects.filter(verb="change facts").exists()


def test_the_form_shows_what_is_known_and_offers_what_is_in_use(project, clip_page, clip, ada):
    make_video(project, category="Gym <b>", subcategory="Beam", license="CC BY 4.0")
    html = client_of(ada).get(clip_page).content.decode()
    assert '<details class="card" id="video-facts" open>' in html
    assert '<option value="Gym &lt;b&gt;">' in html
    clip.video.category = "Kitchen"
    clip.video.save()
    html = client_of(ada).get(clip_page).content.decode()
    assert '<details class="card" id="video-facts">' in html
    assert 'value="Kitchen"' in html


def test_only_an_admin_gets_the_form(clip_page, ada, anna, emil, rita):
    for person, gets_form in ((ada, True), (anna, False), (emil, False), (rita, False)):
        response = client_of(person).get(clip_page)
        assert ('id="video-facts"' in response.content.decode()) == gets_form


def test_the_form_costs_the_same_queries_with_one_video_and_with_three(project, clip_page, ada):
    client = client_of(ada)

    def queries() -> int:
        with count_queries() as count:
            client.get(clip_page)
        return int(count)

    client.get(clip_page)
    queries_for_one = queries()
    make_video(project)
    make_video(project, category="Gym")
    assert queries() == queries_for_one


def test_the_corpus_offers_clips_without_a_category_while_there_are_any(project, clip, url, ada):
    corpus = reverse("annotate:corpus", args=[project.slug])
    assert ">No category</option>" in client_of(ada).get(corpus).content.decode()
    client_of(ada).post(url, FACTS)
    assert ">No category</option>" not in client_of(ada).get(corpus).content.decode()

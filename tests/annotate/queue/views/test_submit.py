"""POST assignments/<id>/submit/: hand the work in, as JSON or as a plain form."""

from uuid import uuid4

import pytest
from django.urls import reverse

from annotate.models import Assignment, Caption, WorkItem
from tests.cast import client_of, make_clip
from tests.work import WRITE_UP, expire, fill_draft, hold, make_work, post_json

pytestmark = pytest.mark.django_db


@pytest.fixture
def held(project, anna):
    return hold(anna, make_work(make_clip(project)))


def submit(person, assignment, content=WRITE_UP, *, key=None, base_version=0, then=""):
    body = {"key": key or str(uuid4()), "base_version": base_version, "then": then}
    return post_json(client_of(person), "submit", assignment, {**body, "content": content})


def submit_form(person, assignment, content=WRITE_UP, *, key=None, base_version=0, then=""):
    url = reverse("annotate:submit", args=[assignment.pk])
    data = {"key": key or str(uuid4()), "base_version": base_version, "then": then, **content}
    return client_of(person).post(url, data)


def test_it_makes_a_caption_of_the_four_parts(anna, held):
    response = submit(anna, held)
    assert response.json() == {"next": reverse("annotate:my_work", args=["dives"])}
    caption = Caption.objects.get()
    assert caption.parts == {part: text.strip() for part, text in WRITE_UP.items()}
    assert caption.author == anna
    held.refresh_from_db()
    assert held.state == Assignment.State.SUBMITTED


def test_going_on_leads_to_the_next_clip(project, anna, held):
    make_work(make_clip(project))
    response = submit(anna, held, then="next")
    following = Assignment.objects.exclude(pk=held.pk).get()
    assert response.json() == {"next": reverse("annotate:work", args=[following.pk])}


def test_going_on_says_that_the_one_before_was_submitted(project, anna, held):
    make_work(make_clip(project))
    client = client_of(anna)
    body = {"key": str(uuid4()), "base_version": 0, "content": WRITE_UP, "then": "next"}
    target = post_json(client, "submit", held, body).json()["next"]
    assert (
        f"<p>Write-up submitted: {held.item.clip.short_name}.</p>"
        in client.get(target).content.decode()
    )


def test_submitting_without_going_on_says_what_was_submitted(anna, held):
    client = client_of(anna)
    body = {"key": str(uuid4()), "base_version": 0, "content": WRITE_UP}
    target = post_json(client, "submit", held, body).json()["next"]
    assert (
        f"Write-up submitted: {held.item.clip.short_name}." in client.get(target).content.decode()
    )


def test_the_last_write_up_opens_the_merge(project, anna, ben, held):
    submit(anna, held)
    assert not WorkItem.objects.filter(kind="merge").exists()
    held.item.refresh_from_db()
    submit(ben, hold(ben, held.item))
    assert WorkItem.objects.get(kind="merge").clip == held.item.clip


def test_the_same_submit_twice_is_one(anna, held):
    key = str(uuid4())
    first, second = submit(anna, held, key=key), submit(anna, held, key=key)
    assert (first.status_code, second.status_code) == (200, 200)
    assert Caption.objects.count() == 1


def test_another_submit_of_submitted_work_changes_nothing(anna, held):
    submit(anna, held)
    response = submit(anna, held, {**WRITE_UP, "overview": "Another one."})
    assert (response.status_code, response.json()["code"]) == (410, "lease_lost")
    assert Caption.objects.get().parts["overview"] == WRITE_UP["overview"]


def test_problems_name_the_field(anna, held):
    response = submit(anna, held, {**WRITE_UP, "misc": "One sentence."})
    assert response.status_code == 422
    assert response.json()["problems"] == [
        {"field": "misc", "message": "Misc has 1 sentence; write 2 to 4."}
    ]
    assert Caption.objects.count() == 0


def test_a_late_submit_is_refused_and_overwrites_nothing(anna, held):
    fill_draft(held, overview="As it was.")
    expire(held)
    response = submit(anna, held, base_version=1)
    assert (response.status_code, response.json()["code"]) == (410, "lease_lost")
    held.refresh_from_db()
    assert held.draft == {"overview": "As it was."}
    assert Caption.objects.count() == 0


def test_a_later_draft_from_elsewhere_is_a_conflict(anna, held):
    fill_draft(held, overview="Theirs.")
    response = submit(anna, held, base_version=0)
    assert response.status_code == 409
    assert response.json()["content"] == {"overview": "Theirs."}
    assert Caption.objects.count() == 0


@pytest.mark.parametrize("key", ["", "no-key", "1" * 5000])
def test_a_submit_without_a_key_is_refused(anna, held, key):
    body = {"key": key, "base_version": 0, "content": WRITE_UP}
    assert post_json(client_of(anna), "submit", held, body).status_code == 400


def test_a_plain_form_does_the_same(anna, held):
    response = submit_form(anna, held)
    assert response.url == reverse("annotate:my_work", args=["dives"])
    assert Caption.objects.count() == 1


def test_a_plain_form_with_problems_comes_back_with_all_that_was_typed(anna, held):
    response = submit_form(anna, held, {**WRITE_UP, "overview": "", "check-2": "on"})
    html = response.content.decode()
    assert response.status_code == 422
    assert 'href="#overview">Overview is empty' in html
    assert WRITE_UP["objects"] in html
    held.refresh_from_db()
    assert held.draft["actions"] == WRITE_UP["actions"]
    assert held.draft["check-2"] == "on"
    assert 'name="base_version" value="1"' in html


def test_a_plain_form_that_is_late_keeps_the_text_as_the_draft(anna, held):
    expire(held)
    response = submit_form(anna, held)
    assert response.status_code == 410
    assert "Your hold on this clip has ended" in response.content.decode()
    held.refresh_from_db()
    assert held.draft["overview"] == WRITE_UP["overview"]


def test_a_plain_form_in_conflict_shows_both_versions(anna, held):
    fill_draft(held, overview="Theirs.")
    response = submit_form(anna, held, base_version=0)
    html = response.content.decode()
    assert response.status_code == 409
    assert WRITE_UP["overview"] in html
    assert "The version that is stored now" in html
    assert '<p class="reading" dir="auto">Theirs.</p>' in html
    assert 'data-version="0"' in html  # a script then asks which to keep
    held.refresh_from_db()
    assert held.draft == {"overview": "Theirs."}


def test_a_plain_form_too_long_to_keep_is_shown_again_whole(anna, held):
    response = submit_form(anna, held, {**WRITE_UP, "misc": "b" * 20_001})
    assert response.status_code == 400
    assert "b" * 20_001 in response.content.decode()


def test_who_may(anna, ben, olaf, held):
    assert [submit(person, held).status_code for person in (ben, olaf, anna)] == [404, 404, 200]

"""The dynamics check: its page, its plain form, and who may do it."""

from uuid import uuid4

import pytest
from django.urls import reverse

from annotate.models import Assignment, DynamicsVerdict
from tests.cast import client_of, count_queries, make_project, make_video
from tests.hand_work import DYNAMIC, STATIC, hold_check, judge
from tests.markup import squeezed
from tests.work import fill_draft

pytestmark = pytest.mark.django_db


@pytest.fixture
def project(db):
    return make_project(protocol="lovr")


def page(person, held):
    return client_of(person).get(reverse("annotate:work", args=[held.pk]))


def submit(person, held, **content):
    data = {"key": uuid4(), "base_version": held.draft_version, **content}
    return client_of(person).post(reverse("annotate:submit", args=[held.pk]), data)


def claim(person, project):
    return client_of(person).post(reverse("annotate:claim", args=[project.slug, "dynamics"]))


def test_it_shows_the_draft_and_how_much_was_watched(project, anna):
    held = hold_check(anna, make_video(project))
    fill_draft(held, verdict="static", remark="A <b>lecture</b>.")
    Assignment.objects.filter(pk=held.pk).update(watched=[[0, 50], [100, 125]])
    response = page(anna, held)
    assert response.context["watching"].percent == 30
    assert 'data-watched="0-50 100-125"' in response.text
    assert "A &lt;b&gt;lecture&lt;/b&gt;." in response.text
    assert 'aria-describedby="static-help" checked>' in squeezed(response.text)
    assert 'aria-describedby="dynamic-help" checked>' not in response.text


def test_it_says_nothing_of_the_other_verdict(project, anna, rita):
    video = make_video(project)
    theirs = hold_check(rita, video)
    judge(theirs, {**STATIC, "remark": "A choir that stands."})
    text = page(anna, hold_check(anna, video)).text
    assert "A choir that stands." not in text
    assert "Rita" not in text
    assert page(anna, theirs).status_code == 404


def test_a_plain_form_submits_and_leads_to_the_next_page(project, anna):
    held = hold_check(anna, make_video(project))
    response = submit(anna, held, verdict="dynamic")
    assert response.headers["Location"] == reverse("annotate:my_work", args=[project.slug])
    assert DynamicsVerdict.objects.get().is_dynamic


def test_a_plain_form_without_a_verdict_comes_back_with_what_was_typed(project, anna):
    held = hold_check(anna, make_video(project))
    response = submit(anna, held, remark="Hard to tell.")
    assert response.status_code == 422
    assert response.text.count("Choose one: is the video dynamic or not?") == 2
    assert "Hard to tell." in response.text
    assert not DynamicsVerdict.objects.exists()


def test_a_plain_form_asks_once_whether_the_video_was_looked_through(project, anna):
    held = hold_check(anna, make_video(project))
    response = submit(anna, held, verdict="static", looked="ask")
    assert response.status_code == 422
    assert response.text.count("Have you looked through the whole video? Tick it.") == 2
    assert 'href="#looked"' in response.text
    without_scripts = response.text.split('id="looked-field"')[1].split("</noscript>")[0]
    fields = [part.split('"')[0] for part in without_scripts.split('name="looked" value="')[1:]]
    assert fields == ["", "ask", "yes"]
    assert not DynamicsVerdict.objects.exists()
    held.refresh_from_db()
    assert submit(anna, held, verdict="static", looked=fields).status_code == 302
    assert not DynamicsVerdict.objects.get().is_dynamic


@pytest.mark.parametrize(("watched", "asks"), [(124, True), (125, False)])
def test_who_watched_half_of_it_is_not_asked(project, anna, watched, asks):
    held = hold_check(anna, make_video(project, frames=250))
    Assignment.objects.filter(pk=held.pk).update(watched=[[0, watched]])
    text = page(anna, held).text
    assert ("I have looked through the whole video" in text) is asks
    assert 'data-enough="50"' in text


def test_a_submitted_verdict_is_shown_and_not_changed(project, anna):
    held = hold_check(anna, make_video(project))
    judge(held, DYNAMIC)
    text = page(anna, held).text
    assert 'aria-describedby="dynamic-help" checked disabled>' in squeezed(text)
    assert 'aria-describedby="static-help" disabled>' in squeezed(text)
    assert submit(anna, held, verdict="static").status_code == 410
    assert DynamicsVerdict.objects.get().is_dynamic


@pytest.mark.parametrize(("person", "status"), [("anna", 302), ("rita", 302), ("emil", 403)])
def test_annotators_and_reviewers_may_take_it(request, project, person, status):
    hold_check(request.getfixturevalue("ben"), make_video(project))
    assert claim(request.getfixturevalue(person), project).status_code == status


def test_nobody_judges_a_video_twice(project, anna):
    judge(hold_check(anna, make_video(project)), STATIC)
    assert claim(anna, project).headers["Location"] == reverse(
        "annotate:my_work", args=[project.slug]
    )
    assert Assignment.objects.count() == 1


def test_it_asks_the_database_equally_often_at_any_length(project, anna):
    held = hold_check(anna, make_video(project))
    client, url = client_of(anna), reverse("annotate:work", args=[held.pk])
    counts = []
    for intervals in (1, 3):
        Assignment.objects.filter(pk=held.pk).update(
            watched=[[10 * n, 10 * n + 5] for n in range(intervals)]
        )
        with count_queries() as count:
            client.get(url)
        counts.append(int(count))
    assert counts[0] == counts[1]

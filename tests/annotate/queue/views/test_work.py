"""GET work/<id>/: the work page of one's own assignment."""

import pytest
from django.urls import reverse

from annotate.models import Assignment
from annotate.queue import services as queue
from tests.cast import client_of, count_queries, make_clip
from tests.markup import shows
from tests.work import fill_draft, hold, make_work

pytestmark = pytest.mark.django_db


def page(person, assignment):
    return client_of(person).get(reverse("annotate:work", args=[assignment.pk]))


def test_it_shows_the_form_with_the_draft(project, anna):
    assignment = hold(anna, make_work(make_clip(project)))
    fill_draft(assignment, overview="A <b>diver</b> jumps.", **{"check-1": "on"})
    html = page(anna, assignment).content.decode()
    assert "A &lt;b&gt;diver&lt;/b&gt; jumps.</textarea>" in html
    assert shows(html, 'name="check-1" checked')
    assert 'name="check-0" checked' not in html
    assert "readonly" not in html


def test_it_keeps_a_leading_line_break_of_a_text(project, anna):
    assignment = hold(anna, make_work(make_clip(project)))
    fill_draft(assignment, objects="\nA board.")
    assert ">\n\nA board.</textarea>" in page(anna, assignment).content.decode()


def test_it_never_comes_from_a_cache(project, anna):
    assignment = hold(anna, make_work(make_clip(project)))
    assert "no-store" in page(anna, assignment)["Cache-Control"]


@pytest.mark.parametrize(
    ("state", "message", "button"),
    [
        ("expired", "Your hold on this clip has ended", "Take it again"),
        ("skipped", "You skipped this clip", "Take it again"),
        ("returned", "Your text is here as you left it", "Resume"),
    ],
)
def test_work_that_is_not_held_is_only_read(project, anna, state, message, button):
    assignment = hold(anna, make_work(make_clip(project)))
    Assignment.objects.filter(pk=assignment.pk).update(state=state)
    html = page(anna, assignment).content.decode()
    assert message in html
    assert shows(html, button)
    assert html.count(" readonly>") == 4
    assert 'value="next"' not in html


def test_submitted_work_is_shown_as_it_was_sent(project, anna):
    assignment = hold(anna, make_work(make_clip(project)))
    fill_draft(assignment, overview="A diver jumps.")
    Assignment.objects.filter(pk=assignment.pk).update(
        state="submitted", submitted_at=assignment.claimed_at
    )
    html = page(anna, assignment).content.decode()
    assert "It is shown as you sent it." in html
    assert "A diver jumps." in html
    assert "Take it again" not in html


def test_it_shows_who_sent_it_back_and_why(project, anna, emil):
    assignment = hold(anna, make_work(make_clip(project)))
    Assignment.objects.filter(pk=assignment.pk).update(
        return_comment="<i>Say</i> which hand.", returned_by=emil
    )
    html = page(anna, assignment).content.decode()
    assert "Emil sent this back" in html
    assert "&lt;i&gt;Say&lt;/i&gt; which hand." in html


def test_it_names_the_clip_that_comes_next(project, anna):
    assignment = hold(anna, make_work(make_clip(project)))
    upcoming = make_work(make_clip(project)).clip
    html = page(anna, assignment).content.decode()
    assert reverse("annotate:media_playback", args=[project.slug, upcoming.video_id]) in html


def test_only_its_author_gets_it(project, anna, ben, ada, olaf):
    assignment = hold(anna, make_work(make_clip(project)))
    assert [page(person, assignment).status_code for person in (anna, ben, ada, olaf)] == [
        200,
        404,
        404,
        404,
    ]


def test_its_author_loses_it_on_leaving_the_project(project, anna):
    assignment = hold(anna, make_work(make_clip(project)))
    anna.memberships.all().delete()
    assert page(anna, assignment).status_code == 404


def test_it_is_only_read_by_get(project, anna):
    assignment = hold(anna, make_work(make_clip(project)))
    url = reverse("annotate:work", args=[assignment.pk])
    assert client_of(anna).post(url).status_code == 405


def test_it_asks_the_database_equally_often_at_any_size(project, anna):
    assignment = hold(anna, make_work(make_clip(project)))
    make_work(make_clip(project))
    client = client_of(anna)
    url = reverse("annotate:work", args=[assignment.pk])
    client.get(url)
    with count_queries() as few:
        client.get(url)
    for _ in range(3):
        make_work(make_clip(project))
    with count_queries() as many:
        client.get(url)
    assert int(few) == int(many)


def test_everybody_works_on_through_the_queue(project, anna):
    make_work(make_clip(project))
    membership = anna.memberships.select_related("project", "user").get()
    assignment = queue.claim_next(membership=membership, kind="write")
    assert page(anna, assignment).status_code == 200

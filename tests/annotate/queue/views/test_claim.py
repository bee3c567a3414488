"""POST p/<slug>/claim/<kind>/: take the next piece of work."""

import pytest
from django.urls import reverse

from annotate.models import Assignment, WorkItem
from tests.cast import client_of, count_queries, make_clip, make_person
from tests.work import hold, make_work, submit_write_up

pytestmark = pytest.mark.django_db


def claim(person, project, kind="write", **options):
    return client_of(person).post(reverse("annotate:claim", args=[project.slug, kind]), **options)


def test_it_leads_to_the_best_free_clip(project, anna):
    make_work(make_clip(project))
    urgent = make_work(make_clip(project), priority=2)
    response = claim(anna, project)
    assignment = Assignment.objects.get()
    assert assignment.item == urgent
    assert response.url == reverse("annotate:work", args=[assignment.pk])


def test_it_leads_back_to_what_is_held(project, anna):
    held = hold(anna, make_work(make_clip(project)))
    make_work(make_clip(project), priority=2)
    assert claim(anna, project).url == reverse("annotate:work", args=[held.pk])
    assert Assignment.objects.count() == 1


def test_nothing_to_take_says_so(project, anna):
    response = claim(anna, project, follow=True)
    assert response.redirect_chain == [(reverse("annotate:my_work", args=[project.slug]), 302)]
    assert "Write: nothing to do for you now." in response.content.decode()


def test_nobody_merges_their_own_write_up(project, anna, emil):
    both = make_person("Bea", project, "annotator", "expert")
    item = make_work(make_clip(project))
    submit_write_up(anna, item)
    submit_write_up(both, item)
    assert WorkItem.objects.filter(kind="merge").count() == 1
    claim(both, project, "merge")
    assert not Assignment.objects.filter(item__kind="merge").exists()
    claim(emil, project, "merge")
    assert Assignment.objects.get(item__kind="merge").annotator == emil


@pytest.mark.parametrize(
    ("person", "kind", "status"),
    [
        ("anna", "write", 302),
        ("anna", "merge", 403),
        ("anna", "split", 302),
        ("emil", "merge", 302),
        ("emil", "write", 403),
        ("rita", "write", 403),
        ("olaf", "write", 404),
        ("anna", "nonsense", 404),
    ],
)
def test_who_may(request, project, person, kind, status):
    assert claim(request.getfixturevalue(person), project, kind).status_code == status


def test_it_is_a_post(project, anna):
    url = reverse("annotate:claim", args=[project.slug, "write"])
    assert client_of(anna).get(url).status_code == 405


def test_it_asks_the_database_equally_often_at_any_size(project, anna, ben):
    make_work(make_clip(project))
    with count_queries() as few:
        claim(anna, project)
    for _ in range(3):
        make_work(make_clip(project))
    with count_queries() as many:
        claim(ben, project)
    assert int(few) == int(many)

"""POST assignments/<id>/guideline-seen/, and what the work page shows before and after it."""

import json
import re

import pytest
from django.urls import reverse

from annotate.models import SeenGuideline, WorkRules
from tests.cast import client_of, count_queries, make_clip
from tests.work import hold, make_work

pytestmark = pytest.mark.django_db


@pytest.fixture
def held(project, anna):
    return hold(anna, make_work(make_clip(project)))


def page(person, held):
    return client_of(person).get(reverse("annotate:work", args=[held.pk]))


def version_on(person, held):
    match = re.search(r'data-version="(\w+)" data-seen-url', page(person, held).text)
    return match and match[1]


def tell(person, held, version):
    url = reverse("annotate:guideline_seen", args=[held.pk])
    body = json.dumps({"version": version})
    return client_of(person).post(url, body, content_type="application/json")


def test_a_change_is_marked_until_it_was_seen(project, anna, held):
    assert tell(anna, held, version_on(anna, held)).json() == {"is_current": True}
    assert version_on(anna, held) is None
    WorkRules.objects.create(project=project, kind="write", guideline="Look twice.")
    html = page(anna, held).text
    assert "This guideline has changed since you last read it." in html
    assert "1 paragraph is new and marked." in " ".join(html.split())
    assert tell(anna, held, version_on(anna, held)).json() == {"is_current": True}
    assert "This guideline has changed" not in page(anna, held).text
    assert SeenGuideline.objects.count() == 1


def test_a_first_look_marks_nothing(anna, held):
    assert "This guideline has changed" not in page(anna, held).text


def test_a_text_that_changed_meanwhile_is_shown_the_next_time(project, anna, held):
    version = version_on(anna, held)
    WorkRules.objects.create(project=project, kind="write", guideline="Look twice.")
    assert tell(anna, held, version).json() == {"is_current": False}
    assert not SeenGuideline.objects.exists()


def test_each_kind_and_each_person_has_their_own(project, anna, ben, held):
    tell(anna, held, version_on(anna, held))
    split = hold(anna, make_work(make_clip(project), "split"))
    others = hold(ben, make_work(make_clip(project)))
    assert version_on(anna, split)
    assert version_on(ben, others)


def test_looking_back_marks_nothing(project, anna, held):
    tell(anna, held, version_on(anna, held))
    WorkRules.objects.create(project=project, kind="write", guideline="Look twice.")
    held.state = "skipped"
    held.save()
    assert "This guideline has changed" not in page(anna, held).text


def test_broken_json_is_refused(anna, held):
    url = reverse("annotate:guideline_seen", args=[held.pk])
    refused = client_of(anna).post(url, "{", content_type="application/json")
    assert refused.status_code == 400
    assert not SeenGuideline.objects.exists()


def test_the_marks_cost_the_page_no_query(project, anna, held):
    def queries():
        with count_queries() as count:
            page(anna, held)
        return int(count)

    queries()
    first = queries()
    tell(anna, held, version_on(anna, held))
    WorkRules.objects.create(project=project, kind="write", guideline="Look twice.")
    assert queries() == first

"""The sidebar: what is open, what is kept in the browser, and what it costs."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from annotate.models import Membership
from review.navigation.sidebar import sidebar_html
from tests.cast import client_of, count_queries, make_person, make_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def project(db):
    return make_project(protocol="lovr")


def page(person, project, cookie: str = "", name: str = "annotate:corpus") -> str:
    client = client_of(person)
    if cookie:
        client.cookies["sidebar"] = cookie
    return client.get(reverse(name, args=[project.slug])).text


def open_groups(text: str) -> list[str]:
    return re.findall(r'<details data-group="(\w+)" open>', text)


def test_an_admin_has_the_current_group_and_work_open(project):
    ada = make_person("Ada", project, "admin")
    assert open_groups(page(ada, project)) == ["work", "corpus"]
    assert open_groups(page(ada, project, name="inference:runs")) == ["work", "models"]


def test_a_person_with_few_pages_has_every_group_open(project):
    assert open_groups(page(make_person("Anna", project, "annotator"), project)) == [
        "work",
        "corpus",
        "releases",
    ]


def test_groups_stay_as_the_person_left_them(project):
    ada = make_person("Ada", project, "admin")
    text = page(ada, project, "docked.quality.models")
    assert open_groups(text) == ["corpus", "models", "quality"]
    assert open_groups(page(ada, project, "docked")) == ["work", "corpus"]
    assert open_groups(page(ada, project, "docked.")) == ["corpus"]


def test_it_lies_beside_the_page_until_the_person_hides_it(project):
    ada = make_person("Ada", project, "admin")
    assert '<body class="docked">' in page(ada, project)
    assert '<body class="">' in page(ada, project, "drawer.work")


def test_a_cookie_that_somebody_made_up_changes_nothing(project):
    ada = make_person("Ada", project, "admin")
    text = page(ada, project, 'docked."><script>.work')
    assert open_groups(text) == ["work", "corpus"]
    assert "<script>.work" not in text


def test_a_page_outside_a_project_has_none(project):
    text = client_of(make_person("Ada", project, "admin")).get("/").text
    assert "sidebar" not in text.replace("sidebar.css", "").replace("sidebar.js", "")
    assert '<body class="">' in text


@pytest.mark.parametrize(("corrections", "queries"), [("keep_out", 0), ("decide", 1)])
def test_it_costs_no_query_but_for_corrections_that_wait(project, rf, corrections, queries):
    ada = make_person("Ada", project, "admin")
    membership = Membership.objects.select_related("project", "user").get(user=ada)
    membership.project.study_corrections = corrections
    with count_queries() as count:
        sidebar_html(rf.get(reverse("annotate:corpus", args=[project.slug])), membership)
    assert len(count.statements) == queries

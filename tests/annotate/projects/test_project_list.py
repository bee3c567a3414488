"""The list of a person's projects: progress, what waits for them, and the last activity."""

from __future__ import annotations

import pytest
from django.urls import reverse

from annotate.audit import record_event
from annotate.models import AssignedSubcategory, Clip, Membership, Project, Video, WorkItem
from annotate.projects.project_list import project_rows
from tests.cast import (
    client_of,
    count_queries,
    join,
    make_clip,
    make_person,
    make_project,
)
from tests.work import hold, make_work

pytestmark = pytest.mark.django_db


@pytest.fixture
def project(db):
    return make_project()


@pytest.fixture
def anna(project):
    return make_person("Anna", project, "annotator")


def row_of(person):
    [row] = project_rows(person)
    return row


def test_work_waits_until_the_person_has_taken_it(project, anna):
    assert row_of(anna).waiting == []
    item = make_work(make_clip(project), needed=2)
    assert row_of(anna).waiting == ["Write"]
    hold(anna, item)
    assert (row_of(anna).waiting, row_of(anna).held) == ([], 1)


def test_work_of_another_role_does_not_wait(project, anna):
    make_work(make_clip(project), kind="merge")
    assert row_of(anna).waiting == []


def test_work_of_subcategories_of_others_does_not_wait(project, anna):
    make_work(make_clip(project, category="Sports", subcategory="diving"))
    Project.objects.filter(pk=project.pk).update(assigned_work="only")
    assert row_of(anna).waiting == ["Write"]
    member = Membership.objects.get(user=anna)
    share = AssignedSubcategory.objects.create(membership=member, category="Music")
    assert row_of(anna).waiting == []
    AssignedSubcategory.objects.filter(pk=share.pk).update(category="Sports")
    assert row_of(anna).waiting == ["Write"]


def test_progress_counts_the_work_of_everybody_but_cancelled(project, anna):
    for state in ("done", "open", "cancelled"):
        WorkItem.objects.create(project=project, clip=make_clip(project), kind="write", state=state)
    row = row_of(anna)
    assert (row.done, row.items, row.percent) == (1, 2, 50)


def test_clips_that_are_left_out_of_the_benchmark_are_not_counted(project, anna):
    _, withdrawn, of_excluded = (make_clip(project) for _ in range(3))
    Clip.objects.filter(pk=withdrawn.pk).update(excluded_because="Blurred.")
    Video.objects.filter(clips=of_excluded).update(excluded_because="Too dark.")
    assert row_of(anna).clips == 1


def test_the_last_activity_is_that_of_the_project(project, anna):
    assert row_of(anna).last_at is None
    event = record_event(actor=anna, verb="made", subject=project, project=project)
    record_event(actor=anna, verb="made", subject=anna, project=make_project("Other"))
    assert row_of(anna).last_at == event.at


def test_a_person_without_a_project_is_told_what_to_do(db):
    page = client_of(make_person("Olaf")).get(reverse("annotate:projects")).text
    assert "Ask your project’s admin for an invitation link" in page


def test_the_page_takes_as_many_queries_for_one_project_as_for_three(project, anna):
    client = client_of(anna)
    url = reverse("annotate:projects")
    client.get(url)
    with count_queries() as queries_for_one:
        client.get(url)
    for number in range(2):
        other = make_project(f"Other {number}")
        join(other, anna, "annotator", "expert", "reviewer", "admin")
        make_work(make_clip(other))
    with count_queries() as queries_for_three:
        page = client.get(url).text
    assert len(queries_for_three.statements) == len(queries_for_one.statements)
    assert "Waiting for you: Write" in page

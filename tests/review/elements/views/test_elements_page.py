"""The page on which people correct the elements of a caption."""

import re

import pytest
from django.db import connection
from django.urls import reverse

from annotate.models import Assignment, Caption, WorkItem
from review.elements.models import Extraction
from review.elements.services import hand_out_elements
from tests.cast import client_of, count_queries, make_cast, make_project
from tests.review.capst.capst_runs import (
    caption,
    described_clip,
    judge,
    start,
    word_overlap,
)
from tests.work import hold

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made(kept):
    """A clip, and Anna's hold on the elements of its temporal caption."""
    project = make_project()
    world = {"project": project, **make_cast(project), "clip": described_clip(project)}
    judge(run=start(project, None, word_overlap(project)))
    hand_out_elements(project=project, preset="default", admin=None)
    temporal = Caption.objects.get(project=project, kind="temporal")
    item = WorkItem.objects.get(kind="elements", subject=temporal.pk)
    return world | {"held": hold(world["anna"], item)}


@pytest.fixture
def clip(shared):
    return shared["clip"]


@pytest.fixture
def held(shared) -> Assignment:
    return shared["held"]


def work(anna, held) -> str:
    return client_of(anna).get(reverse("annotate:work", args=[held.pk])).content.decode()


def keys(page) -> dict[str, str]:
    return dict(re.findall(r'name="((?:events|objects)_list)" value="(\d+)"', page))


def test_the_page_sends_which_lists_it_showed(anna, held):
    lists = Extraction.objects.filter(caption=held.item.subject)
    assert keys(work(anna, held)) == {
        f"{extraction.kind}_list": str(extraction.pk) for extraction in lists
    }


def test_another_list_found_meanwhile_is_shown_beside_what_was_typed(project, anna, held):
    fields = {"key": "7f1c7c4e-0d0c-4b86-9a0a-0a3c9ad6b9d1", "base_version": 0}
    fields |= {"events": "she waves", "objects": "x", **keys(work(anna, held))}
    other = Extraction.objects.create(
        caption_id=held.item.subject, kind="events", elements=["a <b>pot</b> boils"],
        recipe="f" * 64, method="other", model=word_overlap(project),
    )  # fmt: skip
    url = reverse("annotate:submit", args=[held.pk])
    refused = client_of(anna).post(url, fields)
    assert refused.status_code == 400
    page = work(anna, held)
    for page_text in (refused.content.decode(), page):
        assert "A newer list exists, with 1 event." in page_text
        assert "a &lt;b&gt;pot&lt;/b&gt; boils" in page_text
        assert "\nshe waves</textarea>" in page_text
    assert "The list of events has changed since you started" in (refused.content.decode())
    fields |= {"base_version": 1, **keys(page)}
    assert client_of(anna).post(url, fields).status_code == 302
    stored = Extraction.objects.get(author=anna, kind="events")
    assert (stored.elements, stored.parent) == (["she waves"], other)


def test_the_lists_are_there_to_be_corrected(anna, held):
    page = work(anna, held)
    assert "\nA woman picks up a knife\nShe slices a tomato</textarea>" in page
    assert "2 events" in page
    assert "2 found by word-overlap 1." in page


def test_typed_elements_are_counted_and_checked(anna, held):
    url = reverse("review:check_elements", args=[held.pk, "objects"])
    page = client_of(anna).post(url, {"objects": "a long red coat\n\na <b>"}).content.decode()
    assert "2 objects" in page
    assert "Two attributes? It has “long”, “red”." in page
    assert client_of(anna).post(url.replace("objects", "colours")).status_code == 404


def test_other_work_is_not_checked(project, clip, anna):
    other = hold(anna, WorkItem.objects.create(project=project, clip=clip, kind="write"))
    url = reverse("review:check_elements", args=[other.pk, "events"])
    assert client_of(anna).post(url).status_code == 404


def test_a_repeated_line_is_reported_on_the_page(anna, held):
    url = reverse("annotate:submit", args=[held.pk])
    key = "7f1c7c4e-0d0c-4b86-9a0a-0a3c9ad6b9d1"
    fields = {"key": key, "base_version": 0, "events": "a\na", "objects": "x"}
    fields |= keys(work(anna, held))
    response = client_of(anna).post(url, fields)
    assert response.status_code == 422
    assert "Line 2 repeats line 1." in response.content.decode()


def test_the_work_is_named_by_its_clip_and_caption(project, clip, anna, held):
    page = client_of(anna).get(reverse("annotate:my_work", args=[project.slug]))
    assert f"{clip.short_name}, temporal" in page.content.decode()


def test_the_page_says_that_a_newer_caption_exists(clip, anna, held):
    caption(clip, "temporal", "Imported, so no reference.", "imported")
    assert "A newer caption exists" not in work(anna, held)
    caption(clip, "temporal", "Another.")
    assert "A newer caption exists" in work(anna, held)


def rows_read(anna, held) -> int:
    """Return how many rows one view of the page fetches."""
    with count_queries() as queries:
        work(anna, held)
    rows = 0
    with connection.cursor() as cursor:
        for sql in queries.statements:
            if sql.startswith("SELECT"):
                cursor.execute(sql)
                rows += len(cursor.fetchall())
    return rows


def test_a_view_reads_no_more_where_the_project_has_more_captions(project, anna, held):
    before = rows_read(anna, held)
    for _ in range(3):
        described_clip(project)
    assert rows_read(anna, held) == before

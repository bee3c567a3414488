"""Pages on which nothing has happened yet, and work that nobody can change any more."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from annotate.models import Project
from tests.browser.looks import schemes
from tests.hand_work import STATIC, hold_check, judge

IN_BOTH_SCHEMES = ("/p/dives/models/", "/p/dives/runs/", "/p/dives/runs/new/?kind=caption")
IN_ONE = (
    *("/p/dives/runs/new/?kind=refine", "/p/dives/ratings/", "/p/dives/ratings/examples/"),
    *("/p/dives/agreement/", "/p/dives/leaderboard/"),
)


def test_pages_without_content_have_no_accessibility_fault(page_of, project, ada, rita, axe):
    page = page_of(ada)
    for address in (*IN_ONE, *IN_BOTH_SCHEMES):
        response = page.goto(address)
        assert response.status == 200, address
        for _ in schemes(page) if address in IN_BOTH_SCHEMES else ("light",):
            axe(page)
    reviewer = page_of(rita)
    reviewer.goto(reverse("review:votes", args=[project.slug]))
    expect(reviewer.get_by_role("heading", name="No votes yet")).to_be_visible()
    axe(reviewer)


@pytest.fixture
def video(project, make_playable_clip):
    Project.objects.filter(pk=project.pk).update(protocol="lovr")
    return make_playable_clip(project).video


def test_submitted_work_has_no_accessibility_fault(page_of, anna, video, axe):
    held = hold_check(anna, video)
    judge(held, STATIC)
    page = page_of(anna)
    page.goto(reverse("annotate:work", args=[held.pk]))
    expect(page.get_by_role("radio", name="Not dynamic")).to_be_disabled()
    axe(page)

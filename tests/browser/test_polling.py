"""A page that asks again by itself says when the server doesn't answer, until it does."""

import pytest
from playwright.sync_api import expect

from tests.cast import make_clip
from tests.inference.cast import make_model, start_run

TROUBLE = "The server doesn’t answer; retrying."


@pytest.fixture
def run(project):
    make_clip(project)
    return start_run(project=project, kind="caption", model=make_model(project))


def test_a_page_says_that_the_server_is_away_until_it_is_back(
    page_of, project, ada, run, console_errors
):
    console_errors.expect("htmx:|Failed to load resource|Response Status Error Code 502")
    page = page_of(ada)
    live = f"**/runs/{run.pk}/live/**"
    page.goto(f"/p/{project.slug}/runs/{run.pk}/")
    status = page.locator("#server-state")
    expect(status).to_have_attribute("role", "status")
    expect(status).to_have_text("")
    for away in (lambda route: route.abort(), gateway):
        page.route(live, away)
        expect(status).to_have_text(TROUBLE)
        expect(status).to_be_in_viewport()
        page.unroute(live)
        expect(status).to_have_text("")


def gateway(route):
    route.fulfill(status=502, body="Bad Gateway")

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


@pytest.mark.parametrize("trouble", ["no answer", "a gateway's answer"])
def test_a_page_says_that_the_server_is_away_until_it_is_back(
    page_of, project, ada, run, console_errors, trouble
):
    console_errors.expect("htmx:|Failed to load resource|Response Status Error Code 502")
    page = page_of(ada)
    live = f"**/runs/{run.pk}/live/**"
    away = {"no answer": lambda route: route.abort(), "a gateway's answer": gateway}[trouble]
    page.goto(f"/p/{project.slug}/runs/{run.pk}/")
    status = page.locator("#server-state")
    expect(status).to_have_attribute("role", "status")
    expect(status).to_have_text("")
    page.route(live, away)
    expect(status).to_have_text(TROUBLE)
    expect(status).to_be_in_viewport()
    page.unroute(live)
    expect(status).to_have_text("")


def gateway(route):
    route.fulfill(status=502, body="Bad Gateway")

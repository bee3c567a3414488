"""The leaderboard and the correlation in a real browser: read, asked for, and on a phone."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from review.reports.services import recompute
from review.rounds.services import end_round
from tests.browser.looks import scrolls_sideways, widths
from tests.cast import make_clip
from tests.metrics.planted_votes import planted_votes
from tests.review.comparisons.comparing import start_round
from tests.review.comparisons.rounds import cast
from tests.review.leaderboard.correlation import capst, overlap
from tests.review.reports.addresses import address as address_in
from tests.review.reports.computing import compute_as_asked

CATEGORIES = ["Sports & Exercise", "Household Activities", "Personal Care"]
NAMES = [f"{bird} Video 7B" for bird in ("Avocet", "Bittern", "Crane", "Dunlin", "Egret", "Gannet")]


@pytest.fixture
def voted(project):
    """240 votes of four reviewers on six models, two of them left out."""
    clips = [make_clip(project, category=CATEGORIES[number % 3]) for number in range(9)]
    round = start_round(project, clips, NAMES)
    planted = planted_votes(n_votes=237, n_reviewers=4, n_clips=9, seed=3)
    names = dict(zip(sorted(planted.true), NAMES, strict=True))
    for number, (left, right, outcome) in enumerate(planted.comparisons):
        who = f"R{number // 9 % 4}-{number // 36}"
        cast(round, names[left], names[right], outcome, who, clips[number % 9])
    first = cast(round, NAMES[0], NAMES[1], "left", "R1", clips[0])
    cast(round, NAMES[1], NAMES[0], "left", "R1", clips[0], repeat_of=first)
    cast(round, NAMES[0], NAMES[5], "right", "R2", clips[1], reasons=["names_model"])
    for place, entrant in enumerate(round.entrants.order_by("pk")):
        overlap(
            project,
            entrant.caption_set,
            bleu4=[1.5, 3.0, 1.3, 2.2, 1.2, 1.2][place],
            meteor=[12.0, 15.5, 11.4, 13.9, 9.3, 10.0][place],
            rouge_l=15.0 + place,
            cider=[0.0, 1.9, 0.9, 2.5, 0.0, 0.0][place],
        )
        capst(project, entrant.caption_set, 26.0 + 1.7 * place, 24.0 + place)
    return round


def address(name, round):
    return address_in(name, round.project)


def test_the_ratings_come_while_the_page_waits(page_of, voted, rita, axe, screenshot):
    page = page_of(rita)
    page.goto(address("leaderboard", voted))
    axe(page)
    page.get_by_role("button", name="Compute").click()
    expect(page.get_by_text("They appear here when ready")).to_be_visible()
    compute_as_asked(voted.project, "leaderboard")
    expect(page.get_by_role("heading", name="Bradley–Terry")).to_be_visible()
    axe(page)
    screenshot(page, "leaderboard", full_page=True)
    asked = page.get_by_text("The prompt of each model.")
    expect(asked).to_be_hidden()
    page.get_by_role("link", name="prompt unknown").first.click()  # a link into a fold opens it
    expect(asked).to_be_visible()
    page.get_by_text("Prompt and theme of each model").click()
    for summary in page.locator("main details:not(.menu) > summary").all():
        summary.click()
    axe(page)
    screenshot(page, "leaderboard-open", full_page=True)
    page.get_by_role("button", name="Copy the signature").click()
    expect(page.get_by_role("button", name="the signature")).to_contain_text("ed the signature")
    page.get_by_role("link", name="View votes left out").click()
    expect(page.get_by_role("heading", name="Votes left out")).to_be_visible()
    axe(page)


def test_the_votes_left_out_of_an_ended_round(page_of, voted, rita, axe, screenshot):
    recompute(project=voted.project, name="leaderboard")
    end_round(round=voted, admin=None)
    page = page_of(rita)
    page.goto(reverse("review:filtered_votes", args=[voted.project.slug, voted.pk]))
    page.get_by_label("Why").select_option("names_model")
    page.get_by_role("button", name="Filter").click()
    expect(page.get_by_role("cell", name=NAMES[5])).to_be_visible()
    axe(page)
    assert [width for width in widths(page) if scrolls_sideways(page)] == []
    screenshot(page, "leaderboard-filtered", full_page=True)


def test_a_file_is_brought_home_by_keyboard(page_of, voted, rita):
    recompute(project=voted.project, name="leaderboard")
    page = page_of(rita)
    page.goto(address("leaderboard", voted))
    page.locator("summary", has_text="Download").focus()
    page.keyboard.press("Enter")
    with page.expect_download() as download:
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
    assert download.value.suggested_filename == "dives-round-1-ratings.csv"


def test_the_metrics_are_read_against_either_rating(page_of, voted, rita, axe, screenshot):
    recompute(project=voted.project, name="leaderboard")
    recompute(project=voted.project, name="correlation")
    page = page_of(rita)
    page.goto(address("correlation", voted))
    expect(page.get_by_role("heading", name="BLEU@4")).to_be_visible()
    axe(page)
    screenshot(page, "correlation", full_page=True)
    page.get_by_role("link", name="With Elo").click()
    expect(page.get_by_role("region", name="Correlations with Elo")).to_be_visible()
    assert [width for width in widths(page) if scrolls_sideways(page)] == []


def test_empty_pages_say_what_to_do(page_of, project, rita, axe, screenshot):
    page = page_of(rita)
    for name in ("leaderboard", "correlation"):
        page.goto(address_in(name, project))
        axe(page)
        screenshot(page, f"{name}-empty", full_page=True)


def test_on_a_phone_every_number_and_its_picture_are_in_sight(page_of, voted, rita, axe):
    recompute(project=voted.project, name="leaderboard")
    page = page_of(rita)
    page.goto(address("leaderboard", voted))
    assert [width for width in widths(page) if scrolls_sideways(page)] == []
    for name in ("Ratings by Bradley–Terry", "Elo scores"):
        table = page.get_by_role("region", name=name)
        assert table.evaluate("one => one.scrollWidth <= one.clientWidth")
        for row in table.locator("tbody tr").all():
            numbers = row.locator("td:not(.interval)").last.bounding_box()
            picture = row.locator("svg").bounding_box()
            assert picture["y"] >= numbers["y"] + numbers["height"]
            assert picture["x"] + picture["width"] <= 390
    axe(page)

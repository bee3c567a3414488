"""The leaderboard and the correlation in a real browser: read, asked for, and on a phone."""

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

# Where the last number of each row and its picture are.
BOXES = """table => [...table.querySelectorAll("tbody tr")].map((row) => [
  [...row.querySelectorAll("td:not(.interval)")].at(-1), row.querySelector("svg"),
].map((part) => part.getBoundingClientRect().toJSON()))"""


def hold_a_round(project):
    """120 votes of four reviewers on six models, two of them left out."""
    clips = [make_clip(project, category=CATEGORIES[number % 3]) for number in range(9)]
    round = start_round(project, clips, NAMES)
    planted = planted_votes(n_votes=117, n_reviewers=4, n_clips=9, seed=3)
    names = dict(zip(sorted(planted.true), NAMES, strict=True))
    for number, (left, right, outcome) in enumerate(planted.comparisons):
        who = f"R{number // 9 % 4}-{number // 36}"
        cast(round, names[left], names[right], outcome, who, clips[number % 9])
    first = cast(round, NAMES[0], NAMES[1], "left", "R1", clips[0])
    cast(round, NAMES[1], NAMES[0], "left", "R1", clips[0], repeat_of=first)
    cast(round, NAMES[0], NAMES[5], "right", "R2", clips[1], reasons=["names_model"])
    for place, system in enumerate(round.systems.order_by("pk")):
        overlap(
            project,
            system.caption_set,
            bleu4=[1.5, 3.0, 1.3, 2.2, 1.2, 1.2][place],
            meteor=[12.0, 15.5, 11.4, 13.9, 9.3, 10.0][place],
            rouge_l=15.0 + place,
            cider=[0.0, 1.9, 0.9, 2.5, 0.0, 0.0][place],
        )
        capst(project, system.caption_set, 26.0 + 1.7 * place, 24.0 + place)
    return round


def address(name, round):
    return address_in(name, round.project)


def scrolling_widths(page) -> list[int]:
    return [width for width in widths(page) if scrolls_sideways(page)]


def widen(page):
    page.set_viewport_size({"width": 1280, "height": 800})


def test_from_the_votes_to_the_ratings_and_what_correlates_with_them(
    page_of, project, rita, axe, screenshot
):
    page = page_of(rita)
    check_empty_pages(page, project, axe, screenshot)
    voted = hold_a_round(project)
    check_ratings_come_while_the_page_waits(page, voted, axe, screenshot)
    check_every_number_and_its_picture_are_in_sight_on_a_phone(page, axe)
    widen(page)
    check_file_is_brought_home_by_keyboard(page)
    check_folded_parts(page, axe, screenshot)
    recompute(project=voted.project, name="correlation")
    check_metrics_are_read_against_either_rating(page, voted, axe, screenshot)
    widen(page)
    end_round(round=voted, admin=None)
    check_votes_left_out_of_an_ended_round(page, voted, axe, screenshot)


def check_ratings_come_while_the_page_waits(page, voted, axe, screenshot):
    page.goto(address("leaderboard", voted))
    axe(page)
    page.get_by_role("button", name="Compute").click()
    expect(page.get_by_text("They appear here when ready")).to_be_visible()
    compute_as_asked(voted.project, "leaderboard")
    expect(page.get_by_role("heading", name="Bradley–Terry")).to_be_visible()
    screenshot(page, "leaderboard", full_page=True)


def check_every_number_and_its_picture_are_in_sight_on_a_phone(page, axe):
    assert scrolling_widths(page) == []
    for name in ("Ratings by Bradley–Terry", "Elo scores"):
        table = page.get_by_role("region", name=name)
        assert table.evaluate("one => one.scrollWidth <= one.clientWidth")
        boxes = table.evaluate(BOXES)
        assert len(boxes) == len(NAMES)
        for numbers, picture in boxes:
            assert picture["top"] >= numbers["bottom"]
            assert picture["right"] <= 390
    axe(page)


def check_file_is_brought_home_by_keyboard(page):
    page.locator("summary", has_text="Download").focus()
    page.keyboard.press("Enter")
    with page.expect_download() as download:
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
    assert download.value.suggested_filename == "dives-round-1-ratings.csv"


def check_folded_parts(page, axe, screenshot):
    prompts_heading = page.get_by_text("The prompt of each model.")
    expect(prompts_heading).to_be_hidden()
    page.get_by_role("link", name="prompt unknown").first.click()  # a link into a fold opens it
    expect(prompts_heading).to_be_visible()
    page.get_by_text("Prompt and theme of each model").click()
    page.locator("main details:not(.menu)").evaluate_all(
        "folds => folds.forEach((fold) => { fold.open = true; })"
    )
    axe(page)
    screenshot(page, "leaderboard-open", full_page=True)
    page.get_by_role("button", name="Copy the signature").click()
    expect(page.get_by_role("button", name="the signature")).to_contain_text("ed the signature")
    page.get_by_role("link", name="View votes left out").click()
    expect(page.get_by_role("heading", name="Votes left out")).to_be_visible()
    axe(page)


def check_metrics_are_read_against_either_rating(page, voted, axe, screenshot):
    page.goto(address("correlation", voted))
    expect(page.get_by_role("heading", name="BLEU@4")).to_be_visible()
    axe(page)
    screenshot(page, "correlation", full_page=True)
    page.get_by_role("link", name="With Elo").click()
    expect(page.get_by_role("region", name="Correlations with Elo")).to_be_visible()
    assert scrolling_widths(page) == []


def check_votes_left_out_of_an_ended_round(page, voted, axe, screenshot):
    page.goto(reverse("review:filtered_votes", args=[voted.project.slug, voted.pk]))
    page.get_by_label("Why").select_option("names_model")
    page.get_by_role("button", name="Filter").click()
    expect(page.get_by_role("cell", name=NAMES[5])).to_be_visible()
    axe(page)
    assert scrolling_widths(page) == []
    screenshot(page, "leaderboard-filtered", full_page=True)


def check_empty_pages(page, project, axe, screenshot):
    for name in ("leaderboard", "correlation"):
        page.goto(address_in(name, project))
        axe(page)
        screenshot(page, f"{name}-empty", full_page=True)

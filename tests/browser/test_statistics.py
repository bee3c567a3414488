"""The page Statistics, in a real browser."""

import random

from django.urls import reverse

from review.reports.services import recompute
from tests.browser.looks import scrolls_sideways, widths_and_schemes
from tests.cast import join, make_project
from tests.review.statistics.corpus import caption, cut


def test_the_statistics_are_accessible_and_fit_a_phone(page_of, ada, axe, screenshot):
    project = make_project("Long", protocol="lovr", min_clip_seconds=1)
    join(project, ada, "admin")
    dice = random.Random(3)
    for _ in range(4):
        clips = cut(project, *(dice.randrange(30, 1500) for _ in range(20)))
        for clip in clips:
            source = dice.choice(["machine", "machine", "human", "corrected"])
            caption(clip, round(dice.gauss(1394, 200)), source)
        whole = clips[0].video.clips.get(start_frame=0, end_frame=clips[0].video.frames)
        caption(whole, dice.randrange(2000, 4000), kind="full_video")
    cut(project, 250, 250, excluded_because="not dynamic")
    recompute(project=project, name="statistics")
    page = page_of(ada)
    page.goto(reverse("review:report_page", args=[project.slug, "corpus/statistics"]))
    for _ in widths_and_schemes(page):
        axe(page)
        assert not scrolls_sideways(page)
    screenshot(page, "statistics", full_page=True)

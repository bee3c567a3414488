"""A new annotator through the training, a failed gold item, the pause, and its release."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from annotate.corpus.services.opening import open_dynamics_check
from annotate.models import Assignment, Project
from review.quality.models import GivenAnswer, KnownAnswer, Pause, QualityRule
from tests.browser.test_panels import judge, look
from tests.cast import make_person
from tests.hand_work import STATIC
from tests.review.quality.known import ask, make_known
from tests.review.quality.test_gold_is_hidden import seed_for


@pytest.fixture
def project(project):
    Project.objects.filter(pk=project.pk).update(protocol="lovr")
    project.refresh_from_db()
    return project


def test_a_new_annotator_trains_fails_gold_pauses_and_continues(
    page_of, axe, screenshot, project, ada, anna, rita, make_playable_clip
):
    for content in ({"verdict": "dynamic"}, STATIC):
        make_known(project, ada, [anna, rita], "training", content, make=make_playable_clip)
    make_known(project, ada, [anna, rita], "gold", make=make_playable_clip)
    ask(project, ada, pass_share=0.5, tries=2, gold_rate=0.5, gold_limit=0.9, gold_least=1)
    clara = make_person("Clara", project, "annotator")
    QualityRule.objects.update(seed=seed_for(clara, ("gold", "work")))
    for _ in range(3):
        open_dynamics_check(make_playable_clip(project).video)

    page = page_of(clara)
    my_work = reverse("annotate:my_work", args=[project.slug])
    page.goto(my_work)
    expect(page.get_by_text("Complete the training first: 2 of 2 items left.")).to_be_visible()
    page.get_by_role("link", name="Start training").click()
    expect(page.get_by_text("To pass, 50 % must be right; you have 2 tries.")).to_be_visible()
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text("This is training.")).to_be_visible()
    judge(page, "static")
    expect(page.get_by_text("Your answer is not the right one")).to_be_visible()
    expect(page.get_by_text("Things move in it.")).to_be_visible()
    look(page, axe, screenshot, "training-wrong")
    KnownAnswer.objects.update(explanation="Things move in it.\n" * 60)
    page.goto(page.url)
    expect(page.get_by_role("button", name="Next item")).to_be_focused()
    assert page.evaluate("scrollY") == 0, "the answer is seen before the way on"
    page.get_by_role("button", name="Next item").click()
    judge(page, "static")
    expect(page.get_by_text("Your answer is right")).to_be_visible()
    page.get_by_role("link", name="See results").click()
    expect(page.get_by_text("You have passed this training.")).to_be_visible()
    page.get_by_role("button", name="Start working").click()

    # The gold looks like every other check; nothing says that it was wrong, but the work pauses.
    judge(page, "static")
    expect(page.locator("#next-dynamics")).to_contain_text("Your work of this kind is paused")
    expect(page).to_have_url(re.compile(f"{my_work}$"))
    look(page, axe, screenshot, "gold-paused")
    answers = GivenAnswer.objects.filter(person=clara)
    assert list(answers.values_list("attempt", "is_right")) == [
        (1, False), (1, True), (1, False)
    ]  # fmt: skip
    assert Assignment.objects.filter(annotator=clara, state="submitted").count() == 3

    admin = page_of(ada)
    admin.goto(reverse("review:quality", args=[project.slug]))
    admin.get_by_role("link", name="Dynamics check").click()
    row = admin.get_by_role("row", name="Clara")
    expect(row).to_contain_text("0 of 1")
    expect(row).to_contain_text("Paused since")
    look(admin, axe, screenshot, "quality-kind-paused")
    admin.get_by_role("button", name="Clara: end pause").click()
    expect(admin.get_by_text("Clara can take this work again.")).to_be_visible()
    assert Pause.objects.get().ended_by == ada

    page.goto(my_work)
    page.get_by_role("button", name="Next: dynamics check").click()
    judge(page, "dynamic")
    expect(page.get_by_text("Verdict saved")).to_be_visible()

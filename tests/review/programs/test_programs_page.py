"""A declared program beside people on the same items, counted by hand."""

import pytest
from django.urls import reverse

from annotate.models import Membership
from review.programs.pages import ProgramsPage
from review.reports.services import recompute
from tests.cast import client_of, make_clip
from tests.hand_work import machine_caption
from tests.review.agreement.agreeing import THREE, label_sentences, open_round, rate_all, vote

pytestmark = pytest.mark.django_db


def get(person, project):
    return client_of(person).get(reverse("review:report_page", args=[project.slug, "programs"]))


@pytest.fixture
def program(project, ben):
    Membership.objects.filter(user=ben).update(program="Judge 7B")
    return ben


def test_its_answers_beside_those_of_the_first_two_people(project, program, anna, rita, emil, ada):
    caption, alone = (machine_caption(make_clip(project), THREE) for _ in range(2))
    label_sentences(caption, anna, "A", "", "B", missing=[0])
    label_sentences(caption, program, "A", "A", "")
    label_sentences(caption, rita, "A", "", "")
    label_sentences(caption, emil, "D", "D", "D")
    label_sentences(alone, program, "C", "C", "C", missing=[0, 1, 2])
    rate_all(project, [program, anna], [[4, 4], [3, 5]])
    systems = open_round(project, 2)
    first = vote(systems, 0, program, "left")
    vote(systems, 0, program, "left", first_left=False, repeat_of=first)
    vote(systems, 0, anna, "left")

    recompute(project=project, name="programs")
    membership = project.memberships.select_related("project", "user").get(user=ada)
    [section] = ProgramsPage().context(membership, {}, None)["sections"]
    sentences, theme, ratings, comparisons = section.parts
    assert (sentences.compared.answered, sentences.compared.shared) == (6, 3)
    equal = sentences.measures[0]
    assert equal.program.value == pytest.approx(1 / 3)  # A, not A for ok, not ok for B
    assert equal.people.value == pytest.approx(2 / 3)
    assert {
        row.name: (row.true.count, row.true.of, row.false.count, row.false.of)
        for row in sentences.compared.rates
    } == {
        "A": (1, 1, 1, 2),
        "B": (0, 1, 0, 2),
        "C": (0, 0, 0, 3),
        "D": (0, 0, 0, 3),
        "missing": (0, 1, 0, 3),
    }
    assert theme.measures[0].program.value == 1
    assert (ratings.compared.shared, ratings.measures[0].program.value) == (2, 0.5)
    repeats = comparisons.compared.repeats
    assert (repeats.count, repeats.of) == (0, 1)

    page = get(ada, project)
    assert "Judge 7B" in page.text
    assert get(rita, project).status_code == 403


def test_a_report_stays_while_nothing_is_new_and_none_is_shown_of_a_person(
    project, program, anna, ada
):
    caption = machine_caption(make_clip(project), THREE)
    label_sentences(caption, program, "A", "", "")
    [report] = recompute(project=project, name="programs")
    assert recompute(project=project, name="programs") == [report]
    assert "so there is nothing to compare" in get(ada, project).text
    Membership.objects.update(program="")
    assert "No member is a program" in get(ada, project).text

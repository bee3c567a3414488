"""Starting a study from the page of the thresholds."""

import pytest
from django.urls import reverse

from review.studies.models import Study
from tests.cast import client_of
from tests.review.threshold.studying import scored_captions

pytestmark = pytest.mark.django_db
ASKED = {"captions": "20", "people": "2", "strata": "5", "seed": "7", "design": "even"}


@pytest.fixture
def scorer(project):
    return scored_captions(project, [n / 30 for n in range(30)])[0].scorer


@pytest.fixture
def url(project):
    return reverse("review:start_study", args=[project.slug])


def test_it_draws_what_was_asked_for(scorer, url, ada, anna, ben):
    response = client_of(ada).post(url, ASKED | {"scorer": scorer}, follow=True)
    assert "20 captions wait for 2 people each." in response.text
    assert "0 of 20 captions verified by both" in response.text
    study = Study.objects.get()
    assert (study.people, study.strata, study.seed, study.created_by) == (2, 5, 7, ada)


def test_the_form_starts_with_what_can_be_drawn(project, scorer, ada):
    response = client_of(ada).get(reverse("review:report_page", args=[project.slug, "threshold"]))
    [part] = response.context["parts"]
    initial = part.study_form.initial
    assert (initial["captions"], initial["people"], initial["strata"]) == (30, 3, 10)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"captions": "19"}, "Keep it between 20 and 100,000."),
        ({"captions": "31"}, "30 captions can be drawn, and 31 are asked for."),
        ({"captions": ""}, "This field is required."),
        ({"people": "0"}, "Keep it between 1 and 20."),
        ({"people": "3"}, "2 members can verify captions, and 3 are asked for each."),
        ({"strata": "51"}, "Keep it between 1 and 50."),
        ({"seed": "-1"}, "Keep it between 0 and 2,147,483,647."),
    ],
)
def test_what_can_not_be_drawn_comes_back_beside_its_field(
    scorer, url, ada, anna, ben, changes, message
):
    response = client_of(ada).post(url, ASKED | {"scorer": scorer} | changes)
    assert response.status_code == 422
    field = next(iter(changes))
    [part] = response.context["parts"]
    assert part.study_form.errors[field][0].startswith(message)
    assert f'id="study-{scorer[:8]}-{field}_error"' in response.text
    assert not Study.objects.exists()


def test_who_is_no_admin_starts_none(scorer, url, rita):
    assert client_of(rita).post(url, ASKED | {"scorer": scorer}).status_code == 403
    assert not Study.objects.exists()

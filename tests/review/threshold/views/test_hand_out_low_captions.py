"""Handing out what has come below the threshold since it was adopted."""

import pytest
from django.urls import reverse

from annotate.models import WorkItem
from review.threshold.services import adopt
from tests.cast import client_of
from tests.review.threshold.studying import scored_captions

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(project):
    return reverse("review:report_page", args=[project.slug, "threshold"])


@pytest.fixture
def url(project):
    return reverse("review:hand_out_low_captions", args=[project.slug])


def test_new_low_scores_are_handed_out(project, page, url, ada):
    first = scored_captions(project, [0.05, 0.35])
    adopt(project=project, scorer=first[0].scorer, value=0.3, admin=ada, hand_out=True)
    assert "Hand out captions" not in client_of(ada).get(page).text
    scored_captions(project, [0.1, 0.2, 0.4])
    response = client_of(ada).get(page)
    [part] = response.context["parts"]
    assert (part.below.handed_out, part.below.left) == (1, 2)
    assert "Hand out captions" in response.text
    response = client_of(ada).post(url, follow=True)
    assert "2 captions handed out to verify, 0 withdrawn." in response.text
    assert WorkItem.objects.filter(kind="verify").count() == 3


def test_nothing_new_is_said_to_be_nothing(project, url, ada):
    scored_captions(project, [0.05])
    assert "People’s work stays the same" in client_of(ada).post(url, follow=True).text

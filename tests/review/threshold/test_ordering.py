"""Captions below a threshold in an order that is drawn by their expected errors."""

from __future__ import annotations

import pytest
from django.urls import reverse

from annotate.models import WorkItem
from review.errors import ReviewError
from review.reports.services import recompute
from review.threshold.models import OrderedCaption, VerificationOrder
from review.threshold.ordering import newest_order
from review.threshold.services import Handed, adopt, hand_out_low_captions
from tests.cast import client_of
from tests.review.threshold.studying import WRONG, judge_sample, scored_captions, start_study
from tests.review.verification.verifying import ALL_OK, verify
from tests.work import hold

pytestmark = pytest.mark.django_db

LOW = [place / 100 for place in range(10, 50, 2)]


@pytest.fixture
def low(project, anna):
    """Twenty captions below the threshold, half of them where a study found errors."""
    scored_captions(project, [place / 50 for place in range(25)])
    judge_sample(start_study(project, captions=25), anna, below=0.3)
    recompute(project=project, name="threshold")
    scores = scored_captions(project, LOW)
    adopt(project=project, scorer=scores[0].scorer, value=0.5, admin=None)
    return scores


def test_an_order_is_drawn_by_expected_errors_and_kept_with_its_probabilities(project, low):
    handed = hand_out_low_captions(project=project, by_expected_errors=True, seed=3)
    assert handed == Handed(opened=20, withdrawn=0)
    rows = list(OrderedCaption.objects.select_related("caption").order_by("place"))
    by_score = {score.caption_id: score.value for score in low}
    assert {row.caption_id for row in rows} == set(by_score)
    expected = {row.expected for row in rows if by_score[row.caption_id] < 0.28}
    assert expected == {1.0}
    assert {row.expected for row in rows if by_score[row.caption_id] > 0.32} == {0.0}
    # Half of the first draw is even, and the last caption was the only one left.
    assert rows[0].probability >= 1 / 40
    assert rows[-1].probability == pytest.approx(1)
    items = WorkItem.objects.filter(subject__in=by_score, kind="verify").order_by("-priority")
    assert [item.subject for item in items] == [row.caption_id for row in rows]
    early = [by_score[row.caption_id] < 0.3 for row in rows[:10]]
    assert sum(early) > 5
    # Nobody is asked twice, and nothing is drawn again.
    assert hand_out_low_captions(project=project, by_expected_errors=True) == Handed(0, 0)
    assert VerificationOrder.objects.count() == 1


def test_the_errors_of_all_are_estimated_from_the_first(project, low, anna, ada):
    hand_out_low_captions(project=project, by_expected_errors=True, seed=3)
    by_score = {score.caption_id: score.value for score in low}
    rows = list(OrderedCaption.objects.select_related("caption").order_by("place"))
    for row in [*rows[:12], rows[14]]:
        item = WorkItem.objects.get(kind="verify", subject=row.caption_id)
        content = WRONG if by_score[row.caption_id] < 0.3 else ALL_OK
        verify(hold(anna, item), row.caption, content)
    ordered = newest_order(project)
    # The fifteenth doesn't count as long as two before it are open.
    assert (ordered.captions, ordered.errors.n) == (20, 12)
    assert ordered.errors.low <= 0.5 <= ordered.errors.high
    page = client_of(ada).get(reverse("review:report_page", args=[project.slug, "threshold"]))
    assert "The first 12 are verified" in page.text


def test_without_a_study_no_errors_are_expected_and_nothing_changes(project, ada):
    scores = scored_captions(project, [0.1, 0.2])
    adopt(project=project, scorer=scores[0].scorer, value=0.5, admin=None)
    with pytest.raises(ReviewError, match="only where a threshold study has found some"):
        hand_out_low_captions(project=project, by_expected_errors=True)
    address = reverse("review:hand_out_low_captions", args=[project.slug])
    page = client_of(ada).post(address, {"order": "errors"}, follow=True)
    assert "only where a threshold study has found some" in page.text
    assert not WorkItem.objects.filter(kind="verify").exists()

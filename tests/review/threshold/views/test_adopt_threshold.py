"""Adopting a threshold: first what it would do, then that it does it."""

import re

import pytest
from django.urls import reverse

from annotate.models import AuditEvent, WorkItem
from inference.models import QualityThreshold
from review.reports.services import recompute
from review.threshold.models import ThresholdBasis
from review.threshold.queries import Below, current_values
from tests.cast import client_of
from tests.inference.scored import OTHER, score
from tests.review.threshold.studying import WRONG, judge_sample, scored_captions, start_study
from tests.review.verification.verifying import ALL_OK, verify
from tests.work import hold

pytestmark = pytest.mark.django_db


@pytest.fixture
def scores(project):
    return scored_captions(project, [0.05, 0.15, 0.25, 0.35])


@pytest.fixture
def url(project):
    return reverse("review:adopt_threshold", args=[project.slug])


def form_data(scores, value="0.3"):
    return {"scorer": scores[0].scorer, "value": value, "then": "people"}


def test_the_consequences_are_shown_and_nothing_changes(scores, url, ada):
    response = client_of(ada).get(url, form_data(scores))
    assert "3 captions go to people to verify, lowest score first." in response.text
    assert "Nothing is withdrawn." in response.text
    assert (response.context["kept"], response.context["below"].total) == (1, 3)
    assert not QualityThreshold.objects.exists()
    assert not WorkItem.objects.exists()


def test_the_page_says_that_work_that_nobody_has_begun_is_withdrawn(scores, url, ada):
    client_of(ada).post(url, form_data(scores))
    response = client_of(ada).get(url, form_data(scores, "0.1"))
    assert "People get no more captions." in response.text
    assert "below any threshold are withdrawn, in addition to the 1." in response.text
    assert response.context["foreseen"].withdrawn == 2


def test_it_is_adopted_and_the_low_captions_are_handed_out(project, scores, url, ada):
    response = client_of(ada).post(url, form_data(scores), follow=True)
    assert "0.3 is now the threshold of EVQAScore v3, lexical." in response.text
    assert "3 captions handed out to verify, 0 withdrawn." in response.text
    adopted = QualityThreshold.objects.get()
    assert (adopted.value, adopted.adopted_by) == (0.3, ada)
    first = WorkItem.objects.order_by("-priority")[0]
    assert first.subject == scores[0].caption_id
    [part] = response.context["parts"]
    assert part.adopted == [(adopted, None)]
    assert part.below == Below(verified=0, in_study=0, handed_out=3, left=0)


def test_models_rewrite_the_low_captions_first_unless_people_are_chosen(scores, url, ada):
    page = client_of(ada).get(url, form_data(scores)).text
    assert re.search(r'value="models"\s+checked', page)
    response = client_of(ada).post(url, form_data(scores) | {"then": "models"}, follow=True)
    assert "Refine lets other models rewrite the captions below it." in response.text
    assert QualityThreshold.objects.get().value == 0.3
    assert not WorkItem.objects.exists()


def test_the_numbers_add_up_before_and_after(project, url, ada, anna):
    scores = scored_captions(project, [n / 40 for n in range(40)])
    study = start_study(project, captions=20)
    kept, corrected, *_ = study.captions.select_related("item", "caption").order_by("score__value")
    verify(hold(anna, kept.item), kept.caption, ALL_OK)
    verify(hold(anna, corrected.item), corrected.caption, WRONG)
    values = current_values(project)[scores[0].scorer]
    back = sum(value < 0.5 for value in values.values())
    sampled = sum(s.score.value < 0.5 for s in study.captions.select_related("score"))

    before = client_of(ada).get(url, form_data(scores, "0.5")).context
    new = 20 - sampled
    assert before["below"] == Below(verified=2, in_study=sampled - 2, handed_out=0, left=new)
    # What a study corrects is a proposal, so that the machine's caption is still the clip's.
    assert before["below"].total == back == new + sampled
    assert before["kept"] + back == before["captions"] == 40
    assert (before["foreseen"].opened, before["of_other_scorers"]) == (new, 0)

    page = client_of(ada).post(url, form_data(scores, "0.5"), follow=True)
    [part] = page.context["parts"]
    assert part.below == Below(verified=2, in_study=sampled - 2, handed_out=new, left=0)
    assert part.below.total == back
    assert f"{new} captions handed out to verify" in page.text

    back_again = client_of(ada).get(url, form_data(scores, "0.25")).context
    assert back_again["foreseen"].withdrawn == new - back_again["below"].handed_out


def test_captions_that_other_scorers_send_back_too_are_counted_apart(project, scores, url, ada):
    QualityThreshold.objects.create(project=project, scorer=OTHER, scorer_name="x", value=0.5)
    score(scores[3].clip, 0.1, scores[3].item.run, caption=scores[3].caption, scorer=OTHER)
    response = client_of(ada).get(url, form_data(scores))
    assert response.context["of_other_scorers"] == 1
    assert "1 below the thresholds of" in response.text
    assert "other scorers does too." in response.text


def test_the_same_value_again_changes_nothing(scores, url, ada):
    client_of(ada).post(url, form_data(scores))
    response = client_of(ada).post(url, form_data(scores), follow=True)
    assert "People’s work stays the same." in response.text
    assert QualityThreshold.objects.count() == 1


def test_an_invalid_threshold_is_refused(scores, url, ada):
    client = client_of(ada)
    values = ("-1.1", "2", "high", "", "nan", "0.1234")
    for ask, value in [*((client.get, value) for value in values), (client.post, "2")]:
        response = ask(url, form_data(scores, value))
        assert response.status_code == 422, value
        assert "Nothing changed." in response.text, value
    assert not QualityThreshold.objects.exists()


def test_the_estimate_behind_a_threshold_is_kept_and_shown(project, url, ada, anna):
    scores = scored_captions(project, [n / 40 for n in range(40)])
    judge_sample(start_study(project, captions=40), anna, below=0.5)
    report = recompute(project=project, name="threshold")[0]
    basis = {"report": report.pk, "rule": "youden", "counting": "per_sentence"}
    sent = form_data(scores, "0.4") | basis
    confirmation = client_of(ada).get(url, sent)
    assert "Youden, per sentence: 0." in confirmation.text
    assert f'name="report" value="{report.pk}"' in confirmation.text
    page = client_of(ada).post(url, sent, follow=True)
    after = AuditEvent.objects.get(verb="adopt threshold").after
    estimate = report.result["per_sentence"]["rules"]["youden"]["threshold"]
    assert after == {
        "scorer": scores[0].scorer, "value": 0.4, "rule": "youden", "counting": "per_sentence",
        "estimate": estimate, "signature": report.signature,
    }  # fmt: skip
    assert page.text.count(report.signature) == 2  # the estimate's, and the adopted value's
    again = client_of(ada).post(url, sent | {"rule": "change_point"}, follow=True)
    assert again.context["parts"][0].adopted == page.context["parts"][0].adopted


def test_an_unknown_report_is_ignored(scores, url, ada):
    client_of(ada).post(url, form_data(scores) | {"report": "999"})
    assert "signature" not in AuditEvent.objects.get(verb="adopt threshold").after
    assert not ThresholdBasis.objects.exists()


def test_a_decimal_comma_is_a_decimal_point(scores, url, ada):
    assert client_of(ada).get(url, form_data(scores, "0,25")).context["value"] == 0.25


@pytest.mark.parametrize("method", ["get", "post"])
def test_an_unknown_scorer_is_refused(scores, url, ada, method):
    response = getattr(client_of(ada), method)(url, {"scorer": OTHER, "value": "0.3"})
    assert response.status_code == 422
    assert "This project has no scores from this scorer." in response.text


def test_only_admins_adopt_a_threshold(scores, url, rita, olaf):
    assert client_of(rita).post(url, form_data(scores)).status_code == 403
    assert client_of(olaf).post(url, form_data(scores)).status_code == 404
    assert not QualityThreshold.objects.exists()

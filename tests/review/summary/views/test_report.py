"""Any report by itself: how it was made, what replaced it, and its JSON."""

import json
import re
from html import unescape

import pytest
from django.urls import reverse
from django.utils import timezone

from annotate.models import AuditEvent
from metrics.leakage import ObjectCounts, leakage
from review.comparisons.models import Round
from review.reports.models import Report
from review.reports.registry import REPORTS
from review.reports.results import as_json
from review.reports.services import recompute
from review.studies.models import Study
from tests.cast import client_of, count_queries, make_clip
from tests.review.agreement.agreeing import rate_all
from tests.review.reports.computing import compute_as_asked
from tests.review.retrieval.vectors import embed, three_clips
from tests.review.summary.metric_rows import (
    capst_of,
    overlap_of,
    ratings_of,
    recall_of,
    stored,
)

pytestmark = pytest.mark.django_db
SCORER = "ab" * 32


def page_of(report):
    return reverse("review:report_page", args=[report.project.slug, "reports", report.pk])


def test_it_says_how_it_was_made(project, rita):
    three_clips(project)
    [report] = recompute(project=project, name="recall")
    text = client_of(rita).get(page_of(report)).text
    assert report.signature in text
    assert report.inputs_hash in text
    assert "32 frames, evenly spread" in text
    assert '<span class="badge ok">up to date</span>' in text


def test_it_says_what_replaced_it(project, rita):
    three_clips(project)
    [before] = recompute(project=project, name="recall")
    embed(make_clip(project), 1, 5)
    [after] = recompute(project=project, name="recall")
    text = client_of(rita).get(page_of(before)).text
    assert "superseded" in text
    assert f'href="{page_of(after)}"' in text
    assert "superseded" not in client_of(rita).get(page_of(after)).text


def test_it_says_when_its_labels_have_changed(project, rita):
    three_clips(project)
    [report] = recompute(project=project, name="recall")
    project.embeddings.first().delete()
    text = client_of(rita).get(page_of(report)).text
    assert '<span class="badge warn">old</span>' in text


def test_a_score_names_what_it_is_made_of(project, rita):
    recall, capst = recall_of(project, "CARE"), capst_of(project, "CARE")
    [unified] = recompute(project=project, name="unified")
    text = client_of(rita).get(page_of(unified)).text
    for report in (recall, capst):
        assert f'href="{page_of(report)}"' in text
        assert report.signature in text


def test_it_names_its_subject_as_other_pages_do(project, rita):
    care, _, capst = recall_of(project, "CARE"), recall_of(project, "CLIP"), capst_of(project, "A")
    begun = timezone.now().replace(month=1, day=3)
    rating = Study.objects.create(
        project=project, kind="rating", people=2, per_rater=9, created_at=begun
    )
    Study.objects.create(
        project=project, kind="threshold", people=2, strata=1,
        scorer=SCORER, scorer_name="ViCLIP-B-16",
    )  # fmt: skip
    round = Round.objects.create(project=project, votes_per_pair=1)
    study_title = f"Study {rating.pk}, 3 Jan {begun:%Y}, 0 captions"
    subjects: list[tuple[str, str, dict[str, str], str]] = [
        ("leakage", "0", {"extractor": "Lists"}, "Lists"),
        ("map", "3.all", {"model": "BLIP"}, "BLIP"),
        ("reliability", "kind:write", {"model": "x"}, "Write"),
        ("reliability", f"round:{round.pk}", {"model": "x"}, "Round 1"),
        ("reliability", f"ratings:{rating.pk}", {}, study_title),
        ("reliability", f"threshold:{SCORER}"[:64], {}, "ViCLIP-B-16"),
        ("ratings", str(rating.pk), {}, study_title),
        ("threshold", SCORER, {}, "ViCLIP-B-16"),
        ("threshold", "x", {}, "x"),
        ("correlation", str(round.pk), {}, "Round 1"),
        ("unified", "scores:default", {"preset": "default"}, "Settings “Default”"),
        ("unified", "gaps:1", {"baseline": "CARE"}, "CARE"),
        ("identification", "", {}, ""),
    ]
    titles = {care: "CARE", capst: "A"}
    titles |= {
        stored(project, name, subject, {}, parameters=parameters): title
        for name, subject, parameters, title in subjects
    }
    same_items = {"stored": {"count": 1, "last": 1}}
    titles[stored(project, "agreement", "sentences", same_items)] = "Sentence types"
    client = client_of(rita)
    pages = {report: client.get(page_of(report)) for report in titles}
    assert {report: page.context["about"] for report, page in pages.items()} == titles
    for report, page in pages.items():
        title = titles[report] or "the project"
        assert f'<dt>Subject</dt><dd class="wrap-anywhere">{title}</dd>' in page.text


@pytest.mark.parametrize("name", REPORTS)
def test_every_report_has_a_page(project, ada, rita, name):
    if name == "leaderboard":
        report = ratings_of(project, CARE=1000.0)
    elif name == "capst":
        report = capst_of(project, "CARE")
    elif name == "agreement":
        report = stored(project, name, "theme", {"stored": {"count": 1, "last": 1}})
    elif name == "overlap":
        report = overlap_of(project, "CARE")
    elif name == "leakage":
        result = as_json(leakage([ObjectCounts(1, 2, 3)], 5, n_bootstrap=10, seed=0))
        report = stored(project, name, "word-overlap", result)
    else:
        subject = "scores:default" if name == "unified" else "1"
        report = stored(
            project, name, subject, {}, parameters={"kind": "general", "references": ""}
        )
    for person in (ada, rita):
        assert client_of(person).get(page_of(report)).status_code == 200


def test_a_report_that_no_feature_registers_says_so(project, rita):
    text = client_of(rita).get(page_of(stored(project, "elo", "", {}))).text
    assert "This version of Vericap has no report “elo”; it has threshold" in text
    assert "Recompute<" not in text


def test_the_threshold_is_no_link_for_those_who_may_not_open_it(project, ada, rita):
    report = stored(project, "threshold", "1", {})
    url = reverse("review:report_page", args=[project.slug, "threshold"])
    link = f'<a href="{url}">Threshold</a>'
    assert link in client_of(ada).get(page_of(report)).text
    assert link not in client_of(rita).get(page_of(report)).text


def test_its_json_is_complete(project, rita):
    report = recall_of(project, "CARE", 0.77)
    url = reverse("review:report_file", args=[project.slug, "reports", report.pk, "report.json"])
    response = client_of(rita).get(url)
    assert response["Content-Disposition"] == (
        f'attachment; filename="dives-recall-report-{report.pk}.json"'
    )
    data = json.loads(response.text)
    assert data["result"] == report.result
    assert (data["signature"], data["simulated"]) == (report.signature, False)


def test_hostile_parameters_are_text(project, rita):
    name = "<script>alert(1)</script>"
    report = recall_of(project, name)
    assert name not in client_of(rita).get(page_of(report)).text


def test_a_long_result_is_cut_on_the_page(project, rita):
    report = stored(project, "recall", "1", {"kinds": {}, "long": "x" * 9000})
    text = client_of(rita).get(page_of(report)).text
    assert "Showing the beginning. The JSON file has the full result." in text


def test_a_worker_recomputes_it(project, rita):
    report = recall_of(project, "CARE")
    client = client_of(rita)
    client.post(reverse("review:recompute_report", args=[project.slug, "reports", report.pk]))
    [event] = AuditEvent.objects.filter(verb="ask to recompute")
    assert event.after == {"report": "recall"}
    live = reverse("review:report_live", args=[project.slug, "reports", report.pk])
    assert live in client.get(page_of(report)).text
    assert "HX-Refresh" not in client.get(live)
    compute_as_asked(project, "recall")
    assert client.get(live)["HX-Refresh"] == "true"


def test_a_request_that_changes_nothing_says_since_when_nothing_has_changed(project, rita):
    three_clips(project)
    [report] = recompute(project=project, name="recall")
    compute_as_asked(project, "recall")
    assert list(Report.objects.all()) == [report]
    text = client_of(rita).get(page_of(report)).text
    assert "Nothing has changed since the numbers were computed." in text
    embed(make_clip(project), 1, 5)
    assert "Nothing has changed" not in client_of(rita).get(page_of(report)).text


def test_signature_hash_and_parameters_can_be_copied(project, rita):
    report = recall_of(project, "CARE")
    report.refresh_from_db()
    text = client_of(rita).get(page_of(report)).text
    copyable = {
        key: unescape(re.search(rf'id="{key}"[^>]*>([^<]*)<', text)[1])
        for key in re.findall(r'data-copy="([^"]+)"', text)
    }
    assert copyable == {
        "signature": report.signature,
        "inputs-hash": report.inputs_hash,
        "parameters": json.dumps(report.parameters, indent=2),
    }


def test_whether_an_agreement_is_old_reads_no_label(project, anna, ben, rita):
    rate_all(project, [anna, ben], [[3, 4]] * 2)
    [report] = recompute(project=project, name="agreement")
    with count_queries() as count:
        assert "up to date" in client_of(rita).get(page_of(report)).text
    reading = '"review_rating"."value"'
    assert [statement for statement in count.statements if reading in statement] == []
    rate_all(project, [anna], [[5]])
    assert '<span class="badge warn">old</span>' in client_of(rita).get(page_of(report)).text

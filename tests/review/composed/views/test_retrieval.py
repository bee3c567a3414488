"""mAP@K on its page and as files, and asking a worker for it."""

import csv
import io
import json
from urllib.parse import urlencode

import pytest
from django.http import QueryDict
from django.urls import reverse

from annotate.models import Project
from review.composed.chart import draw_map
from review.composed.forms import BASELINE_NAMES
from review.composed.pages import RetrievalPage
from review.composed.report import composed_retrieval_inputs
from review.reports.models import Report
from review.reports.small_samples import TOO_FEW
from review.triplets.models import TripletSet
from tests.cast import client_of, count_queries
from tests.markup import squeezed
from tests.review.composed.retrieval import ask, ask_again, embed, judge, report_of, two_labels
from tests.review.triplets.triplets import labelled_clip, make_triplet, modify

pytestmark = pytest.mark.django_db


@pytest.fixture
def project(project):
    Project.objects.filter(pk=project.pk).update(protocol="tfcovr")
    project.refresh_from_db()
    return project


@pytest.fixture
def url(project):
    return reverse("review:report_page", args=[project.slug, "retrieval"])


@pytest.fixture
def recompute_url(project):
    return reverse("review:recompute_report", args=[project.slug, "retrieval"])


def part(person, project, **sort):
    membership = person.memberships.get(project=project)
    [only_part] = RetrievalPage().context(membership, QueryDict(urlencode(sort)))["parts"]
    return only_part


def test_it_shows_the_numbers_and_how_they_were_made(project, rita, url):
    ask(project)
    report = report_of(project)
    text = client_of(rita).get(url).text
    assert "Lexical vectors" in text
    assert part(rita, project).table.rows[0].cells[0].value == pytest.approx(100 * 5 / 6)
    assert ">83.33" in text
    assert report.signature in text
    assert "By TF-CoVR’s released code" in text
    assert "have changed since" not in text
    assert reverse("review:retrieval_queries", args=[project.slug, report.pk]) in text


def test_it_calls_no_number_from_a_few_queries_the_best(project, rita, url):
    ask(project)
    report_of(project)
    assert part(rita, project).table.best == {}
    assert TOO_FEW in squeezed(client_of(rita).get(url).text)


def test_it_says_when_what_it_was_computed_from_has_changed(project, rita, url):
    [query] = ask(project)
    report_of(project)
    embed(query.clip, 0, 1)
    assert "have changed since" in client_of(rita).get(url).text


def test_it_names_the_set_and_an_earlier_one_that_is_better_verified(project, anna, rita, url):
    [query] = ask(project)
    judge(query, anna, valid=query.targets.values_list("target", flat=True))
    report_of(project)
    text = client_of(rita).get(url).text
    assert ">Set 1</a></dd>" in text
    assert "more verified test queries" not in text
    TripletSet.objects.create(project=project, number=2, state="finished")
    text = client_of(rita).get(url).text
    assert ">Set 1</a> has more verified test queries: 1. These don’t count here." in text


def test_it_says_how_many_queries_are_left_out(project, anna, rita, url):
    first, _ = ask(project, 2)
    report_of(project)
    assert "further test quer" not in client_of(rita).get(url).text
    judge(first, anna, wrong=first.targets.values_list("target", flat=True))
    report_of(project)
    text = client_of(rita).get(url).text
    assert "1</span> further test query is left out: people marked every target wrong" in text


def test_a_report_of_a_stopped_set_is_shown_as_old(project, rita):
    ask(project)
    report_of(project)
    project.videos.update(split="")
    assert list(composed_retrieval_inputs(project))
    project.triplet_sets.update(state="stopped")
    assert part(rita, project).is_old


def test_without_triplets_it_leads_to_them(project, rita, url):
    text = client_of(rita).get(url).text
    assert "No triplets yet" in text
    assert reverse("review:triplets", args=[project.slug]) in text


def test_without_test_clips_it_leads_to_the_split(project, ada, url):
    labels = two_labels(project)
    query, target = (labelled_clip(project, label, "train") for label in labels)
    make_triplet(query, modify(*labels), target)
    text = client_of(ada).get(url).text
    assert "No test clips" in text
    assert reverse("review:split_videos", args=[project.slug]) in text


def test_without_vectors_it_leads_to_the_run_that_makes_them(project, ada, rita, url):
    labels = two_labels(project)
    query, target = (labelled_clip(project, label, "test") for label in labels)
    make_triplet(query, modify(*labels), target)
    link = reverse("inference:new_run", args=[project.slug]) + "?kind=embed"
    assert link in client_of(ada).get(url).text
    assert link not in client_of(rita).get(url).text
    embed(query, 1)
    report_of(project)
    text = client_of(ada).get(url).text
    assert "1 of 2 test clips have no vector" in text
    assert link in text


def test_a_column_sorts_in_both_directions(project, rita, url):
    ask(project)
    report = report_of(project)
    for place, name in enumerate(report.result["baselines"]):
        report.result["baselines"][name]["circo"]["map"]["25"] = place / 10
    # As PostgreSQL may: it keeps no order of keys.
    report.result["baselines"] = dict(reversed(report.result["baselines"].items()))
    Report.objects.bulk_create([Report(**{**_fields(report), "pk": None})])

    def order(**sort):
        return [row.name for row in part(rita, project, **sort).table.rows]

    query, text, average = BASELINE_NAMES.values()
    assert order() == [query, text, average]
    assert order(sort="25") == [average, text, query]
    assert order(sort="25", ascending="1") == [query, text, average]
    assert order(sort="24") == [query, text, average]
    page = squeezed(client_of(rita).get(url + "?sort=25").text)
    assert 'aria-sort="descending">' in page
    assert 'href="?sort=25&amp;ascending=1"' in page


def _fields(report):
    return {field.attname: getattr(report, field.attname) for field in report._meta.fields}


def test_the_numbers_are_exported_as_csv_and_json(project, rita):
    ask(project)
    report = report_of(project)
    client = client_of(rita)
    response = client.get(
        reverse("review:report_file", args=[project.slug, "retrieval", "map.csv"])
    )
    assert response["Content-Disposition"] == 'attachment; filename="dives-map.csv"'
    rows = list(csv.DictReader(io.StringIO(response.text)))
    assert len(rows) == 9
    assert (rows[0]["convention"], rows[0]["baseline"]) == ("circo", "query")
    assert float(rows[0]["map_at_5"]) == pytest.approx(5 / 6)
    assert {row["signature"] for row in rows} == {report.signature}
    response = client.get(
        reverse("review:report_file", args=[project.slug, "retrieval", "map.json"])
    )
    [entry] = json.loads(response.text)
    assert entry["baselines"]["query"]["circo"]["map"]["5"] == pytest.approx(5 / 6)
    assert entry["parameters"] == report.parameters


def test_more_queries_take_no_more_database_queries(project, rita, url):
    def count_page_queries() -> int:
        report_of(project)
        with count_queries() as count:
            client_of(rita).get(url)
        return int(count)

    [query] = ask(project)
    count_of_one = count_page_queries()
    ask_again(query)
    ask_again(query)
    assert count_page_queries() == count_of_one


def test_the_bars_are_grouped_by_baseline_and_never_higher_than_the_scale():
    chart = draw_map([("A", {5: 0.25, 10: 1.0}), ("B", {5: 0.0, 10: 0.5})])
    assert [group.name for group in chart.groups] == ["A", "B"]
    assert [tick.label for tick in chart.ticks] == ["0", "50", "100"]
    bars = [bar for group in chart.groups for bar in group.bars]
    assert [bar.percent for bar in bars] == [25, 100, 0, 50]
    assert bars[2].height == 0
    assert bars[1].y == chart.ticks[-1].at
    assert [bar.x for bar in bars] == sorted(bar.x for bar in bars)
    assert bars[-1].x + bars[-1].width < chart.right

"""The queries of a report, and what each baseline ranks first for one of them."""

import pytest
from django.urls import reverse

from tests.cast import client_of, count_queries, make_project
from tests.review.composed.retrieval import ask, ask_again, report_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def queries_and_report(project):
    """Two queries and their report."""
    queries = ask(project, 2)
    return queries, report_of(project)


def list_url(project, report, query=""):
    return reverse("review:retrieval_queries", args=[project.slug, report.pk]) + query


def query_url(project, report, query, parameters=""):
    arguments = [project.slug, report.pk, query.pk]
    return reverse("review:retrieval_query", args=arguments) + parameters


def test_it_lists_the_queries_with_the_place_of_the_first_target(project, rita, queries_and_report):
    queries, report = queries_and_report
    response = client_of(rita).get(list_url(project, report))
    assert all(query_url(project, report, query) in response.text for query in queries)
    # The clip of the other query is nearer still.
    assert [listed.first_hits[0] for listed in response.context["queries"]] == [2, 2]
    assert "1–2 of 2 queries" in response.text


def test_it_is_filtered(project, rita, queries_and_report):
    _, report = queries_and_report
    client = client_of(rita)
    counts = {
        "?q=somersaults": 2,  # words of the modification
        "?q=109B": 2,  # the label's id, in any case
        "?q=3.5+somersaults": 2,  # words of the label's caption
        "?q=twist": 0,
        "?found=found": 2,
        "?found=missed": 0,
        "?found=found&by=query": 2,
        "?found=nonsense": 2,
    }
    for parameters, count in counts.items():
        page = client.get(list_url(project, report, parameters)).context["page"]
        assert page.paginator.count == count, parameters


def test_a_query_is_missed_if_every_ranking_misses_its_targets(project, rita, queries_and_report):
    queries, report = queries_and_report
    for ranking in report.result["rankings"].values():
        ranking[str(queries[0].pk)] = [queries[1].clip_id]
    report.pk = None
    report.save()
    response = client_of(rita).get(list_url(project, report, "?found=missed"))
    assert [listed.asked.key for listed in response.context["queries"]] == [queries[0].pk]


def test_a_filter_without_matches_leads_back(project, rita, queries_and_report):
    _, report = queries_and_report
    text = client_of(rita).get(list_url(project, report, "?q=twist")).text
    assert "No matching queries" in text
    assert "see all 2" in text


def test_right_and_wrong_clips_are_labeled(project, rita, queries_and_report):
    queries, report = queries_and_report
    text = client_of(rita).get(query_url(project, report, queries[0])).text
    rankings = report.result["rankings"].values()
    targets = set(queries[0].targets.values_list("target", flat=True))
    right = sum(clip in targets for ranking in rankings for clip in ranking[str(queries[0].pk)])
    assert text.count("Right</span>") == right == 6
    assert text.count("Wrong</span>") == 6
    assert "2 of 2 targets in the first 10" in text
    assert "show with 2 somersaults" in text


def test_a_clip_with_the_target_label_that_is_not_a_target_is_explained(
    project, rita, queries_and_report
):
    queries, report = queries_and_report
    report.result["queries"][0]["targets"].pop()
    report.pk = None
    report.save()
    text = client_of(rita).get(query_url(project, report, queries[0])).text
    assert "Has the target label but isn’t one of this query’s targets." in text


def test_a_right_clip_beyond_the_limit_is_left_out(project, rita, queries_and_report):
    queries, report = queries_and_report
    stored = report.result["queries"][0]
    stored["right_too"] = [stored["targets"].pop(0)]
    report.pk = None
    report.save()
    text = client_of(rita).get(query_url(project, report, queries[0])).text
    assert text.count("Left out</span>") == 3
    assert "Right, but beyond the set’s targets" in text


def test_the_neighbors_are_those_of_the_filtered_list(project, rita, queries_and_report):
    (first, second), report = queries_and_report
    client = client_of(rita)
    text = client.get(query_url(project, report, first, "?q=107b")).text
    assert f'rel="next" href="{query_url(project, report, second, "?q=107b")}"' in text
    assert 'rel="prev"' not in text
    text = client.get(query_url(project, report, second)).text
    assert f'rel="prev" href="{query_url(project, report, first)}"' in text
    assert 'rel="next"' not in text
    text = client.get(query_url(project, report, first, "?q=twist")).text
    assert 'rel="next"' not in text


def test_older_numbers_say_so(project, rita, queries_and_report):
    (query, _), report = queries_and_report
    client = client_of(rita)
    assert "newer numbers exist" not in client.get(list_url(project, report)).text
    report.pk = None
    report.save()
    older = type(report).objects.last()
    assert "newer numbers exist" in client.get(list_url(project, older)).text
    assert "newer numbers exist" in client.get(query_url(project, older, query)).text


def test_only_reports_of_retrieval_with_numbers_have_queries(project, rita, queries_and_report):
    _, report = queries_and_report
    client = client_of(rita)
    without = type(report).objects.create(
        project=project, name="map", inputs_hash="0" * 64, inputs=0, result={"reason": "None."}
    )
    other = type(report).objects.create(
        project=project, name="ratings", inputs_hash="0" * 64, inputs=0, result={"queries": []}
    )
    for wrong_report in (without, other):
        assert client.get(list_url(project, wrong_report)).status_code == 404
    gone = reverse("review:retrieval_query", args=[project.slug, report.pk, 10**6])
    assert client.get(gone).status_code == 404
    elsewhere = make_project("Other")
    assert client.get(list_url(elsewhere, report)).status_code == 404


def test_more_queries_take_no_more_database_queries(project, rita):
    def count_page_queries() -> list[int]:
        report = report_of(project)
        counts = []
        for url in (list_url(project, report), query_url(project, report, query)):
            with count_queries() as count:
                client_of(rita).get(url)
            counts.append(int(count))
        return counts

    [query] = ask(project)
    counts_of_one = count_page_queries()
    ask_again(query)
    ask_again(query)
    assert count_page_queries() == counts_of_one

"""The queries of a report of recall, and what each finds first."""

import pytest
from django.urls import reverse

from annotate.models import Caption
from review.reports.models import Report
from tests.cast import client_of, count_queries, make_clip, make_project
from tests.review.retrieval.vectors import (
    bare_report,
    described,
    embed,
    report_of,
    three_clips,
    write,
)
from tests.work import make_work

pytestmark = pytest.mark.django_db


def list_url(project, report, query=""):
    return reverse("review:recall_queries", args=[project.slug, report.pk]) + query


def query_url(project, report, key, *, kind="temporal", way="t2v", query=""):
    return reverse("review:recall_query", args=[project.slug, report.pk, kind, way, key]) + query


def caption_of(clip, kind="temporal") -> Caption:
    return Caption.objects.get(clip=clip, kind=kind)


@pytest.fixture
def ranked(project):
    """Three clips, whose temporal captions have the ranks 3, 2 and 1, and their report."""
    clips = three_clips(project)
    return clips, report_of(project)


def test_it_lists_the_queries_with_the_worst_first(project, rita, ranked):
    clips, report = ranked
    response = client_of(rita).get(list_url(project, report, "?captions=temporal"))
    listed = list(response.context["page"])
    assert [(query.clip, query.rank) for query in listed] == list(
        zip(clips, (3, 2, 1), strict=True)
    )
    assert query_url(project, report, caption_of(clips[0]).pk) in response.text
    assert "1–3 of 3 queries" in response.text


def test_it_is_filtered(project, rita, ranked):
    _, report = ranked
    client = client_of(rita)
    for parameters, ranks in [
        ("", [1, 1, 1]),  # the first kind of captions
        ("?captions=temporal&sort=best", [1, 2, 3]),
        ("?captions=temporal&found=first", [1]),
        ("?captions=temporal&found=near", [3, 2]),
        ("?captions=temporal&found=missed", []),
        ("?captions=temporal&category=Sports", [3, 2]),
        ("?captions=temporal&category=Sports&found=first", []),
        ("?captions=temporal&way=v2t", [3, 2, 1]),
        ("?captions=nonsense&way=nonsense&found=nonsense", [1, 1, 1]),
    ]:
        page = client.get(list_url(project, report, parameters)).context["page"]
        assert [query.rank for query in page] == ranks, parameters
        assert page.paginator.count == len(ranks), parameters


def test_a_clip_is_searched_by_its_name(project, rita, ranked):
    clips, report = ranked
    url = list_url(project, report, f"?captions=temporal&q={clips[1].name}")
    assert [query.clip for query in client_of(rita).get(url).context["page"]] == [clips[1]]
    text = client_of(rita).get(list_url(project, report, "?captions=temporal&q=nowhere")).text
    assert "No matching queries" in text
    assert "see all 3" in text


def test_right_and_wrong_clips_are_named_in_words(project, rita, ranked):
    clips, report = ranked
    caption = caption_of(clips[0])
    response = client_of(rita).get(query_url(project, report, caption.pk))
    items = response.context["items"]
    assert [item.clip for item in items] == [clips[1], clips[2], clips[0]]
    assert [item.is_right for item in items] == [False, False, True]
    assert (response.text.count("Right</span>"), response.text.count("Wrong</span>")) == (1, 2)
    assert caption.text in response.text
    assert response.context["rank"] == 3
    assert not response.context["has_ties"]


def test_a_clip_as_the_query_shows_the_captions_that_it_finds(project, rita, ranked):
    clips, report = ranked
    mine, other = caption_of(clips[0]), caption_of(clips[1])
    response = client_of(rita).get(query_url(project, report, clips[0].pk, way="v2t"))
    items = response.context["items"]
    assert [item.text.caption for item in items[:2]] == [other.pk, mine.pk]
    assert [item.is_right for item in items[:2]] == [False, True]
    assert [text.caption for text in response.context["texts"]] == [mine.pk]
    assert "Right caption<" in response.text


def test_ties_are_mentioned(project, rita):
    for _ in range(3):
        described(project, (1, 0), (1, 0), kinds=("general",))
    report = report_of(project)
    caption = Caption.objects.order_by("pk").first()
    response = client_of(rita).get(query_url(project, report, caption.pk, kind="general"))
    assert response.context["rank"] == 3
    assert "ties count against the" in response.text


def test_the_neighbors_are_those_of_the_filtered_list(project, rita, ranked):
    clips, report = ranked
    first, second, third = (caption_of(clip).pk for clip in clips)
    client = client_of(rita)
    query = "?captions=temporal&found=near"
    text = client.get(query_url(project, report, first, query=query)).text
    assert f'rel="next" href="{query_url(project, report, second)}?captions=temporal' in text
    assert 'rel="prev"' not in text
    assert "1 of 2" in text
    text = client.get(query_url(project, report, second, query=query)).text
    assert f'rel="prev" href="{query_url(project, report, first)}?captions=temporal' in text
    assert 'rel="next"' not in text
    text = client.get(query_url(project, report, third, query=query)).text
    assert 'rel="next"' not in text


def test_a_text_that_a_person_may_still_judge_is_hidden(project, rita):
    clip = make_clip(project)
    embed(clip, 1, 0)
    caption = write(clip, "A zibet jumps.")
    embed(caption, 1, 0)
    report = report_of(project)
    client = client_of(rita)
    urls = [
        list_url(project, report),
        query_url(project, report, caption.pk, kind="general"),
        query_url(project, report, clip.pk, kind="general", way="v2t"),
    ]
    assert all("zibet" in client.get(url).text for url in urls)
    make_work(clip, "rate", subject=caption.pk, needed=5)
    for url in urls:
        text = client.get(url).text
        assert "zibet" not in text
        assert "Hidden because you may still be asked to judge it." in text


def test_only_the_newest_numbers_have_queries(project, rita, ranked):
    clips, report = ranked
    embed(clips[0], 0, 1)
    report_of(project)
    client = client_of(rita)
    assert "No ranks are kept" in client.get(list_url(project, report)).text
    assert client.get(query_url(project, report, caption_of(clips[0]).pk)).status_code == 404


def test_what_is_not_in_the_report_is_not_found(project, rita, olaf, ranked):
    clips, report = ranked
    client = client_of(rita)
    caption = caption_of(clips[0])
    assert client.get(query_url(project, report, 10**6)).status_code == 404
    assert client.get(query_url(project, report, caption.pk, kind="full_video")).status_code == 404
    assert client.get(query_url(project, report, 10**6, way="v2t")).status_code == 404
    assert client.get(list_url(make_project("Other"), report)).status_code == 404
    assert client_of(olaf).get(list_url(project, report)).status_code == 404
    bare = bare_report(project)
    assert "No ranks are kept" in client.get(list_url(project, bare)).text


def test_a_query_whose_clip_is_gone_is_left_out(project, rita, ranked):
    clips, report = ranked
    caption = caption_of(clips[2])
    Caption.objects.filter(clip=clips[1]).delete()
    clips[1].delete()
    client = client_of(rita)
    page = client.get(list_url(project, report, "?captions=temporal")).context["page"]
    assert [query.clip for query in page] == [clips[0], clips[2]]
    items = client.get(query_url(project, report, caption.pk)).context["items"]
    assert clips[1] not in [item.clip for item in items]
    assert Report.objects.filter(pk=report.pk).exists()


def test_more_queries_take_no_more_database_queries(project, rita):
    def counts() -> list[int]:
        report = report_of(project)
        numbers = []
        for url in (
            list_url(project, report),
            query_url(project, report, key, kind="general"),
            query_url(project, report, clip.pk, kind="general", way="v2t"),
        ):
            with count_queries() as count:
                assert client.get(url).status_code == 200
            numbers.append(int(count))
        return numbers

    client = client_of(rita)
    clip = described(project, (1, 0), (1, 0), kinds=("general",))
    key = caption_of(clip, "general").pk
    baseline = counts()
    described(project, (0, 1), (1, 0), kinds=("general",))
    described(project, (1, 1), (0, 1), kinds=("general",))
    assert counts() == baseline

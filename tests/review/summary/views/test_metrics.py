"""The page Metrics: the numbers of stored reports, sorted, of a release, and what is missing."""

import re
from urllib.parse import urlencode

import pytest
from django.http import QueryDict
from django.urls import reverse
from django.utils.html import escape

from review.reports.few import FEW
from review.reports.models import Report
from review.reports.services import recompute
from review.reports.small_samples import TOO_FEW
from review.retrieval.computing import HALVES
from review.summary.captioning import UNEVEN
from review.summary.loading import load
from review.summary.pages import MetricsPage
from tests.cast import client_of, count_queries
from tests.review.reports.addresses import address
from tests.review.retrieval.vectors import three_clips
from tests.review.summary.metric_rows import (
    capst_of,
    captions_of,
    composed_of,
    overlap_of,
    ratings_of,
    rebias_of,
    recall_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def url(project):
    return reverse("review:report_page", args=[project.slug, "metrics"])


def everything(project, name="CARE"):
    """A model with every number that there is."""
    kinds = ("general", "spatial", "temporal", "full_video")
    recall = recall_of(project, name, 0.77, 0.79, kinds=kinds)
    return {
        "recall": recall,
        "rebias": rebias_of(project, recall),
        "capst": capst_of(project, name, 0.352, 0.316, categories={"Sports": 6, "Work": 9}),
        "overlap": overlap_of(project, name),
        "map": composed_of(project, name),
        "leaderboard": ratings_of(project, **{name: 1100.0}),
        "unified": next(
            report
            for report in recompute(project=project, name="unified")
            if report.subject == "scores:default"
        ),
    }


def sections_of(membership, release=None, **parameters):
    query = QueryDict(urlencode(parameters))
    context = MetricsPage().context(membership, query, release)
    return {part.section.key: part.section for group in context["groups"] for part in group.parts}


def numbers(section):
    """model -> its numbers as they are written, by the keys of their columns."""
    return {
        row.name: {cell.column.key: cell.text for cell in cells}
        for row, cells in section.table.rows_with_cells
    }


def test_an_empty_page_says_what_to_start(project, ada, rita, url):
    text = client_of(rita).get(url).text
    assert "No numbers yet" in text
    for page in ("capst", "leaderboard", "recall"):
        assert f'href="{address(page, project)}">' in text
    # A page that only admins open is no link for others.
    sets = reverse("review:report_page", args=[project.slug, "caption-sets"])
    admins_own = f'{sets}">Model captions</a></li>'
    assert admins_own not in text
    assert admins_own in client_of(ada).get(url).text
    assert "mAP@K" not in text


def test_every_table_has_the_numbers_of_its_report(project, rita):
    everything(project)
    sections = sections_of(rita.memberships.get())
    assert list(sections) == [
        "events", "objects", "overlap", "ratings", "general", "halves", "full_video", "composed",
        "unified",
    ]  # fmt: skip
    assert numbers(sections["events"])["CARE"] == {
        "f1": "35.2", "recall": "35.2", "precision": "35.2", "clips": "12",
    }  # fmt: skip
    assert numbers(sections["objects"])["CARE"]["f1"] == "31.6"
    assert list(numbers(sections["overlap"])["CARE"].values()) == [
        "4.00", "20.00", "24.00", "1.50", "12",
    ]  # fmt: skip
    assert list(numbers(sections["ratings"])["CARE"].values()) == [
        "1", "1100", "1110.00", "1105.0", "3.0",
    ]  # fmt: skip
    assert list(numbers(sections["general"])["CARE"].values()) == [
        "77.0", "80.0", "90.0", "12 / 100", "79.0", "80.0", "90.0", "12 / 100",
    ]  # fmt: skip
    assert numbers(sections["halves"])["CARE"]["table5"] == "20.00"
    assert numbers(sections["halves"])["CARE"]["equation1"] == "16.50"
    assert numbers(sections["full_video"])["CARE"]["v2t_1"] == "79.0"
    assert numbers(sections["composed"])["CARE"]["circo_5"] == "10.00"
    assert [row.note for row in sections["composed"].rows] == [
        "Average of both, not stated", "Modification only, not stated",
        "Query clip only, not stated",
    ]  # fmt: skip
    assert list(numbers(sections["unified"])["CARE"].values()) == [
        "78.0", "12 / 100", "12 / 100", "33.4", "12", "55.7",
    ]  # fmt: skip


def test_every_number_leads_to_its_report(project, rita, url):
    reports = everything(project)
    text = client_of(rita).get(url).text
    for report in reports.values():
        assert (
            f'href="{reverse("review:report_page", args=[project.slug, "reports", report.pk])}"'
            in text
        )
    links = re.findall(r'<a class="metric[^"]*" href="([^"]+)">([\d.]+)', text)
    address = reverse("review:report_page", args=[project.slug, "reports", reports["rebias"].pk])
    assert [number for link, number in links if link == address] == ["20.00", "16.50", "12"]


def test_a_recall_that_could_not_be_less_is_in_parentheses(project, rita, url):
    recall_of(project, "CARE", 0.5, gallery=5)
    row = numbers(sections_of(rita.memberships.get())["general"])["CARE"]
    assert [row[f"t2v_{k}"] for k in (1, 5, 10)] == ["50.0", "(80.0)", "(90.0)"]
    assert row["t2v"] == "12 / 5"
    note = "In parentheses: recall at a K"
    text = client_of(rita).get(url).text
    assert note in text
    assert '(80.0)<span class="visually-hidden"> gallery of at most 5</span>' in text
    Report.objects.all().delete()
    recall_of(project, "CARE", 0.5, gallery=11)
    assert note not in client_of(rita).get(url).text


def test_the_protocol_names_the_clips(project, rita):
    recall_of(project, "CARE")
    assert sections_of(rita.memberships.get())["general"].title == "General captions"
    project.protocol = "lovr"
    project.save()
    assert sections_of(rita.memberships.get())["general"].title == "Clips"


def test_categories_are_shown_side_by_side(project, rita, url):
    capst_of(project, "CARE", 0.2, 0.3, categories={"Sports": 6, "Work <b>": 9})
    table = sections_of(rita.memberships.get())["events"].by_category
    assert [head.name for head in table.heads] == ["Sports", "Work <b>"]
    assert [cell.value for cell in table.rows[0].cells] == [20.0] * 6
    assert "Work &lt;b&gt;" in client_of(rita).get(url).text


def test_it_is_sorted_by_any_column_and_best_first_otherwise(project, rita, url):
    for name, t2v, v2t in (("A", 0.1, 0.9), ("B", 0.3, 0.2), ("C", None, None), ("D", 0.2, 0.4)):
        recall_of(project, name, t2v, v2t)
    member = rita.memberships.get()

    def order(**parameters):
        return [row.name for row in sections_of(member, **parameters)["general"].rows]

    assert order() == ["B", "D", "A", "C"]
    assert order(sort="general.v2t_1") == ["A", "D", "B", "C"]
    # Without a number a model is last, whichever way.
    assert order(sort="general.v2t_1", ascending="1") == ["B", "D", "A", "C"]
    assert order(sort="events.f1") == order(sort="general.nothing") == order()
    text = client_of(rita).get(f"{url}?sort=general.v2t_1").text
    assert 'aria-sort="descending"><a href="?sort=general.v2t_1&amp;ascending=1#general"' in text


def test_the_best_is_marked_and_less_bias_is_better(project, rita):
    def best(*ends):
        Report.objects.all().delete()
        for name, table5, of_name in zip("AB", (20.0, 12.0), ends, strict=True):
            recall = recall_of(project, name, kinds=("spatial", "temporal"))
            rebias_of(project, recall, table5, of_name)
        section = sections_of(rita.memberships.get())["halves"]
        return {
            row.name: [cell.column.key for cell in cells if cell.is_best]
            for row, cells in section.table.rows_with_cells
        }

    # Of what is the same for all, none is the best.
    assert best((18.0, 22.0), (11.0, 13.0)) == {"A": [], "B": ["table5"]}
    # Nor of what the intervals do not tell apart.
    assert best((11.0, 29.0), (8.0, 16.0)) == {"A": [], "B": []}


def test_no_model_is_the_best_of_different_galleries(project, rita, url):
    note = "none is marked as the best"
    for name, first, gallery in (("A", 0.9, 2), ("B", 0.5, 9)):
        recall_of(project, name, first, gallery=gallery)
        capst_of(project, name, first)
    recompute(project=project, name="unified")
    sections = sections_of(rita.memberships.get())
    assert sections["general"].table.best == {}
    # The captions were judged alike all the same.
    assert list(sections["unified"].table.best) == ["caption"]
    assert all(note in sections[key].notes[0] for key in ("general", "unified"))
    text = client_of(rita).get(url).text
    assert "No gap, because the number of queries or the gallery differs" in text
    assert "is not comparable with the baseline" in text
    Report.objects.all().delete()
    for name, first in (("A", 0.9), ("B", 0.5)):
        recall_of(project, name, first, gallery=9)
    assert list(sections_of(rita.memberships.get())["general"].table.best) == ["t2v_1"]
    assert note not in client_of(rita).get(url).text


def test_no_model_is_the_best_of_far_more_or_fewer_clips(project, rita):
    def best(*counts):
        Report.objects.all().delete()
        for name, clips in zip("AB", counts, strict=True):
            recall_of(project, name)
            # So far apart that their intervals are.
            capst_of(project, name, 0.1 if name == "A" else 0.9, clips=clips)
        recompute(project=project, name="unified")
        sections = sections_of(rita.memberships.get())
        return {
            key: (list(sections[key].table.best), UNEVEN in sections[key].notes)
            for key in ("events", "unified")
        }

    parts = ["f1", "recall", "precision"]
    assert best(18, 20) == {"events": (parts, False), "unified": (["caption", "unified"], False)}
    assert best(16, 20) == {"events": ([], True), "unified": ([], True)}


def two_models(project, count):
    """Two models far apart, with every number that can have a best, each from `count` clips."""
    for name, share in (("A", 0.1), ("B", 0.9)):
        recall = recall_of(project, name, share, queries=count, kinds=("general", *HALVES))
        rebias_of(project, recall, 100 * share, (99 * share, 101 * share), videos=count)
        capst_of(project, name, share, clips=count, categories={"Work": 6}, in_category=count)
        overlap_of(project, name, clips=count)
    ratings_of(project, clips=count, A=900.0, B=1100.0)
    recompute(project=project, name="unified")


def test_from_too_few_clips_there_is_no_best_and_no_interval(project, rita, url):
    two_models(project, FEW - 1)
    sections = sections_of(rita.memberships.get())
    assert list(sections) == [
        "events", "objects", "overlap", "ratings", "general", "halves", "unified", "gaps",
    ]  # fmt: skip
    for section in sections.values():
        assert section.notes.count(TOO_FEW) == 1, section.key
        for table in filter(None, (section.table, section.by_category)):
            assert table.best == {}
            all_cells = [cell for _, cells in table.rows_with_cells for cell in cells]
            assert [cell for cell in all_cells if cell.interval] == []
    assert numbers(sections["events"])["B"]["f1"] == "90.0"
    rated = numbers(sections["ratings"])["B"]
    assert (rated["rank"], rated["bradley_terry"]) == ("–", "1100")
    text = client_of(rita).get(url).text
    assert "metric best" not in text
    assert 'class="interval small' not in text
    assert text.count(TOO_FEW) == len(sections)


def test_from_enough_clips_there_are_a_best_and_intervals(project, rita, url):
    two_models(project, FEW)
    sections = sections_of(rita.memberships.get())
    best = {key: list(section.table.best) for key, section in sections.items()}
    assert best["general"] == ["t2v_1"]
    assert best["halves"][-1] == "table5"
    assert best["ratings"] == ["rank", "bradley_terry"]
    assert best["unified"] == ["retrieval", "caption", "unified"]
    text = client_of(rita).get(url).text
    assert TOO_FEW not in text
    assert 'class="interval small' in text


def test_a_model_of_too_few_clips_leaves_the_others_their_intervals(project, rita):
    for name, clips in (("A", FEW), ("B", FEW), ("C", FEW - 1)):
        capst_of(project, name, clips=clips)
    table = sections_of(rita.memberships.get())["events"].table
    intervals = {row.name: cells[0].interval for row, cells in table.rows_with_cells}
    assert intervals == {"A": "12.5 to 37.5", "B": "12.5 to 37.5", "C": ""}
    assert table.best == {}


def test_the_best_overlap_is_of_as_many_captions_of_one_kind(project, rita):
    def section():
        return sections_of(rita.memberships.get())["overlap"]

    overlap_of(project, "A")
    overlap_of(project, "B", kind="spatial")
    assert {column.best for column in section().table.columns} == {""}
    assert section().notes == ("Captions of different kinds are not comparable.",)
    Report.objects.all().delete()
    overlap_of(project, "A")
    overlap_of(project, "B", clips=30)
    assert {column.best for column in section().table.columns} == {""}
    assert section().notes == (UNEVEN,)


def test_one_model_alone_is_not_called_the_best(project, rita, url):
    recall_of(project, "CARE")
    assert "metric best" not in client_of(rita).get(url).text


def test_undefined_numbers_have_a_reason(project, rita, url):
    rebias_of(project, recall_of(project, "CARE", kinds=("spatial", "temporal")), None)
    text = client_of(rita).get(url).text
    assert "The mean temporal recall is 0." in text


def test_the_choices_of_capst_are_two_tables(project, rita, url):
    capst_of(project, "CARE", 0.2)
    capst_of(project, "CARE", 0.6, preset="official")
    member = rita.memberships.get()
    assert numbers(sections_of(member)["events"])["CARE"]["f1"] == "20.0"
    assert numbers(sections_of(member, preset="official")["events"])["CARE"]["f1"] == "60.0"
    assert numbers(sections_of(member, preset="none")["events"])["CARE"]["f1"] == "20.0"
    assert "?preset=official" in client_of(rita).get(url).text


def test_models_that_were_judged_in_different_ways_have_a_warning(project, rita, url):
    for name, judge in (("A", "Qwen"), ("B", "DeepSeek")):
        capst_of(project, name, judge=judge)
    assert "were judged in different ways" in client_of(rita).get(url).text


def test_a_gap_is_held_against_the_chosen_model(project, rita, url):
    first, second = recall_of(project, "CARE", 0.5), recall_of(project, "Qwen2-VL", 0.2)
    recompute(project=project, name="unified")
    member = rita.memberships.get()
    assert list(numbers(sections_of(member)["gaps"])) == ["Qwen2-VL"]
    held = sections_of(member, baseline=f"gaps:{second.subject}")["gaps"]
    assert numbers(held)["CARE"]["gap"] == "7.8"  # 100 · (4.15 - 3.85) / 3.85
    assert held.title == "Relative gap to Qwen2-VL"
    assert f'value="gaps:{first.subject}"' in client_of(rita).get(url).text


def test_hostile_names_are_text(project, rita, url):
    name = "<img src=x onerror=alert(1)>"
    everything(project, name)
    text = client_of(rita).get(url).text
    assert name not in text
    assert escape(name) in text


def test_a_simulated_project_says_so_loudly(project, rita, url):
    recall_of(project, "CARE")
    assert "Simulated." not in client_of(rita).get(url).text
    project.is_simulated = True
    project.save()
    assert "<strong>Simulated.</strong>" in client_of(rita).get(url).text


def test_numbers_of_vectors_that_are_gone_are_old(project, rita, url):
    three_clips(project)
    recompute(project=project, name="recall")
    assert '<span class="badge warn">old</span>' not in client_of(rita).get(url).text
    project.embeddings.first().delete()
    assert '<span class="badge warn">old</span>' in client_of(rita).get(url).text


def test_a_score_is_old_with_what_it_is_made_of(project):
    recall_of(project, "CARE")
    capst_of(project, "CARE")
    [unified] = recompute(project=project, name="unified")
    # The rows of recall stand for vectors that are not there.
    assert unified.pk in load(project).old


def test_captions_that_are_out_of_use_are_left_out(project, rita):
    overlap_of(project, "CARE")
    captions = captions_of(project, "CARE")
    captions.is_used = False
    captions.save()
    assert sections_of(rita.memberships.get()) == {}


def test_more_models_take_no_more_database_queries(project, rita, url):
    def queries() -> int:
        with count_queries() as count:
            assert client_of(rita).get(url).status_code == 200
        return int(count)

    everything(project, "A")
    recall_of(project, "B")
    recompute(project=project, name="unified")
    baseline = queries()
    for name in ("C", "D"):
        everything(project, name)
    assert queries() == baseline

"""Two models over several projects: Tables 16 to 18, of projects that a person administers."""

import csv
import io

import pytest

from metrics.correlation import pearson
from review.benchmarks.gaps import Model, gap_on, read_benchmark
from tests.cast import client_of, join, make_clip, make_project
from tests.markup import squeezed
from tests.review.statistics.corpus import caption
from tests.review.summary.metric_rows import capst_of, recall_of

pytestmark = pytest.mark.django_db
URL = "/p/dives/benchmarks/"
FRAMES = "32 frames, evenly spread"
# project -> R@1 of CARE and of Qwen in both directions, words of its captions, its events
PLANTED = {"Dives": (0.6, 0.5, 200, 6), "Short": (0.3, 0.4, 10, 1), "Middle": (0.5, 0.5, 60, 3)}
ALL = "?" + "&".join(f"project={name.lower()}" for name in PLANTED)


@pytest.fixture
def planted(project, ada):
    projects = {}
    for name, (own, baseline, words, events) in PLANTED.items():
        benchmark = project if name == project.name else make_project(name)
        if benchmark != project:
            join(benchmark, ada, "admin")
        recall_of(benchmark, "CARE", own, own)
        recall_of(benchmark, "Qwen", baseline, baseline)
        caption(make_clip(benchmark), words, "human")
        capst_of(benchmark, "captions", categories={"Sports": events})
        projects[name] = benchmark
    return projects


def average(first):
    return 100 * (first + 0.8 + 0.9) / 3


def table(ada, key, query=ALL):
    text = client_of(ada).get(f"{URL}download/{query}&file={key}.csv").text
    return list(csv.DictReader(io.StringIO(text)))


def test_the_gap_of_each_benchmark_is_equation_4_on_avg_recall(planted, ada):
    rows = table(ada, "table-16")
    assert [row["model"] for row in rows] == ["Short", "Middle", "Dives"]
    for row in rows:
        own, baseline, _, _ = PLANTED[row["model"]]
        assert float(row["own"]) == pytest.approx(average(own))
        assert float(row["baseline"]) == pytest.approx(average(baseline))
        assert (row["size_queries"], row["size_gallery"]) == ("12", "100")
    for row in table(ada, "table-17"):
        own, baseline, words, _ = PLANTED[row["model"]]
        gap = 100 * (average(own) - average(baseline)) / average(baseline)
        assert float(row["gap"]) == pytest.approx(gap)
        assert float(row["words"]) == words


def test_the_correlations_are_pearsons_over_the_benchmarks(planted, ada):
    gaps = [
        100 * (average(own) - average(baseline)) / average(baseline)
        for own, baseline, _, _ in PLANTED.values()
    ]
    rows = {row["model"]: row for row in table(ada, "table-18")}
    words = pearson([words for _, _, words, _ in PLANTED.values()], gaps)
    assert float(rows["Gap and avg. words"]["r"]) == pytest.approx(words.value)
    assert rows["Gap and avg. words"]["n"] == "3"
    # Every caption has the same elements here, so there is nothing to correlate with.
    assert rows["Gap and avg. actions"]["r"] == ""


def test_two_benchmarks_are_too_few_to_correlate(planted, ada):
    page = squeezed(client_of(ada).get(f"{URL}?project=dives&project=short").text)
    assert "Pearson’s r needs 3 benchmarks with a gap and the statistic." in page
    assert "Benchmarks with a gap: Short, Dives." in page


def test_a_missing_gap_has_a_reason(planted, ada):
    make = planted["Short"]
    make.reports.all().delete()
    recall_of(make, "CARE", 0.3)
    recall_of(planted["Middle"], "CARE", 0.3, gallery=50)
    page = squeezed(client_of(ada).get(URL + ALL).text)
    assert f"Short: no gap. No recall by general captions of Qwen ({FRAMES})." in page
    assert "Middle: no gap. The recall of 12 queries among 50 is not comparable" in page
    rows = {row["model"]: row for row in table(ada, "table-17")}
    assert (rows["Short"]["gap"], rows["Middle"]["gap"]) == ("", "")
    assert rows["Short"]["objects"] == ""


def test_only_projects_of_which_the_person_is_an_admin_are_offered(planted, ada):
    foreign, reviewed = make_project("Foreign"), make_project("Reviewed")
    join(reviewed, ada, "reviewer")
    for benchmark in (foreign, reviewed):
        recall_of(benchmark, "CARE", 0.9)
    client = client_of(ada)
    page = client.get(URL)
    assert [benchmark.slug for benchmark in page.context["candidates"]] == [
        "dives",
        "middle",
        "short",
    ]
    for slug in ("foreign", "reviewed"):
        refused = client.get(f"{URL}?project={slug}")
        assert refused.status_code == 422
        assert f"You are not an admin of {slug}." in refused.text
        assert not refused.context["parts"]
        returned = client.get(f"{URL}download/?file=table-16.csv&project={slug}")
        assert (returned.status_code, returned.headers["Location"][: len(URL)]) == (302, URL)


def test_a_model_without_a_partner_has_no_tables(project, ada):
    recall_of(project, "CARE")
    page = client_of(ada).get(URL)
    assert "fewer than two models" in page.text
    recall_of(project, "Qwen")
    key = Model("care", FRAMES).key
    same = client_of(ada).get(URL, {"own": key, "baseline": key})
    assert "Choose two different models." in same.text


def test_frames_tell_models_apart(project):
    recall_of(project, "CARE", 0.5)
    recall_of(project, "Qwen", 0.5, frames="8 frames")
    benchmark = read_benchmark(project)
    gap = gap_on(benchmark, Model("care", FRAMES), Model("Qwen", FRAMES))
    assert (gap.percent, gap.baseline) == (None, None)
    assert "Qwen" in gap.reason
    assert benchmark.statistics == {"words": None, "events": None, "objects": None}


def test_the_latex_names_its_reports(planted, ada):
    latex = client_of(ada).get(f"{URL}download/{ALL}&file=table-17.tex").text
    assert latex.count("% recall of ") == 3
    assert latex.count("% capst of ") == 3

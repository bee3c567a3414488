"""Finding pages, clips, people, runs and projects: what each person finds, and what it costs."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.urls import reverse

from annotate.models import Caption, Project
from annotate.search.services import index_for_a_minute
from inference.models import InferenceRun
from review.navigation.queries import MAX_RESULTS
from tests.cast import client_of, count_queries, join, make_clip, make_person, make_project
from tests.inference.cast import bare_recipe

pytestmark = pytest.mark.django_db


@pytest.fixture
def project(db):
    return make_project()


@pytest.fixture
def ada(project):
    return make_person("Ada", project, "admin")


def find(person, project, typed: str) -> dict[str, list[str]]:
    """What the page lists, by heading."""
    url = reverse("review:find", args=[project.slug])
    text = client_of(person).get(url, {"q": typed}).text
    main = text[text.index("<main") :]
    parts = re.split(r"<h2>(.*?)</h2>", main)[1:]
    links = (re.findall(r'<a class="grow.*?>(.*?)</a>', part) for part in parts[1::2])
    return {
        heading: [unescape(link) for link in rows]
        for heading, rows in zip(parts[::2], links, strict=True)
    }


def test_pages_are_found_by_their_labels_first_and_then_by_other_words(project, ada):
    assert find(ada, project, "mod")["Pages"][0] == "Models"
    assert find(ada, project, "people")["Pages"] == ["People", "Members"]
    assert find(ada, project, "ELO") == {"Pages": ["Leaderboard", "Correlation"]}


def test_a_person_finds_the_pages_of_their_roles_alone(project):
    anna = make_person("Anna", project, "annotator")
    assert find(anna, project, "members") == {}
    assert find(anna, project, "balance") == {"Pages": ["Balance"]}


def test_clips_are_found_by_parts_of_their_names_in_order(project, ada):
    for name in ("dive_2", "dive_1", "bikes", "high_dive"):
        make_clip(project, original_name=f"{name}.mp4")
    assert find(ada, project, "Dive")["Clips"] == ["dive_1", "dive_2", "high_dive"]
    assert find(ada, project, "hi dive")["Clips"] == ["high_dive"]
    assert find(ada, project, "d%e") == {}
    assert find(ada, project, "e_1") == {"Clips": ["dive_1"]}


def test_captions_are_found_by_words_that_are_still_being_typed(project, ada):
    clip = make_clip(project, original_name="dive.mp4")
    Caption.objects.create(
        project=project, clip=clip, kind="general", source="machine", text="Two newts", word_count=2
    )
    index_for_a_minute()
    assert find(ada, project, "two new")["Captions"] == [clip.name]
    assert "Captions" not in find(ada, project, "tw")
    assert "Captions" not in find(ada, project, '"new two"')


def test_nothing_of_another_project_is_found(project, ada):
    other = make_project("Other")
    make_clip(other, original_name="secret_dive.mp4")
    make_person("Olaf Secret", other, "annotator")
    assert find(ada, project, "secret") == {}


def test_people_and_runs_are_for_admins(project, ada):
    rita = make_person("Rita", project, "reviewer")
    run = InferenceRun.objects.create(
        project=project, kind="segment", recipe=bare_recipe("segment"), recipe_hash="", queue="cpu"
    )
    assert find(ada, project, "rita") == {"People": ["Rita"]}
    assert find(ada, project, "segment")["Runs"] == [f"Segment run {run.pk}"]
    assert find(ada, project, f"#{run.pk}")["Runs"] == [f"Segment run {run.pk}"]
    assert "Runs" not in find(rita, project, "segment")
    assert find(rita, project, "ada") == {}


def test_other_projects_of_the_person_are_found(project, ada):
    dives = make_project("High dives")
    join(dives, ada, "annotator")
    make_project("High seas")
    assert find(ada, project, "high") == {"Projects": ["High dives"]}
    page = client_of(ada).get(reverse("review:find_project"), {"q": "high"}).text
    assert "High dives" in page
    assert "High seas" not in page


def test_a_name_is_escaped(project, ada):
    make_clip(project, original_name="<script>alert(1)</script>.mp4")
    text = client_of(ada).get(reverse("review:find", args=[project.slug]), {"q": "alert"}).text
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert" in text


def test_the_switcher_gets_options_alone(project, ada):
    url = reverse("review:find", args=[project.slug])
    answer = client_of(ada).get(url, {"q": "runs"}, headers={"HX-Target": "switcher-results"})
    assert answer.text.startswith(
        '<div class="switcher-results" id="switcher-results" role="listbox"'
    )
    assert answer.text.count('role="option"') == 1
    nothing = client_of(ada).get(url, {"q": "zz"}, headers={"HX-Target": "switcher-results"})
    assert "Nothing matches." in nothing.text


def test_too_long_a_search_says_so(project, ada):
    url = reverse("review:find", args=[project.slug])
    assert "at most 200 characters" in client_of(ada).get(url, {"q": "a" * 201}).text


def test_results_are_limited_and_more_clips_take_no_more_queries(project, ada):
    url = reverse("review:find", args=[project.slug])
    client = client_of(ada)
    make_clip(project, original_name="dive_a.mp4")
    client.get(url, {"q": "dive"})
    with count_queries() as baseline:
        client.get(url, {"q": "dive"})
    for number in range(MAX_RESULTS + 2):
        make_clip(project, original_name=f"dive_{number}.mp4")
        make_person(f"Dive {number}", project, "annotator")
    with count_queries() as many:
        client.get(url, {"q": "dive"})
    assert len(many.statements) == len(baseline.statements)
    rows = find(ada, project, "dive")
    assert [len(rows[kind]) for kind in ("Clips", "People")] == [MAX_RESULTS, MAX_RESULTS]


def test_without_words_it_lists_pages_and_projects(project, ada):
    make_clip(project)
    assert list(find(ada, project, " ")) == ["Pages"]
    assert Project.objects.count() == 1

"""A release says how often people identified its clips by one text alone."""

import pytest

from review.identification.computing import Share
from review.identification.queries import task_of
from review.identification.services import end_test, start_test
from review.releases.services import build_release
from review.releases.statements import add_up, identification_sentence
from review.releases.writers.carebench import carebench_files
from tests.cast import client_of, make_person
from tests.review.identification.identifying import pick, right_place, take


@pytest.fixture
def picked(project, make_complete, ada):
    """Of four clips, a person identified three by the spatial text."""
    for number in range(4):
        make_complete(f"dive-{number}")
    uma = make_person("Uma", project, "reviewer")
    test = start_test(project=project, admin=ada, kinds=["spatial"], options=4, people=1)
    number = 0
    while held := take(uma, project):
        place = right_place(held)
        pick(held, place if number else place % len(task_of(held).clips) + 1)
        number += 1
    return test


def readme(release):
    [file] = [file for file in carebench_files(release) if file.path == "README.md"]
    return b"".join(file.checked()).decode()


def test_readme_page_and_manifest_have_the_picks_of_an_ended_test(project, picked, ada):
    before = build_release(project=project, version="0.1.0", admin=ada)
    assert "picked it among" not in readme(before)
    end_test(project=project, admin=ada)
    release = build_release(project=project, version="0.2.0", admin=ada)
    assert "3 of 4 picks by the spatial text alone (25 % by guessing)" in readme(release)
    frozen = [clip.provenance["identified"]["spatial"] for clip in release.clips.all()]
    assert sum(counts["right"] for counts in frozen) == 3
    assert {counts["picks"] for counts in frozen} == {1}
    page = client_of(ada).get("/p/dives/releases/0.2.0/").text
    assert "75.0 %" in page
    assert readme(before) == readme(before.__class__.objects.get(pk=before.pk))


def test_shares_add_up_by_kind():
    first = {"identified": {"spatial": {"right": 1, "picks": 2, "guessed": 0.5}}}
    second = {"identified": {"spatial": {"right": 1, "picks": 1, "guessed": 0.25}}}
    assert add_up([first, {}, second]) == [Share("spatial", "", right=2, picks=3, guessed=0.75)]
    assert identification_sentence([]) == ""

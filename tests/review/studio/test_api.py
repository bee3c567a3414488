"""The next release for programs: what it would contain, what it changes, and its card."""

import pytest
from django.core.cache import cache

from annotate.jobs.services.working import work_on
from annotate.models import Caption
from review.releases.services import build_release
from review.studio import pages
from tests.api.asking import problem, program_of

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
NEXT = "next-release/"


@pytest.fixture(autouse=True)
def _nothing_kept():
    cache.clear()
    yield
    cache.clear()


def test_a_program_reads_what_would_be_released_and_what_the_checks_find(
    project, ada, anna, make_complete
):
    make_complete("dive")
    program = program_of(ada, project)
    build_release(project=project, version="0.1.0", admin=None)
    identical = program.get(NEXT).json()["compared"]
    assert (identical["is_identical"], identical["can_build"]) == (True, False)
    kept = make_complete("ball<")
    next_release = program.get(NEXT).json()
    compared = next_release["compared"]
    assert (next_release["is_outdated"], next_release["job"]) == (False, None)
    assert (compared["clips"], compared["version"], compared["can_build"]) == (2, "0.2.0", False)
    assert compared["changes"] == {"added": 1, "changed": 0, "withdrawn": 0}
    [unsafe] = [each for each in compared["findings"] if each["name"] == "safe-names"]
    assert (unsafe["level"], unsafe["count"]) == ("block", 1)
    assert [(each["name"], each["clip"]) for each in unsafe["listed"]] == [("ball<", kept.pk)]
    assert unsafe["fix"]
    assert program_of(anna, project).get(NEXT).status_code == 200
    assert "ball" not in program.get(f"{NEXT}card/").json()["card"]
    assert "configs:" in program.get(f"{NEXT}card/").json()["card"]
    assert problem(program_of(anna, project).get(f"{NEXT}card/")) == (403, "forbidden")


def test_changes_come_in_pages_with_words_and_filters(project, ada, make_complete):
    for name in ("dive", "äpfel", "ball"):
        make_complete(name)
    program = program_of(ada, project)
    first = program.get(f"{NEXT}changes/?limit=2").json()
    second = program.get(first["next"]).json()
    assert [each["name"] for each in first["results"] + second["results"]] == [
        *("ball.mp4", "dive.mp4", "äpfel.mp4"),
    ]
    assert second["next"] is None
    [dive] = program.rows(f"{NEXT}changes/?change=added&name=DIV")
    assert dive["change"] == "added"
    texts = {each["kind"]: each["spans"] for each in dive["texts"]}
    temporal = Caption.objects.get(clip__name="dive", kind="temporal").text
    assert texts["Temporal"] == [{"op": "insert", "text": temporal}]
    assert program.rows(f"{NEXT}changes/?change=withdrawn") == []
    assert problem(program.get(f"{NEXT}changes/?change=other")) == (422, "invalid")


@pytest.mark.one_database
def test_a_large_project_is_compared_by_a_worker(project, ada, make_complete, monkeypatch):
    monkeypatch.setattr(pages, "takes_long", lambda project: True)
    make_complete("dive")
    program = program_of(ada, project)
    waiting = program.get(NEXT).json()
    assert waiting["compared"] is None
    assert program.get(NEXT).json()["job"] == waiting["job"]
    for address in ("changes/", "card/"):
        assert problem(program.get(NEXT + address)) == (409, "refused")
    work_on(job_id=waiting["job"])
    next_release = program.get(NEXT).json()
    assert (next_release["compared"]["clips"], next_release["job"]) == (1, None)
    assert [each["name"] for each in program.rows(f"{NEXT}changes/")] == ["dive.mp4"]
    assert program.get(f"{NEXT}card/").json()["card"]

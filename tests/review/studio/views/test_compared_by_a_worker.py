"""The next release of a large project: a worker compares it, and pages show what it has kept."""

from datetime import timedelta

import pytest
import time_machine
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone

from annotate.jobs.services.working import work_on
from annotate.models import Clip
from annotate.models.jobs import Job
from review.errors import ReviewError
from review.frozen.models import Release
from review.releases.gates.setting import set_gates
from review.releases.models import Level, ReleaseDraft
from review.releases.services import build_release
from review.studio import card, jobs, pages
from tests.cast import client_of
from tests.review.cast import add_complete, make_complete_world
from tests.review.studio.cast import checks_of, names_by_gate, studio_of
from tests.review.takedowns.releases import written

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def large(monkeypatch):
    monkeypatch.setattr(pages, "takes_long", lambda project: True)
    yield
    cache.clear()


@pytest.fixture(scope="module")
def made(kept, rendered_media):
    world = make_complete_world(rendered_media, "dive")
    build_release(project=world["project"], version="0.1.0", admin=None)
    add_complete(world, rendered_media, "ball<")
    return world


@pytest.fixture
def compared(project):
    """A project with a release and a clip more, which a worker compares."""
    return project


def changes_of(person, project, **query):
    return client_of(person).get(reverse("review:release_changes", args=[project.slug]), query)


def jobs_of(project) -> int:
    return Job.objects.filter(project=project, kind="compare-release").count()


def work() -> Job:
    job = Job.objects.filter(kind="compare-release").latest("pk")
    work_on(job_id=job.pk)
    job.refresh_from_db()
    return job


def test_the_page_waits_for_a_worker_and_shows_what_it_has_kept(compared, ada, monkeypatch):
    waiting = client_of(ada).get(checks_of(compared))
    assert "A worker counts the clips" in waiting.text
    assert "following" not in waiting.context
    since = {"since": waiting.context["since"]}
    again = client_of(ada).get(checks_of(compared), since)
    assert again.context["comparing"] == waiting.context["comparing"]
    assert work().state == "done"
    monkeypatch.setattr(pages, "check", None)  # No request compares.
    following = client_of(ada).get(checks_of(compared), since).context["following"]
    assert (following.clips, following.difference.added) == (2, ["ball<.mp4"])
    assert not following.can_build
    assert {name: len(names) for name, names in names_by_gate(following.blocks).items()} == {
        "safe-names": 1
    }
    page = changes_of(ada, compared)
    assert [(row.name, row.state) for row in page.context["changes"]] == [("ball<.mp4", "added")]
    assert "<ins>" in page.text
    assert "just now" in page.text
    assert Job.objects.filter(kind="compare-release").count() == 1


def test_a_comparison_is_kept_until_the_project_changes(compared, ada, make_complete):
    client_of(ada).get(checks_of(compared))
    work()
    with time_machine.travel(timezone.now() + timedelta(minutes=5)) as clock:
        for url in (checks_of(compared), studio_of(compared)):
            page = client_of(ada).get(url)
            assert page.context["following"].clips == 2
            assert "5\xa0minutes ago</time>." in page.text
            assert "Compare again" in page.text
        assert jobs_of(compared) == 1
        make_complete("jump")
        page = client_of(ada).get(studio_of(compared))
        # What is known is shown while a worker compares again. It keeps nobody from building.
        assert page.context["following"].clips == 2
        assert "The project has changed since." in page.text
        assert "A worker compares again…" in page.text
        assert "disabled>" not in page.text
        assert "as they are now" not in page.text
        # A list that somebody pages through stays as it was compared.
        assert "The project has changed since." in changes_of(ada, compared).text
        waiting = {"since": page.context["since"], "waits": "working"}
        assert client_of(ada).get(checks_of(compared), waiting).status_code == 204
        work()
        page = client_of(ada).get(checks_of(compared), waiting)
        assert page.context["following"].clips == 3
        assert "A worker compares again" not in page.text
        assert jobs_of(compared) == 2
        # Anybody can ask for another one. A time that is none is no wish.
        clock.shift(1)
        assert "comparing" not in client_of(ada).get(checks_of(compared), {"since": "x"}).context
        query = {"since": timezone.now().isoformat()}
        assert "comparing" in client_of(ada).get(checks_of(compared), query).context
        assert jobs_of(compared) == 3


def test_a_build_reads_the_project_itself(compared, ada, make_complete):
    Clip.objects.filter(name="ball<").update(name="ball")
    client_of(ada).get(checks_of(compared))
    work()
    make_complete("jump")
    url = reverse("review:build_release", args=[compared.slug])
    client_of(ada).post(url, {"version": "0.2.0", "confirm": "on"})
    work_on(job_id=Job.objects.get(kind="release").pk)
    names = Release.objects.latest("pk").clips.values_list("file_name", flat=True)
    assert set(names) == {"dive.mp4", "ball.mp4", "jump.mp4"}


def test_the_card_is_made_from_what_is_kept(compared, ada, monkeypatch):
    Clip.objects.filter(name="ball<").update(name="ball")
    url = reverse("review:release_card", args=[compared.slug])
    ReleaseDraft.objects.create(project=compared, notes="More.")
    waiting = client_of(ada).get(url)
    assert "The card follows here." in waiting.text
    work()
    with monkeypatch.context() as patch:
        patch.setattr(pages, "next_release", None)
        page = client_of(ada).get(url)
    assert "just now" in page.text
    release = build_release(project=compared, version="0.2.0", admin=None, notes="More.")
    readme = written(release, "huggingface")["README.md"].decode()
    assert page.context["card"] == readme.replace(release.content_hash, card.UNKNOWN)


def test_other_levels_of_the_checks_are_not_answered_from_what_was_kept(compared, ada):
    client_of(ada).get(checks_of(compared))
    work()
    set_gates(project=compared, admin=ada, choices={"video-licenses": (Level.OFF, None)})
    assert "A worker counts the clips" in client_of(ada).get(checks_of(compared)).text


def test_a_comparison_that_fails_says_why_and_can_be_repeated(compared, ada, monkeypatch):
    def refuse(comparison, **options):
        raise ReviewError("A caption has no text.")

    waiting = changes_of(ada, compared)
    assert "A worker compares the next release" in waiting.text
    monkeypatch.setattr(jobs, "check", refuse)
    assert work().state == "failed"
    for page in (changes_of(ada, compared), client_of(ada).get(checks_of(compared))):
        assert "could not be compared: A caption has no text." in page.text
    with time_machine.travel(timezone.now() + timedelta(minutes=1)):
        assert "A worker counts the clips" in client_of(ada).get(checks_of(compared)).text

"""The pages of a release in TF-CoVR's form, and of what would be next."""

import json
from functools import partial

import pytest
from django.urls import reverse

from annotate.jobs.services.working import work_on
from annotate.models import Clip
from annotate.models.jobs import Job
from review.releases.services import build_release
from tests.cast import client_of, count_queries, make_person
from tests.media import make_playable
from tests.review.releases.released_triplets import add_clip, make_dives, make_set, query_of, verify


@pytest.fixture(scope="module")
def made(kept, rendered_media):
    project = make_dives(partial(make_playable, rendered_media))
    return {"project": project, "triplets": make_set(project)}


@pytest.fixture
def triplets(shared):
    return shared["triplets"]


@pytest.fixture
def release(project, triplets):
    query = query_of(triplets, "clip-09")
    verify(make_person("Rita", project), query, corrected="show <i>three</i> turns")
    return build_release(project=project, version="0.1.0", admin=None)


def page_of(person, project, version=""):
    name, arguments = ("review:release", [version]) if version else ("review:releases", [])
    return client_of(person).get(reverse(name, args=[project.slug, *arguments]))


def studio_of(person, project):
    return client_of(person).get(reverse("review:release_checks", args=[project.slug]))


def words_of(response) -> str:
    return " ".join(response.content.decode().split())


def test_the_next_release_is_the_newest_set_with_its_checks(project, triplets, ada):
    assert "Prepare the next release" in words_of(page_of(ada, project))
    page = words_of(studio_of(ada, project))
    assert "in set 1, the newest" in page
    assert "Test queries that nobody verified" in page
    assert "clip-09, 107b to 109b" in page
    assert "107b = 109b = 307c" in page
    assert "A build freezes 7 queries as they are now, with 14 clips." in page
    assert "The first release" in page


def test_an_admin_builds_and_then_nothing_has_changed(project, triplets, ada):
    build = reverse("review:build_release", args=[project.slug])
    client_of(ada).post(build, {"version": "0.1.0", "confirm": "on"})
    work_on(job_id=Job.objects.get(kind="release").pk)
    page = words_of(studio_of(ada, project))
    assert "No changes since 0.1.0" in page
    client_of(ada).post(build, {"version": "0.2.0", "confirm": "on"})
    work_on(job_id=Job.objects.get(kind="release", title="0.2.0").pk)
    assert "Release 0.1.0 already has exactly this content" in words_of(page_of(ada, project))


def test_a_release_lists_its_queries_and_escapes_their_texts(project, release, anna):
    response = page_of(anna, project, "0.1.0")
    page = words_of(response)
    assert "7 queries on 14 clips, built" in page
    assert [count.verified for count in response.context["query_counts"]] == [0, 0, 1]
    assert [row.query.split for row in response.context["queries"]] == [
        *["test"] * 3, "validation", *["train"] * 3,
    ]  # fmt: skip
    assert "clip-09 + “show &lt;i&gt;three&lt;/i&gt; turns”" in page
    assert "Verified by 1" in page
    titles = [figure.title for figure in response.context["figures"]]
    assert titles[1:] == ["Words of the modification", "Targets per query, validation and test"]
    clip = Clip.objects.get(name="clip-11")
    assert reverse("annotate:clip", args=[project.slug, clip.pk]) in page
    assert reverse("review:prepare_release_archive", args=[project.slug, "0.1.0", "circo"]) in page
    assert "Rita" not in page


def test_its_statistics_are_a_file(project, release, anna):
    address = reverse("review:release_statistics", args=[project.slug, "0.1.0", "json"])
    clips = json.loads(client_of(anna).get(address).content)["clips"]
    assert (clips["items"], clips["captions"]) == (14, [])


def statements_of(person, project, version="") -> int:
    page_of(person, project, version)
    with count_queries() as count:
        page_of(person, project, version)
    return len(count.statements)


def test_more_queries_need_no_more_statements(project, release, make_playable_clip, ada):
    before = [statements_of(ada, project, version) for version in ("", "0.1.0")]
    label = project.action_labels.get(key="107b")
    for number in range(3):
        add_clip(make_playable_clip, label, "test", f"more-{number}", 50 + number)
    verify(make_person("Omar", project), query_of(make_set(project), "more-1"))
    build_release(project=project, version="0.2.0", admin=None)
    assert [statements_of(ada, project, version) for version in ("", "0.2.0")] == before

"""The list of releases with what would be next."""

from django.urls import reverse

from annotate.models import Project
from review.releases.services import build_release
from review.triplets.models import TripletSet
from tests.cast import client_of, count_queries, make_clip
from tests.hand_work import machine_caption
from tests.review.cast import open_clip, write


def releases_of(project):
    return reverse("review:releases", args=[project.slug])


def test_an_empty_project_says_what_a_release_is(project, ada):
    page = client_of(ada).get(releases_of(project)).content.decode()
    assert "No releases yet" in page


def test_a_project_of_machine_captions_says_what_its_release_needs(project, ada):
    Project.objects.update(protocol="lovr")
    machine_caption(make_clip(project), "A diver.")
    make_clip(project)
    response = client_of(ada).get(releases_of(project))
    page = response.content.decode()
    assert "A release freezes the described clips of segmented videos" in page
    assert "You can build one when a clip is described." in page
    assert "Not open for writing" not in page


def test_a_project_of_triplets_speaks_of_triplets(project, ada):
    Project.objects.update(protocol="tfcovr")
    make_clip(project)
    page = client_of(ada).get(releases_of(project)).content.decode()
    assert "A release freezes the newest finished set of triplets" in page
    assert "You can build one when a set is finished." in " ".join(page.split())
    assert "No triplet sets yet" in page
    assert "LoVR" not in page
    assert "Build and freeze" not in page
    TripletSet.objects.create(project=project, number=3, triplet_count=1234)
    page = client_of(ada).get(releases_of(project)).content.decode()
    assert "in set 3, which isn’t finished" in page
    assert "Build and freeze" not in page


def test_the_checks_say_what_incomplete_clips_wait_for(project, anna, ben, ada):
    open_clip(project, "one")
    write(project, open_clip(project, "two"), anna, ben)
    response = client_of(ada).get(reverse("review:release_checks", args=[project.slug]))
    assert response.context["progress"].waiting == [
        ("Waits for a write-up", 1),
        ("Waits for the merge", 1),
    ]


def test_the_queries_do_not_grow_with_the_clips(project, make_complete, ada):
    counts = {}
    for clips in (1, 3):
        for number in range(project.clips.count(), clips):
            make_complete(f"clip-{number}")
        version = f"0.{clips}.0"
        build_release(project=project, version=version, admin=None)
        for page in ("releases/", f"releases/{version}/"):
            client = client_of(ada)
            with count_queries() as count:
                assert client.get(f"/p/{project.slug}/{page}").status_code == 200
            counts[clips, page.partition("/")[2] == ""] = int(count)
    assert counts[1, True] == counts[3, True] <= 15
    assert counts[1, False] == counts[3, False] <= 13

"""The list of releases with what would be next, one release, and its download."""

import csv
import hashlib
import io
import json
import zipfile

import pytest
from django.urls import reverse

from annotate.jobs.services.working import work_on
from annotate.models import Project
from review.frozen.models import Release
from review.releases.archives import start_archive
from review.releases.services import build_release
from review.releases.statistics import release_statistics
from review.triplets.models import TripletSet
from tests.cast import client_of, count_queries, make_clip
from tests.hand_work import machine_caption
from tests.review.cast import open_clip, write


def releases_of(project):
    return reverse("review:releases", args=[project.slug])


@pytest.fixture
def release(project, make_complete):
    make_complete("dive")
    return build_release(project=project, version="0.1.0", admin=None, notes="<b>First</b>")


def test_it_lists_what_is_released(project, release, make_complete, ada):
    make_complete("ball")
    page = client_of(ada).get(releases_of(project)).text
    assert release.content_hash[:12] in page
    assert "&lt;b&gt;First&lt;/b&gt;" in page
    assert "Prepare the next release" in page


def test_an_empty_project_says_what_a_release_is(project, ada):
    page = client_of(ada).get(releases_of(project)).content.decode()
    assert "No releases yet" in page


def test_a_project_of_machine_captions_says_what_its_release_needs(project, ada):
    Project.objects.update(protocol=Project.Protocol.LOVR)
    machine_caption(make_clip(project), "A diver.")
    make_clip(project)
    response = client_of(ada).get(releases_of(project))
    page = response.content.decode()
    assert "A release freezes the described clips of segmented videos" in page
    assert "You can build one when a clip is described." in page
    assert "Not open for writing" not in page


def test_a_project_of_triplets_speaks_of_triplets(project, ada):
    Project.objects.update(protocol=Project.Protocol.TFCOVR)
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


def packed(release):
    """The release with its archive, as a worker writes it."""
    job = start_archive(release=release, format_name="carebench", user=None)
    work_on(job_id=job.pk)
    return job


def test_who_may(project, release, anna, ben, emil, rita, ada, olaf):
    packed(release)
    pages = [
        releases_of(project),
        reverse("review:release", args=[project.slug, "0.1.0"]),
        reverse("review:download_release", args=[project.slug, "0.1.0", "carebench"]),
    ]
    for page in pages:
        for person, status in [(anna, 200), (emil, 200), (rita, 200), (ada, 200), (olaf, 404)]:
            assert client_of(person).get(page).status_code == status
        assert client_of(None).get(page).status_code == 302
        assert client_of(ada).post(page).status_code == 405


def test_a_release_of_another_project_is_not_found(project, release, ada):
    assert client_of(ada).get(f"{releases_of(project)}9.9.9/").status_code == 404


def test_one_release_shows_its_clips_words_and_signature(project, release, anna):
    response = client_of(anna).get(reverse("review:release", args=[project.slug, "0.1.0"]))
    page = response.content.decode()
    assert f"sha256:{release.content_hash}" in page
    assert "dive.mp4" in page
    [caption, spatial, temporal] = [row.words for row in response.context["words"]]
    assert (caption.least, caption.median, caption.most, caption.total) == (30, 30, 30, 30)
    assert (spatial.total, temporal.total) == (15, 13)
    assert [figure.name for figure in response.context["figures"]] == [
        "clips-seconds",
        "general-words",
        "spatial-words",
        "temporal-words",
    ]


def test_the_statistics_of_a_release_stay_as_frozen(project, release, anna, make_complete):
    url = reverse("review:release_statistics", args=[project.slug, "0.1.0", "csv"])
    before = client_of(anna).get(url)
    [general, spatial, _] = csv.DictReader(io.StringIO(before.text))
    clip = release.clips.get().clip
    seconds = float(clip.video.duration)
    assert (general["items"], float(general["seconds_mean"])) == ("1", round(seconds, 3))
    assert (general["words_total"], general["captions_human"], spatial["words_total"]) == (
        "30",
        "1",
        "15",
    )
    assert general["signature"].endswith(release.content_hash)
    make_complete("ball")
    clip.video.excluded_because = "not dynamic"
    clip.video.save()
    assert client_of(anna).get(url).content == before.content
    latex = client_of(anna).get(url.replace(".csv", ".tex"))
    assert f"Statistics of {project.name} 0.1.0." in latex.text
    assert client_of(anna).get(url.replace(".csv", ".exe")).status_code == 404


def test_a_release_from_before_frames_were_frozen_has_the_lengths_of_its_clips(project, release):
    older = Release.objects.create(project=project, version="0.0.1", clip_count=1)
    clip = release.clips.get()
    clip.pk, clip.release, clip.provenance = None, older, {"licence": "CC BY 4.0"}
    clip.save()
    assert release_statistics(older) == release_statistics(release)


def test_the_download_is_the_release(project, release, anna):
    url = reverse("review:download_release", args=[project.slug, "0.1.0", "carebench"])
    packed(release)
    first = b"".join(client_of(anna).get(url).streaming_content)
    part = client_of(anna).get(url, headers={"range": "bytes=100-"})
    assert (part.status_code, b"".join(part.streaming_content)) == (206, first[100:])
    response = client_of(anna).get(url)
    assert int(response["Content-Length"]) == len(first)
    assert response["Content-Disposition"] == 'attachment; filename="dives-0.1.0-carebench.zip"'
    with zipfile.ZipFile(io.BytesIO(first)) as archive:
        sums = archive.read("dives-0.1.0-carebench/SHA256SUMS")
        records = json.loads(archive.read("dives-0.1.0-carebench/json/metadata.json"))
    assert hashlib.sha256(sums).hexdigest() == release.content_hash
    assert [record["video"] for record in records] == ["dive.mp4"]


def test_an_unknown_format_is_not_found(project, release, anna):
    url = reverse("review:download_release", args=[project.slug, "0.1.0", "csv"])
    assert client_of(anna).get(url).status_code == 404


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
    assert counts[1, False] == counts[3, False] <= 12

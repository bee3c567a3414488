"""The list of releases with what would be next, one release, and its download."""

import csv
import hashlib
import io
import json
import zipfile
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse

from annotate.jobs.services.working import work_on
from annotate.models import Project
from annotate.models.jobs import Job
from annotate.text.looked import row_conflicts
from annotate.text.merging import Row
from review.frozen.models import Release
from review.releases.archives import start_archive
from review.releases.services import build_release
from review.releases.statistics import release_statistics
from review.triplets.models import TripletSet
from tests.cast import client_of, count_queries, make_clip
from tests.hand_work import machine_caption
from tests.review.cast import PARTS, merge, open_clip, split, write


def releases_of(project):
    return reverse("review:releases", args=[project.slug])


def build_url(project):
    return reverse("review:build_release", args=[project.slug])


@pytest.fixture
def release(project, make_complete):
    make_complete("dive")
    return build_release(project=project, version="0.1.0", admin=None, notes="<b>First</b>")


def test_it_lists_what_is_released_and_what_would_be_next(project, release, make_complete, ada):
    make_complete("ball")
    page = client_of(ada).get(releases_of(project)).content.decode()
    assert release.content_hash[:12] in page
    assert "&lt;b&gt;First&lt;/b&gt;" in page
    assert "Compared with 0.1.0" in page
    assert 'value="0.2.0"' in page
    assert "ball.mp4" in page


def test_an_empty_project_says_what_a_release_is(project, ada):
    page = client_of(ada).get(releases_of(project)).content.decode()
    assert "No releases yet" in page
    assert "Build and freeze" not in page


def test_a_project_of_machine_captions_says_what_its_release_needs(project, ada):
    Project.objects.update(protocol=Project.Protocol.LOVR)
    machine_caption(make_clip(project), "A diver.")
    make_clip(project)
    response = client_of(ada).get(releases_of(project))
    page = response.content.decode()
    assert response.context["described"] == (1, 2)
    assert "A release freezes the described clips of segmented videos" in page
    assert "You can build one when a clip is described." in page
    assert "Not open for writing" not in page
    assert "Build and freeze" not in page


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


def test_it_says_what_incomplete_clips_wait_for(project, anna, ben, ada):
    open_clip(project, "one")
    write(project, open_clip(project, "two"), anna, ben)
    response = client_of(ada).get(releases_of(project))
    assert response.context["progress"].waiting == [
        ("Waits for a write-up", 1),
        ("Waits for the merge", 1),
    ]


def test_checks_that_block_and_checks_that_warn(project, make_complete, ada):
    make_complete("a", category="", licence="")
    Project.objects.update(licence="")
    following = client_of(ada).get(releases_of(project)).context["following"]
    assert [check.names for check in following.blocks] == [("a",)]
    assert [check.message for check in following.warnings] == [
        "The project has no license. Set one under Settings.",
        "Videos without a known license",
        "Below the quota of 10 clips",
    ]


@pytest.mark.parametrize(
    ("licence", "named"),
    [("", True), (" ", True), ("unknown", True), ("Unknown ", True), ("CC0", False)],
)
def test_a_clip_whose_video_has_no_known_licence_is_named(
    project, make_complete, ada, licence, named
):
    make_complete("dive", licence=licence)
    following = client_of(ada).get(releases_of(project)).context["following"]
    sentences = [check.sentence for check in following.warnings]
    assert ("Videos without a known license: dive." in sentences) == named


def test_warnings_that_stood_when_a_text_was_split_are_named(project, anna, ben, emil, ada):
    loud = {"spatial": "A zebra gallops past."}
    kept = {
        "keep-spatial-no-summary": "summary",
        "keep-spatial-motion": "gallops",
        "keep-spatial-novel": "zebra\ngallops\npast",
    }
    alike = {
        "keep-spatial-near-duplicate": "loud",
        "keep-temporal-near-duplicate": "calm\nloud",
    }
    dismissed = {**loud, **kept, **alike}
    for name, texts in [("calm", {}), ("loud", loud), ("dismissed", dismissed)]:
        clip = open_clip(project, name)
        write(project, clip, anna, ben)
        merge(project, clip, emil)
        split(project, clip, anna, **texts)
    following = client_of(ada).get(releases_of(project)).context["following"]
    assert {check.message: check.names for check in following.warnings}[
        "Split with open warnings"
    ] == ("loud",)


def test_clips_merged_without_a_look_at_their_conflicts_are_named(project, anna, ben, emil, ada):
    other = {**PARTS, "objects": PARTS["objects"].replace("grey", "red")}
    before = {
        part: [Row(a=0, b=0, a_text=text, b_text=other[part], text="")]
        for part, text in PARTS.items()
    }
    ticks = {
        found.name: "on"
        for part, rows in before.items()
        for found in row_conflicts(part, rows[0], {})
    }
    assert len(ticks) == 1
    for name, looked in [("hasty", {}), ("thorough", ticks)]:
        clip = open_clip(project, name)
        write(project, clip, anna)
        write(project, clip, ben, parts=other)
        merge(project, clip, emil, **looked)
        split(project, clip, anna)
    following = client_of(ada).get(releases_of(project)).context["following"]
    assert {check.message: check.names for check in following.warnings}[
        "Merged with unchecked conflicts"
    ] == ("hasty",)


def test_only_an_admin_sees_the_form(project, release, anna):
    page = client_of(anna).get(releases_of(project)).content.decode()
    assert "Download" in page
    assert "Build and freeze" not in page


def test_an_admin_builds(project, make_complete, ada):
    make_complete()
    response = client_of(ada).post(
        build_url(project), {"version": "v0.1.0", "notes": "First.", "confirm": "on"}
    )
    assert response.url == releases_of(project)
    page = client_of(ada).get(releases_of(project)).content.decode()
    assert "Release 0.1.0 is being built" in page
    live = client_of(ada).get(reverse("review:releases_live", args=[project.slug]))
    assert "HX-Refresh" not in live.headers
    job = Job.objects.get(kind="release")
    work_on(job_id=job.pk)
    release = project.releases.get()
    assert (release.version, release.created_by, release.notes) == ("0.1.0", ada, "First.")
    live = client_of(ada).get(reverse("review:releases_live", args=[project.slug]))
    assert live.headers["HX-Refresh"] == "true"
    page = client_of(ada).get(reverse("annotate:job", args=[project.slug, job.pk]))
    assert reverse("review:release", args=[project.slug, "0.1.0"]) in page.content.decode()


def test_a_build_that_failed_says_why(project, make_complete, ada, anna):
    clip = make_complete()
    Path(settings.MEDIA_ROOT, clip.video.playback_file).unlink()
    client_of(ada).post(build_url(project), {"version": "0.1.0", "confirm": "on"})
    work_on(job_id=Job.objects.get(kind="release").pk)
    page = client_of(anna).get(releases_of(project)).content.decode()
    assert "Release 0.1.0 was not built on" in page
    assert f"{clip.video.playback_file} is missing" in page


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"version": "0.2.0"}, "Tick this first"),
        ({"version": "next", "confirm": "on"}, "is not a version"),
        ({"version": "0.1.0", "confirm": "on"}, "Release 0.1.0 already exists"),
        ({"version": "0.0.9", "confirm": "on"}, "0.0.9 is not higher than 0.1.0"),
    ],
)
def test_it_refuses_and_keeps_what_was_typed(project, release, ada, data, sentence):
    response = client_of(ada).post(build_url(project), {"notes": "My notes", **data})
    assert response.status_code == 422
    assert sentence in response.content.decode()
    assert "My notes" in response.content.decode()
    assert Release.objects.count() == 1


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
    for person, status in [(anna, 403), (emil, 403), (rita, 403), (ada, 422), (olaf, 404)]:
        assert client_of(person).post(build_url(project), {}).status_code == status
    assert client_of(ada).get(build_url(project)).status_code == 405


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
        sums = archive.read("dives-0.1.0/SHA256SUMS")
        records = json.loads(archive.read("dives-0.1.0/json/metadata.json"))
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

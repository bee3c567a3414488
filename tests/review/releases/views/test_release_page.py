"""One release: its page, its statistics, its download."""

import csv
import hashlib
import io
import json
import zipfile

import pytest
from django.urls import reverse

from annotate.jobs.services.working import work_on
from review.frozen.models import Release
from review.releases.archives import start_archive
from review.releases.services import build_release
from review.releases.statistics import release_statistics
from tests.cast import NO_PROOF, client_of
from tests.review.cast import make_complete_world


@pytest.fixture(scope="module")
def made(kept, rendered_media):
    world = make_complete_world(rendered_media, "dive")
    release = build_release(
        project=world["project"], version="0.1.0", admin=None, notes="<b>First</b>"
    )
    return {**world, "release": release}


@pytest.fixture
def release(shared):
    return shared["release"]


def releases_of(project):
    return reverse("review:releases", args=[project.slug])


def test_it_lists_what_is_released(project, release, make_complete, ada):
    make_complete("ball")
    page = client_of(ada).get(releases_of(project)).text
    assert release.content_hash[:12] in page
    assert "&lt;b&gt;First&lt;/b&gt;" in page
    assert "Prepare the next release" in page


def packed(release):
    """The release with its archive, as a worker writes it."""
    job = start_archive(release=release, format_name="carebench", user=None)
    work_on(job_id=job.pk)
    return job


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
    as_tables = page.split("As a table</summary>")[1:]
    for figure, table in zip(response.context["figures"], as_tables, strict=True):
        *labels, number = figure.rows[0]
        cells = "".join(f"<td>{label}</td>" for label in labels)
        assert f'<tr>{cells}<td class="num">{number}</td></tr>' in table.partition("</table>")[0]


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
    older = Release.objects.create(project=project, version="0.0.1", clip_count=1, proof=NO_PROOF)
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

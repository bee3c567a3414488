"""The archive of a release: written by a worker, asked for once, made again where it is gone."""

import hashlib
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.files.storage import default_storage
from django.urls import reverse

from annotate.jobs.services.control import cancel_job, retry_job
from annotate.jobs.services.working import work_on
from annotate.models.jobs import Job
from review.frozen.models import Release
from review.proof.verifying.main import verify
from review.releases import archives
from review.releases.archives import archive_state, start_archive
from review.releases.formats import FORMATS, export_release
from review.releases.hashes import ALL_FORMATS, hashes_of
from review.releases.models import ReleaseArchive
from review.releases.services import build_release, start_release
from review.takedowns.services import take_down
from tests.api.asking import program_of
from tests.cast import client_of
from tests.review.cast import make_complete_world
from tests.swapped_parts import send_in_place

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made(kept, rendered_media):
    world = make_complete_world(rendered_media, "dive")
    release = build_release(project=world["project"], version="0.1.0", admin=None)
    return {**world, "release": release}


@pytest.fixture
def release(shared):
    return shared["release"]


def start(release):
    return start_archive(release=release, format_name="carebench", user=None)


def worked(job):
    work_on(job_id=job.pk)
    job.refresh_from_db()
    return job


def address(release, name):
    return reverse(f"review:{name}", args=[release.project.slug, release.version, "carebench"])


def test_a_worker_writes_it_after_the_release(
    project, release, make_complete, django_capture_on_commit_callbacks
):
    make_complete("swim")
    worked(start_release(project=project, version="0.2.0", admin=None))
    with django_capture_on_commit_callbacks(execute=True):
        job = worked(Job.objects.get(kind="release_archive"))
    archive = ReleaseArchive.objects.get()
    with default_storage.open(archive.file) as file:
        content = file.read()
    assert (archive.size, archive.sha256) == (len(content), hashlib.sha256(content).hexdigest())
    assert job.state == "done"
    assert not Path(settings.MEDIA_ROOT, "incoming", f"job-{job.pk}").exists()


def test_an_archive_requested_twice_is_written_once(release):
    job = start(release)
    assert start(release) == job
    worked(job)
    assert start(release) is None


def test_a_file_that_is_gone_is_written_again_with_the_same_bytes(release):
    worked(start(release))
    first = ReleaseArchive.objects.get()
    default_storage.delete(first.file)
    assert archive_state(release, FORMATS["carebench"]).archive is None
    worked(start(release))
    assert ReleaseArchive.objects.get().sha256 == first.sha256


def test_a_changed_video_fails_it_and_mends(release, anna):
    name = release.clips.get().clip.video.playback_file
    with default_storage.open(name) as file:
        content = file.read()
    Path(default_storage.path(name)).write_bytes(content + b"!")
    job = worked(start(release))
    assert (job.state, "is not what was frozen" in job.reason) == ("failed", True)
    page = client_of(anna).get(address(release, "release_archive")).text
    assert "could not be prepared" in page
    assert "is not what was frozen" in page
    Path(default_storage.path(name)).write_bytes(content)
    retry_job(job=job, admin=None)
    assert worked(job).state == "done"


def test_a_canceled_one_is_not_stored(release, monkeypatch):
    job = start(release)
    pack = archives.pack_release

    def canceled_meanwhile(*args):
        packed = pack(*args)
        cancel_job(job=job, admin=None)
        return packed

    monkeypatch.setattr("review.releases.jobs.pack_release", canceled_meanwhile)
    assert (worked(job).state, ReleaseArchive.objects.count()) == ("cancelled", 0)


def test_the_page_prepares_shows_and_offers_the_archive(release, anna):
    client = client_of(anna)
    page = reverse("review:release", args=[release.project.slug, release.version])
    assert 'Prepare<span class="visually-hidden"> CaReBench</span> ZIP' in client.get(page).text
    missing = client.get(address(release, "download_release"), follow=True)
    assert "isn&#x27;t there yet" in missing.text
    prepare = address(release, "prepare_release_archive")
    assert "The ZIP is being prepared" in send_in_place(client, page, prepare).text
    assert client.post(prepare).url == f"{page}#archive-carebench"
    assert 'hx-trigger="every 2s"' in client.get(address(release, "release_archive")).text
    worked(Job.objects.get(kind="release_archive"))
    page_text = client.get(page).text
    assert ReleaseArchive.objects.get().sha256 in page_text
    assert "hx-trigger" not in client.get(address(release, "release_archive")).text
    listed = client.get(reverse("review:releases", args=[release.project.slug])).text
    assert address(release, "download_release") in listed


def test_the_release_hashes_are_outside_of_what_they_cover(release, anna, ada, tmp_path):
    client, page = client_of(anna), reverse("review:release", args=["dives", "0.1.0"])
    assert hashes_of(release).of_release == ""
    assert "Known once a worker has written the CaReBench ZIP" in client.get(page).text
    worked(start(release))
    hashes = hashes_of(release)
    assert list(hashes.by_format) == ["carebench", "huggingface", "webdataset", "native"]
    for name, sha256 in hashes.listed:
        export_release(release=release, format_name=name, target=tmp_path / name)
        printed: list[str] = []
        assert verify(tmp_path / name, printed.append, expected=sha256) == []
        assert f"Release hash {sha256}: the expected one." in printed
    assert counted_by_the_documented_commands(tmp_path / "carebench") == {
        hashes.by_format["carebench"]
    }
    lines = "".join(f"{sha256}  {name}\n" for name, sha256 in sorted(hashes.listed))
    assert hashes.of_release == hashlib.sha256(lines.encode()).hexdigest()
    html = client.get(page).text
    assert hashes.of_release in html
    assert hashes.by_format["carebench"] in html
    archive = ReleaseArchive.objects.get()
    text = client.get(address(release, "release_hashes")).text
    assert text.splitlines()[-1] == f"{archive.sha256}  dives-0.1.0-carebench.zip"
    assert f"# Release hash of the format carebench: {hashes.by_format['carebench']}" in text
    take_down(project=release.project, what="clip", key=release.clips.get().clip_id,
              reason="consent", admin=ada)  # fmt: skip
    taken = Release.objects.get(pk=release.pk)
    assert hashes_of(taken).by_format == {}
    worked(Job.objects.filter(kind="release_archive").latest("pk"))
    now = hashes_of(taken)
    assert now.of_release != hashes.of_release
    assert [(entry.format, entry.sha256) for entry in now.earlier] == [
        (ALL_FORMATS, hashes.of_release),
        *hashes.listed,
    ]
    answer = program_of(ada, taken.project).ask("get", "releases/0.1.0/").json()
    assert answer["release_hash"] == now.of_release
    assert answer["earlier_hashes"][0]["sha256"] == hashes.of_release
    export_release(release=taken, format_name="carebench", target=tmp_path / "taken")
    assert verify(tmp_path / "taken", printed.append, expected=now.by_format["carebench"]) == []
    [problem] = verify(tmp_path / "taken", printed.append, expected=hashes.by_format["carebench"])
    assert problem.message.endswith("That is of a copy from before a takedown.")


def counted_by_the_documented_commands(folder):
    text = Path("docs/formats.md").read_text()
    section = text[text.index("### The release hash") : text.index("### Tombstones")]
    shell, program = re.findall(r"```(?:python)?\n(find .*?|import .*?)```", section, re.DOTALL)
    return {
        subprocess.run(
            command, cwd=folder, capture_output=True, text=True, check=True
        ).stdout.split()[0]
        for command in (["bash", "-c", shell], [sys.executable, "-c", program])
    }

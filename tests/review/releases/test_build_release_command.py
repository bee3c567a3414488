"""manage.py build_release"""

import pytest
from django.core.management import CommandError, call_command

from annotate.models import Clip
from annotate.models.jobs import Job
from review.errors import ReviewError
from review.frozen.models import Release
from review.releases import jobs
from review.releases.choice import Choice
from review.releases.hashes import hashes_of
from review.releases.models import ReleaseArchive, ReleaseDraft


def test_it_refuses_what_does_not_differ_from_the_last_release(project, make_complete, capsys):
    make_complete("dive")
    call_command("build_release", project.slug, "0.1.0")
    first = capsys.readouterr().out
    assert f"1 clip, sha256 {Release.objects.get().content_hash}" in first
    with pytest.raises(CommandError, match=r"Release 0\.1\.0 already has exactly this content"):
        call_command("build_release", project.slug, "0.2.0")
    make_complete("vault")
    call_command("build_release", project.slug, "0.3.0")
    assert "2 clips" in capsys.readouterr().out


def test_it_writes_the_zip_that_the_page_offers(project, make_complete, capsys):
    make_complete("dive")
    call_command("build_release", project.slug, "v0.1.0", notes="Done.")
    archive = ReleaseArchive.objects.get()
    assert (archive.release.version, archive.release.notes) == ("0.1.0", "Done.")
    out, errors = capsys.readouterr()
    zip_line, of_all, *of_formats = out.splitlines()[-6:]
    assert zip_line.endswith(f"sha256 {archive.sha256}")
    hashes = hashes_of(archive.release)
    assert of_all == f"Release hash, all formats: {hashes.of_release}"
    assert of_formats == [f"Release hash of the format {name}: {h}" for name, h in hashes.listed]
    assert errors == "No worker has responded yet. This command does the work itself.\n"
    ended = Job.objects.order_by("pk").values_list("kind", "state")
    assert list(ended) == [("release", "done"), ("release_archive", "done")]


def test_what_stops_the_build_is_the_reason_of_its_job_too(project, make_complete):
    clip = make_complete("dive")
    Clip.objects.filter(pk=clip.pk).update(name="a:b")
    with pytest.raises(CommandError, match="a file name can't have") as refusal:
        call_command("build_release", project.slug, "0.1.0", "--here")
    assert str(refusal.value) == Job.objects.get().reason
    assert refusal.value.returncode == 1


def test_a_zip_that_fails_leaves_the_release(project, make_complete, monkeypatch):
    def full(*args):
        raise ReviewError("The disk is full.")

    make_complete("dive")
    monkeypatch.setattr(jobs, "pack_release", full)
    with pytest.raises(CommandError) as refusal:
        call_command("build_release", project.slug, "0.1.0", "--here")
    message = "dives 0.1.0 is built, but its carebench ZIP isn't. The disk is full."
    assert str(refusal.value) == message
    assert Release.objects.get().version == "0.1.0"


def test_it_builds_what_was_chosen_on_the_page_unless_told_otherwise(project, make_complete):
    make_complete("dive", category="Sport")
    make_complete("ball", category="Street")
    chosen = Choice(left_out=("Street",)).as_json()
    ReleaseDraft.objects.create(project=project, notes="Typed on the page.", choice=chosen)
    call_command("build_release", project.slug, "0.1.0", "--here")
    call_command("build_release", project.slug, "0.2.0", "--here", "--all", "--notes", "All.")
    releases = Release.objects.order_by("pk").values_list("clip_count", "notes")
    assert list(releases) == [(1, "Typed on the page."), (2, "All.")]


def test_it_refuses_with_a_sentence(project):
    with pytest.raises(CommandError, match="No clip is complete yet"):
        call_command("build_release", project.slug, "0.1.0")
    with pytest.raises(CommandError, match="There is no project 'other'"):
        call_command("build_release", "other", "0.1.0")

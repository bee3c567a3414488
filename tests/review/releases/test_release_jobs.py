"""Building a release as a job: a dead worker, a cancelled build, two at once."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotate.errors import Refused
from annotate.jobs.services.control import cancel_job, retry_job
from annotate.jobs.services.starting import JobInProgress
from annotate.jobs.services.working import work_on
from annotate.models import AuditEvent, Clip
from annotate.models.jobs import JobItem
from review.errors import ReviewError
from review.frozen.models import Release
from review.releases import jobs, services
from review.releases.services import build_release, start_release

pytestmark = pytest.mark.django_db(transaction=True)


def start(project, version="0.1.0", **fields):
    return start_release(project=project, version=version, admin=None, **fields)


def worked(job):
    work_on(job_id=job.pk)
    job.refresh_from_db()
    return job


def test_a_worker_builds_it(project, make_complete, ada):
    make_complete("dive")
    job = worked(start_release(project=project, version="v0.1.0", admin=ada, notes=" First. "))
    release = Release.objects.get()
    assert (job.state, job.job_items.get().note) == ("done", "1 clip")
    assert (release.version, release.notes, release.created_by) == ("0.1.0", "First.", ada)
    assert AuditEvent.objects.get(verb="build release").actor == ada


def test_it_refuses_at_once_what_is_known_without_reading_the_clips(project, make_complete):
    with pytest.raises(ReviewError, match="No clip is complete"):
        start(project)
    make_complete("dive")
    with pytest.raises(ReviewError, match="is not a version"):
        start(project, "two")
    build_release(project=project, version="0.2.0", admin=None)
    with pytest.raises(ReviewError, match="is not higher than"):
        start(project, "0.1.9")


def test_what_can_not_be_released_fails_it_with_the_reason_and_can_be_mended(
    project, make_complete
):
    clip = make_complete("dive")
    Clip.objects.filter(pk=clip.pk).update(name="a:b")
    job = worked(start(project))
    assert (job.state, "a file name can't have" in job.reason) == ("failed", True)
    Clip.objects.filter(pk=clip.pk).update(name="dive")
    retry_job(job=job, admin=None)
    assert (worked(job).state, Release.objects.count()) == ("done", 1)


def test_a_version_that_was_released_meanwhile_is_not_built_again(project, make_complete):
    make_complete("dive")
    job = start(project)
    build_release(project=project, version="0.1.0", admin=None)
    assert worked(job).reason.startswith("Release 0.1.0 already exists")
    assert Release.objects.count() == 1


def test_one_is_built_at_a_time(project, make_complete):
    make_complete("dive")
    start(project)
    with pytest.raises(JobInProgress, match="being built"):
        start(project, "0.2.0")


def test_a_cancelled_build_freezes_nothing(project, make_complete, monkeypatch):
    make_complete("dive")
    job = start(project)
    prepare_files = services.prepare_files

    def cancelled_meanwhile(*args, **how):
        prepare_files(*args, **how)
        cancel_job(job=job, admin=None)

    monkeypatch.setattr(jobs, "prepare_files", cancelled_meanwhile)
    assert (worked(job).state, Release.objects.count()) == ("cancelled", 0)
    with pytest.raises(Refused):
        cancel_job(job=job, admin=None)


def test_what_a_dead_worker_left_is_built_by_the_next(project, make_complete, monkeypatch):
    make_complete("dive")
    job = start(project)

    def killed(*args, **how):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(jobs, "freeze_clips", killed)
        with pytest.raises(KeyboardInterrupt):
            work_on(job_id=job.pk)
    assert (worked(job).state, Release.objects.count()) == ("running", 0)
    JobItem.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert (worked(job).state, Release.objects.count()) == ("done", 1)

"""Importing labeled clips as a job: a dead worker, a cancelled import, two at once, and files that
are gone afterwards."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from annotate.datasets import jobs
from annotate.datasets.files import DatasetFile
from annotate.datasets.importing import start_dataset_import
from annotate.errors import AnnotateError, Refused
from annotate.jobs.services.control import cancel_job, retry_job
from annotate.jobs.services.starting import JobInProgress
from annotate.jobs.services.working import work_on
from annotate.models import ActionLabel, AuditEvent
from annotate.models.jobs import JobItem
from tests.cast import make_project

pytestmark = pytest.mark.django_db(transaction=True)
LABELS = json.dumps([{"label": "103b", "caption": "Forward", "source": "FineDiving"}]).encode()


@pytest.fixture(autouse=True)
def media_root(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    return settings.MEDIA_ROOT


@pytest.fixture
def project():
    return make_project(protocol="tfcovr")


def start(project, admin=None):
    files = {"labels": DatasetFile("labels.json", LABELS)}
    return start_dataset_import(project=project, format="csv", files=files, admin=admin)


def worked(job):
    work_on(job_id=job.pk)
    job.refresh_from_db()
    return job


def stored(media_root) -> list[str]:
    return [path.name for path in media_root.rglob("*") if path.is_file()]


def test_a_worker_imports_it_and_the_files_are_gone(project, ada, media_root):
    job = start(project, ada)
    assert stored(media_root) == ["labels"]
    assert (worked(job).state, job.job_items.get().note) == ("done", "0 new clips and 1 new label.")
    assert AuditEvent.objects.get(verb="import dataset").actor == ada
    assert stored(media_root) == []


def test_one_is_imported_at_a_time(project):
    start(project)
    with pytest.raises(JobInProgress, match="are being imported"):
        start(project)


def test_a_project_of_another_protocol_stores_no_file(project, media_root):
    project.protocol = "lovr"
    with pytest.raises(AnnotateError, match="TF-CoVR"):
        start(project)
    assert stored(media_root) == []


def test_a_cancelled_import_stores_nothing_and_its_files_are_gone(project, media_root, monkeypatch):
    job = start(project)
    read = jobs.read_job_dataset

    def cancelled_meanwhile(job):
        dataset = read(job)
        cancel_job(job=job, admin=None)
        return dataset

    monkeypatch.setattr(jobs, "read_job_dataset", cancelled_meanwhile)
    assert (worked(job).state, ActionLabel.objects.count()) == ("cancelled", 0)
    assert stored(media_root) == []
    with pytest.raises(Refused, match="Choose it again"):
        retry_job(job=job, admin=None)


def test_what_a_dead_worker_left_is_imported_by_the_next(project, monkeypatch):
    job = start(project)

    def killed(**how):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(jobs, "import_dataset", killed)
        with pytest.raises(KeyboardInterrupt):
            work_on(job_id=job.pk)
    assert (worked(job).state, ActionLabel.objects.count()) == ("running", 0)
    JobItem.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert (worked(job).state, ActionLabel.objects.count()) == ("done", 1)

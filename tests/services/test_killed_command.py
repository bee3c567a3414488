"""A command that does its work itself and is killed leaves a job that others can take over."""

import pytest
from django.core.management import call_command
from django.utils import timezone

from annotate.jobs.services.control import cancel_job
from annotate.jobs.services.queueing import requeue_jobs
from annotate.jobs.services.working import work_on
from annotate.models import Caption
from annotate.models.jobs import Job, JobItem
from review.published.models import HumanImport
from tests.review.cast import open_clip
from tests.review.published.publishing import as_json, carebench_row

# The command stops in the middle of its work, and says so.
STOPPING = """
import sys, time, django
django.setup()
from django.core.management import call_command
from annotate.jobs.services import working
def stop(*arguments):
    print("working", flush=True)
    time.sleep(600)
working.record_done = stop
call_command(*sys.argv[1:])
"""


@pytest.fixture
def killed(product, project, tmp_path):
    """The arguments of a command that was killed while it worked."""
    open_clip(project, "dive")
    file = tmp_path / "metadata.json"
    file.write_bytes(as_json(carebench_row("dive")))
    arguments = ["import_human_captions", project.slug, str(file), "--name", "CaReBench", "--here"]
    process = product.start("-c", STOPPING, *arguments)
    assert process.stdout.readline() == "working\n", process.errors
    process.kill()
    assert Job.objects.get().is_active
    assert not Caption.objects.filter(source=Caption.Source.PUBLISHED).exists()
    return arguments


def test_once_its_lease_has_ended_the_job_is_queued_and_done(killed):
    assert requeue_jobs().jobs == 0, "the lease has not ended yet"
    JobItem.objects.update(lease_until=timezone.now())
    assert requeue_jobs().jobs == 1
    job = Job.objects.get()
    work_on(job_id=job.pk)
    job.refresh_from_db()
    assert job.state == Job.State.DONE
    assert HumanImport.objects.get().captions.count() == 3


def test_canceled_it_makes_way_for_the_next(killed):
    first = Job.objects.get()
    cancel_job(job=first, admin=None)
    call_command(*killed)
    states = Job.objects.filter(kind=first.kind).order_by("pk").values_list("state", flat=True)
    assert list(states) == [Job.State.CANCELLED, Job.State.DONE]
    assert Caption.objects.filter(source=Caption.Source.PUBLISHED).count() == 3

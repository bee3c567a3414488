"""A worker is killed in the middle of a release build, and another builds the same release."""

import signal

from django.utils import timezone

from annotate.jobs.services.queueing import requeue_jobs
from annotate.jobs.services.working import work_on
from annotate.models import AuditEvent
from annotate.models.jobs import Job, JobItem
from review.frozen.models import Release, ReleasedClip
from review.releases.services import build_release, start_release
from tests.media import PLAYABLE, attach_media
from tests.review.identification.identifying import make_complete

# The worker stops when the release and its rows are written but not committed, and says so.
STOPPING = """
import sys, time, django
django.setup()
from annotate.jobs.services.working import work_on
from review.releases import jobs
freeze_clips = jobs.freeze_clips
def stop(**fields):
    freeze_clips(**fields)
    print("frozen", flush=True)
    time.sleep(600)
jobs.freeze_clips = stop
work_on(job_id=int(sys.argv[1]))
"""


def test_another_worker_builds_what_a_killed_one_had_begun(product, project, ben, rendered_media):
    clips = [make_complete(project, ben, word, **PLAYABLE) for word in ("boat", "horse", "kettle")]
    for clip in clips:
        attach_media(clip.video, rendered_media)
    job = start_release(project=project, version="0.1.0", admin=None)
    process = product.start("-c", STOPPING, str(job.pk))
    assert process.stdout.readline() == "frozen\n", process.errors
    process.kill()
    assert process.returncode == -signal.SIGKILL
    assert Job.objects.get(pk=job.pk).state == Job.State.RUNNING
    assert (Release.objects.count(), ReleasedClip.objects.count()) == (0, 0)

    JobItem.objects.update(lease_until=timezone.now())
    assert requeue_jobs().jobs == 1
    work_on(job_id=job.pk)
    release = Release.objects.get()
    assert Job.objects.get(pk=job.pk).state == Job.State.DONE
    assert JobItem.objects.get(job=job).attempts == 2
    assert (release.clips.count(), AuditEvent.objects.filter(verb="build release").count()) == (
        3,
        1,
    )
    undisturbed = build_release(project=project, version="0.2.0", admin=None)
    assert release.content_hash == undisturbed.content_hash

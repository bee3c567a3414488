"""Compare videos that were imported before Vericap hashed frames, as a job."""

from __future__ import annotations

from collections.abc import Sequence

from django.urls import reverse

from annotate.corpus.near_duplicates import unhashed_videos
from annotate.corpus.services.near_duplicates import COMPARE_VIDEOS
from annotate.jobs.kinds import AnyWork, JobKind
from annotate.models.jobs import Job, JobItem


class CompareVideos(JobKind[Job, JobItem]):
    name = COMPARE_VIDEOS
    label = "Compare earlier videos"
    noun = ("video", "videos")
    skipped = "compared already"
    busy = "Earlier videos are being compared. Wait until that is done, or cancel it under Jobs."

    def plan(self, job: Job) -> Sequence[JobItem]:
        videos = unhashed_videos(job.project).values_list("pk", "original_name")
        return [
            JobItem(job=job, position=place, subject=key, name=name[:200])
            for place, (key, name) in enumerate(videos, 1)
        ]

    def open(self, job: Job) -> AnyWork:
        # Imported here: it loads the video libraries, which a web process must not load.
        from annotate.corpus.comparing_videos import CompareWork

        return CompareWork()

    def url(self, job: Job) -> str:
        return reverse("annotate:near_duplicates", args=[job.project.slug])

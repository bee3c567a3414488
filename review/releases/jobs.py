"""Build a release, and then its archive, as jobs, since they read every video."""

from __future__ import annotations

from functools import partial

from django.db import transaction
from django.template.defaultfilters import filesizeformat
from django.urls import reverse

from annotate import file_store
from annotate.jobs.kinds import Lease, Outcome
from annotate.jobs.parameters import read_parameters
from annotate.jobs.single_step import SingleStepKind
from annotate.models.jobs import Job
from review.frozen.models import Release
from review.proof.freezing import StoredProof, freeze_reports
from review.releases.archives import (
    PACK_RELEASE,
    Packed,
    PackParameters,
    is_outdated,
    pack_release,
    start_archive,
    store_archive,
)
from review.releases.content import size_in_words
from review.releases.services import (
    BUILD_RELEASE,
    BuildParameters,
    assess_people,
    freeze_clips,
    new_version,
    prepare_files,
    refuse_identical,
)


class BuildRelease(SingleStepKind[StoredProof]):
    name = BUILD_RELEASE
    label = "Build release"
    busy = "A release is being built. Wait until it is done, or cancel it."

    def work(self, job: Job, lease: Lease) -> StoredProof:
        project, parameters = job.project, read_parameters(job, BuildParameters)
        choice = parameters.choice
        new_version(project, parameters.version)
        lease.step("Comparing with the last release")
        refuse_identical(project, choice)
        prepare_files(project, choice, lease.step)
        lease.step("Summing up what people judged")
        assess_people(project)
        proof = freeze_reports(project, lease.step, choice.left_out_reports)
        lease.step("Freezing the clips")
        return proof

    def store(self, job: Job, result: StoredProof) -> Outcome:
        # Freeze in the transaction that ends the step, so that a worker that has lost the job
        # freezes nothing.
        parameters = read_parameters(job, BuildParameters)
        release = freeze_clips(
            project=job.project,
            admin=job.created_by,
            version=parameters.version,
            notes=parameters.notes,
            proof=result,
            choice=parameters.choice,
        )
        start_archive(release=release, format_name=release.format, user=job.created_by)
        return Outcome(size_in_words(release))

    def url(self, job: Job) -> str:
        if job.state == Job.State.DONE:
            version = read_parameters(job, BuildParameters).version
            return reverse("review:release", args=[job.project.slug, version])
        return reverse("review:releases", args=[job.project.slug])


class PackRelease(SingleStepKind[Packed]):
    name = PACK_RELEASE
    label = "ZIP of release"
    busy = "This archive is being written. Wait until it is done, or cancel it under Jobs."

    def work(self, job: Job, lease: Lease) -> Packed:
        format_name = read_parameters(job, PackParameters).format
        while True:
            release = _release(job)
            with file_store.job_scratch_folder(job.pk) as folder:
                packed = pack_release(release, format_name, folder, lease.step)
            if not is_outdated(packed.archive):
                return packed

    def store(self, job: Job, result: Packed) -> Outcome:
        store_archive(result)
        archive = result.archive
        return Outcome(f"{filesizeformat(archive.size)}, SHA-256 {archive.sha256}")

    def ended(self, job: Job) -> None:
        transaction.on_commit(partial(file_store.remove_job_files, job.pk))

    def url(self, job: Job) -> str:
        return reverse("review:release", args=[job.project.slug, _release(job).version])


def _release(job: Job) -> Release:
    key = read_parameters(job, PackParameters).release
    return Release.objects.select_related("project").get(pk=key)

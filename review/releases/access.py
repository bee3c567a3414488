"""Access to releases and their formats."""

from __future__ import annotations

from django.http import Http404

from annotate.access import UserRequest, member
from annotate.access import job as accessed_job
from annotate.models import Membership, Role
from annotate.models.jobs import Job
from review.frozen import access as frozen_access
from review.frozen.models import Release
from review.releases.formats import ReleaseFormat, formats_of
from review.releases.services import BUILD_RELEASE


def build(request: UserRequest, slug: str, build_id: int) -> tuple[Membership, Job]:
    """Return the job that builds a release. For admins."""
    membership, job = accessed_job(request, slug, build_id)
    if job.kind != BUILD_RELEASE:
        raise Http404("This job builds no release.")
    return membership, job


def release_format(
    request: UserRequest, slug: str, version: str, format_name: str
) -> tuple[Membership, Release, ReleaseFormat]:
    membership, release = frozen_access.release(request, slug, version)
    for entry in formats_of(release):
        if entry.name == format_name:
            if entry.for_admins:
                member(request, slug, Role.ADMIN)
            return membership, release, entry
    raise Http404("The release is not offered in this format.")

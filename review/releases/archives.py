"""The archives of a release: request, pack and list them."""

from __future__ import annotations

import hashlib
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from django.core.files.storage import default_storage
from django.db import transaction

from annotate import file_store
from annotate.jobs.queries import latest_jobs
from annotate.jobs.services.starting import JobInProgress, start_job
from annotate.models import Project, User
from annotate.models.jobs import Job, JobItem
from annotate.stored_json import as_json
from review.errors import ReviewError
from review.exchange.archive import Archive
from review.exchange.folder import refuse_full_disk
from review.frozen.models import Release
from review.proof.verifying.release_hash import release_hash
from review.releases.formats import ReleaseFormat, files_of, formats_of
from review.releases.hashes import hash_format, hashes_of, store_hashes
from review.releases.models import ReleaseArchive

PACK_RELEASE = "release_archive"
STEP_SECONDS = 1.0


@dataclass(frozen=True)
class PackParameters:
    """`release` is a key."""

    release: int
    format: str


@dataclass(frozen=True)
class ArchiveState:
    """The state of a release's archive in a format: ready, in progress, failed or not requested.
    `step` is what its worker does now."""

    release: Release
    format: ReleaseFormat
    archive: ReleaseArchive | None
    job: Job | None
    step: JobItem | None

    @property
    def is_active(self) -> bool:
        return self.job is not None and self.job.is_active

    @property
    def can_start(self) -> bool:
        return not self.is_active and not self.archive


def ready_archive(release: Release, format_name: str) -> ReleaseArchive | None:
    """Return the archive if it is offered: its file is there, which a backup may have left out,
    and nothing was taken out of the release since it was made, or is offered again."""
    archive = ReleaseArchive.objects.filter(release=release, format=format_name).first()
    return archive if archive and _is_offered(archive, release) else None


def _is_offered(archive: ReleaseArchive, release: Release) -> bool:
    is_current = archive.withdrawn == release.withdrawn.fingerprint
    return is_current and default_storage.exists(archive.file)


def archive_state(release: Release, release_format: ReleaseFormat) -> ArchiveState:
    [state] = archive_states(release, [release_format])
    return state


def archive_states(release: Release, formats: Sequence[ReleaseFormat]) -> list[ArchiveState]:
    """Return the states of the archives in these formats, in two statements and one for each that
    is in progress."""
    ready = {
        archive.format: archive
        for archive in ReleaseArchive.objects.filter(release=release)
        if _is_offered(archive, release)
    }
    lanes = [_lane(release, entry.name) for entry in formats if entry.name not in ready]
    jobs = latest_jobs(release.project_id, PACK_RELEASE, lanes)
    states = []
    for entry in formats:
        job = jobs.get(_lane(release, entry.name))
        step = job.job_items.first() if job and job.is_active else None
        states.append(ArchiveState(release, entry, ready.get(entry.name), job, step))
    return states


@transaction.atomic
def start_archive(*, release: Release, format_name: str, user: User | None) -> Job | None:
    """Have a worker write the archive and make its release hash; return its job, or None if it is
    there. A repeated request returns the same job.
    """
    if ready_archive(release, format_name):
        return None
    job = Job(
        project_id=release.project_id,
        kind=PACK_RELEASE,
        lane=_lane(release, format_name),
        title=f"{release.version}, {format_name}",
        parameters=as_json(PackParameters(release.pk, format_name)),
        created_by=user,
    )
    try:
        return start_job(job)
    except JobInProgress as error:
        return error.twin


@dataclass(frozen=True)
class Packed:
    """A written archive, whose row isn't saved, and release hashes by format."""

    archive: ReleaseArchive
    hashes: Mapping[str, str]


def pack_release(
    release: Release, format_name: str, folder: Path, step: Callable[[str], None]
) -> Packed:
    """Write the archive to `folder`, then keep it in the storage. With the release's own format,
    make the release hashes of the others, too. Every worker writes the same bytes, so a second one
    does no harm. Raises ReviewError at a file that differs from the frozen one; an error in `step`
    ends the work.
    """
    made = folder / "made"
    made.mkdir()
    step("Listing the files")
    files = files_of(release, format_name, made)
    archive = Archive(folder_name(release, format_name), files)
    refuse_full_disk(folder, archive.size)
    digest, size, shown_at = hashlib.sha256(), 0, 0.0
    path = folder / "archive.zip"
    with path.open("xb") as file:
        for chunk in archive:
            file.write(chunk)
            digest.update(chunk)
            size += len(chunk)
            if time.monotonic() - shown_at >= STEP_SECONDS:
                step(f"Writing {size / 1e6:,.0f} of {archive.size / 1e6:,.0f} MB")
                shown_at = time.monotonic()
    name = file_store.archive_name(release.project_id, release.pk, format_name)
    file_store.keep_files({name: path})
    hashes = {format_name: release_hash((file.path, file.sha256) for file in files)}
    if format_name == release.format:
        hashes |= _other_hashes(release, folder, step)
    archive_row = ReleaseArchive(
        release=release,
        format=format_name,
        file=name,
        size=size,
        sha256=digest.hexdigest(),
        withdrawn=release.withdrawn.fingerprint,
    )
    return Packed(archive_row, hashes)


def _other_hashes(release: Release, folder: Path, step: Callable[[str], None]) -> dict[str, str]:
    """Return the hashes of the formats other than the release's own, if they aren't stored."""
    stored = hashes_of(release).by_format
    hashes: dict[str, str] = {}
    for entry in formats_of(release):
        if entry.name != release.format and entry.name not in stored:
            step(f"Making the release hash of the format {entry.title}")
            made = folder / entry.name
            made.mkdir()
            hashes[entry.name] = hash_format(release, entry.name, made)
            shutil.rmtree(made)
    return hashes


def folder_name(release: Release, format_name: str) -> str:
    """Return the archive's single folder. It names the format, because every format has its own
    README.md and manifest.json."""
    return f"{release.project.slug}-{release.version}-{format_name}"


def is_outdated(archive: ReleaseArchive) -> bool:
    """Return whether something was taken down, or is offered again, since it was packed."""
    release = Release.objects.get(pk=archive.release_id)
    return archive.withdrawn != release.withdrawn.fingerprint


def drop_archives(releases: Sequence[Release]) -> list[ReleaseArchive]:
    """Remove the archives of these releases, and their files on commit. Return the removed ones."""
    archives = list(ReleaseArchive.objects.filter(release__in=releases).order_by("pk"))
    ReleaseArchive.objects.filter(pk__in=[archive.pk for archive in archives]).delete()
    names = [archive.file for archive in archives]
    transaction.on_commit(partial(file_store.remove_files, names))
    return archives


def store_archive(packed: Packed) -> None:
    """Offer the archive, and store the release hashes. Raises ReviewError if something was taken
    down meanwhile."""
    archive = packed.archive
    Project.objects.lock(archive.release.project_id)
    if is_outdated(archive):
        raise ReviewError("Something was taken down while this was written. Prepare it again.")
    columns = ("file", "size", "sha256", "withdrawn")
    ReleaseArchive.objects.update_or_create(
        release=archive.release,
        format=archive.format,
        defaults={name: getattr(archive, name) for name in columns},
    )
    store_hashes(archive.release, packed.hashes)


def _lane(release: Release, format_name: str) -> str:
    return f"{release.pk} {format_name}"

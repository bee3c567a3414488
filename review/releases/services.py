"""Build releases."""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction

from annotate.audit import record_event
from annotate.jobs.services.starting import start_job
from annotate.models import Project, User
from annotate.models.jobs import Job
from review.errors import ReviewError
from review.frozen.models import Release
from review.proof.freezing import StoredProof, freeze_reports
from review.releases.announcing import announce_release
from review.releases.assessed import assess_people
from review.releases.choice import ALL, Choice
from review.releases.freezing_complete import NOTHING_COMPLETE, freeze_complete
from review.releases.freezing_records import freeze_records
from review.releases.freezing_scenes import NOTHING_DESCRIBED, freeze_scenes
from review.releases.freezing_triplets import freeze_triplets
from review.releases.hashing import (
    cut_parts,
    hash_videos_of,
)
from review.releases.left_out import left_out_reports
from review.releases.models import ReleaseDraft
from review.releases.refusals import refuse_version
from review.releases.scenes import scene_clips
from review.releases.triplet_plan import released_clips, whole_clips
from review.releases.triplet_tally import NO_SET
from review.releases.versions import parse_version
from review.triplets.queries import newest_triplets
from review.verification.completeness import complete_clips

BUILD_RELEASE = "release"


def build_release(
    *,
    project: Project,
    version: str,
    admin: User | None,
    notes: str = "",
    clip_files: bool = False,
    choice: Choice = ALL,
) -> Release:
    """Freeze every complete clip with its captions and its video under a new version. In LoVR's
    form the clips are parts of the videos, and `clip_files` adds them as files. In TF-CoVR's form,
    freeze the newest finished set of triplets with all labeled clips.

    Raises ReviewError when the version isn't later than the last, when nothing is complete, when a
    clip can't be released, and when a release has the same triplets; then nothing is stored.
    """
    refuse_version(project, version)
    prepare_files(project, clip_files=clip_files)
    assess_people(project)
    return freeze_clips(
        project=project,
        version=version,
        admin=admin,
        notes=notes,
        clip_files=clip_files,
        proof=freeze_reports(project, left_out=left_out_reports(choice)),
        choice=choice,
    )


@transaction.atomic
def start_release(
    *,
    project: Project,
    version: str,
    admin: User | None,
    notes: str = "",
    clip_files: bool = False,
    choice: Choice = ALL,
) -> Job:
    """Have a worker build the release. Raises ReviewError for errors that can be found without
    reading the clips, and JobInProgress while another is built.
    """
    refuse_version(project, version)
    if project.protocol == Project.Protocol.LOVR:
        if not scene_clips(project).exists():
            raise ReviewError(NOTHING_DESCRIBED)
    elif project.protocol == Project.Protocol.TFCOVR:
        if newest_triplets(project) is None:
            raise ReviewError(NO_SET)
    elif not complete_clips(project).exists():
        raise ReviewError(NOTHING_COMPLETE)
    version = str(parse_version(version))
    parameters = {"version": version, "notes": notes, "clip_files": clip_files}
    if choice != ALL:
        parameters["choice"] = choice.as_json()
    return start_job(
        Job(
            project=project,
            kind=BUILD_RELEASE,
            lane="all",
            title=version,
            parameters=parameters,
            created_by=admin,
        )
    )


def prepare_files(
    project: Project,
    step: Callable[[str], None] = lambda text: None,
    *,
    clip_files: bool = False,
) -> None:
    """Hash the videos of the clips to release, and cut clips that are parts of videos into files,
    in LoVR's form only with `clip_files`; call `step` before each. Call it outside any transaction,
    which would block other writers.
    """
    if project.protocol == Project.Protocol.TFCOVR:
        if triplets := newest_triplets(project):
            clips = released_clips(triplets)
            hash_videos_of(whole_clips(clips), step)
            cut_parts(clips, step)
        return
    is_lovr = project.protocol == Project.Protocol.LOVR
    clips = scene_clips(project) if is_lovr else complete_clips(project)
    hash_videos_of(clips, step)
    if clip_files or not is_lovr:
        cut_parts(clips, step)


@transaction.atomic
def freeze_clips(
    *,
    project: Project,
    version: str,
    admin: User | None,
    notes: str,
    clip_files: bool = False,
    proof: StoredProof,
    choice: Choice = ALL,
) -> Release:
    """Store a release of the complete clips. `proof`: the reports, from `freeze_reports`. Raises
    ReviewError."""
    project = Project.objects.select_for_update().get(pk=project.pk)
    refuse_version(project, version)
    version = str(parse_version(version))
    if project.protocol == Project.Protocol.LOVR:
        release = freeze_scenes(
            project=project,
            version=version,
            admin=admin,
            notes=notes,
            clip_files=clip_files,
            proof=proof,
            choice=choice,
        )
    elif project.protocol == Project.Protocol.TFCOVR:
        release = freeze_triplets(
            project=project, version=version, admin=admin, notes=notes, proof=proof, choice=choice
        )
    else:
        release = freeze_complete(
            project=project, version=version, admin=admin, notes=notes, proof=proof, choice=choice
        )
    freeze_records(release)
    # Notes typed during the build belong to the next release.
    ReleaseDraft.objects.filter(project=project, notes=notes).update(notes="")
    record_event(
        actor=admin,
        verb="build release",
        subject=release,
        project=project,
        after={
            "version": release.version,
            "clips": release.clip_count,
            "content_hash": release.content_hash,
        },
    )
    announce_release(release)
    return release

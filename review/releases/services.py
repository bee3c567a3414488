"""Build releases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.db import transaction

from annotate.audit import record_event
from annotate.jobs.services.starting import start_job
from annotate.models import Project, User, Webhook
from annotate.models.jobs import Job
from annotate.stored_json import as_json
from annotate.webhooks.services.announcing import announce
from review.assessment import NAME as ASSESSMENT_NAME
from review.errors import ReviewError
from review.frozen.models import Release
from review.proof.freezing import StoredProof, freeze_reports
from review.releases.choice import ALL, Choice
from review.releases.difference import difference_of, is_identical
from review.releases.freezing import Build, cut_parts, hash_videos_of
from review.releases.freezing_complete import NOTHING_COMPLETE, freeze_complete
from review.releases.freezing_records import freeze_records
from review.releases.freezing_scenes import NOTHING_DESCRIBED, freeze_scenes
from review.releases.freezing_triplets import freeze_triplets
from review.releases.models import ReleaseDraft
from review.releases.queries import content_of, latest_release
from review.releases.scenes import scene_clips
from review.releases.triplet_plan import released_clips, whole_clips
from review.releases.triplet_tally import NO_SET
from review.releases.versions import parse_version
from review.reports.services import recompute
from review.triplets.queries import newest_triplets
from review.verification.completeness import complete_clips

BUILD_RELEASE = "release"
# By what a release freezes.
FREEZE: dict[str, Callable[[Build], Release]] = {
    "clips": freeze_complete,
    "scenes": freeze_scenes,
    "triplets": freeze_triplets,
}


@dataclass(frozen=True)
class BuildParameters:
    version: str
    notes: str = ""
    choice: Choice = ALL


def build_release(
    *,
    project: Project,
    version: str,
    admin: User | None,
    notes: str = "",
    choice: Choice = ALL,
) -> Release:
    """Freeze every complete clip with its captions and its video under a new version. In LoVR's
    form the clips are parts of the videos, and can be added as files. In TF-CoVR's form, freeze the
    newest finished set of triplets with all labeled clips.

    Raises ReviewError when the version isn't later than the last, when nothing is complete, when a
    clip can't be released, and when a release has the same triplets; then nothing is stored.
    """
    new_version(project, version)
    prepare_files(project, choice)
    assess_people(project)
    return freeze_clips(
        project=project,
        version=version,
        admin=admin,
        notes=notes,
        proof=freeze_reports(project, left_out=choice.left_out_reports),
        choice=choice,
    )


@transaction.atomic
def start_release(
    *,
    project: Project,
    version: str,
    admin: User | None,
    notes: str = "",
    choice: Choice = ALL,
) -> Job:
    """Have a worker build the release. Raises ReviewError for errors that can be found without
    reading the clips, and JobInProgress while another is built.
    """
    version = new_version(project, version)
    content = project.pipeline.release.content
    if content == "scenes":
        if not scene_clips(project).exists():
            raise ReviewError(NOTHING_DESCRIBED)
    elif content == "triplets":
        if newest_triplets(project) is None:
            raise ReviewError(NO_SET)
    elif not complete_clips(project).exists():
        raise ReviewError(NOTHING_COMPLETE)
    return start_job(
        Job(
            project=project,
            kind=BUILD_RELEASE,
            lane="all",
            title=version,
            parameters=as_json(BuildParameters(version, notes, choice)),
            created_by=admin,
        )
    )


def new_version(project: Project, text: str) -> str:
    """Return the version that the text names. Raises ReviewError for an invalid version, or one
    that isn't later than the last release."""
    version = parse_version(text)
    previous = latest_release(project)
    if previous is None:
        return str(version)
    if previous.version == str(version) or project.releases.filter(version=str(version)).exists():
        raise ReviewError(
            f"Release {version} already exists and can't be changed. Choose a version after "
            f"{previous.version}."
        )
    last = parse_version(previous.version)
    if not last < version:
        following = last.next_version("minor")
        raise ReviewError(
            f"{version} is not higher than {previous.version}, the last release. Choose a higher "
            f"version, such as {following}."
        )
    return str(version)


def refuse_identical(project: Project, choice: Choice = ALL) -> None:
    """Raise ReviewError if the last release equals what a build would freeze now."""
    previous = latest_release(project)
    if previous is None:
        return
    difference = difference_of(content_of(project, choice), previous)
    if is_identical(difference, previous, choice):
        raise ReviewError(
            f"Release {previous.version} already has exactly this content. Change something first, "
            f"or use {previous.version}."
        )


def prepare_files(
    project: Project, choice: Choice, step: Callable[[str], None] = lambda text: None
) -> None:
    """Hash the videos of the clips to release, and cut clips that are parts of videos into files,
    in LoVR's form only if chosen; call `step` before each. Call it outside any transaction, which
    would block other writers.
    """
    content = project.pipeline.release.content
    if content == "triplets":
        if triplets := newest_triplets(project):
            clips = released_clips(triplets)
            hash_videos_of(whole_clips(clips), step)
            cut_parts(clips, step)
        return
    has_scenes = content == "scenes"
    clips = scene_clips(project) if has_scenes else complete_clips(project)
    hash_videos_of(clips, step)
    if choice.clip_files or not has_scenes:
        cut_parts(clips, step)


def assess_people(project: Project) -> None:
    """Compute the table of what people judged, if anything has changed. Call it outside any
    transaction, because it takes seconds where people have judged much."""
    if "assessment" in project.pipeline.keys:
        recompute(project=project, name=ASSESSMENT_NAME)


@transaction.atomic
def freeze_clips(
    *,
    project: Project,
    version: str,
    admin: User | None,
    notes: str,
    proof: StoredProof,
    choice: Choice = ALL,
) -> Release:
    """Store a release of the complete clips. `proof`: the reports, from `freeze_reports`. Raises
    ReviewError."""
    project = Project.objects.select_for_update().get(pk=project.pk)
    version = new_version(project, version)
    release = FREEZE[project.pipeline.release.content](
        Build(project, version, admin, notes, proof, choice)
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
    place = [project.slug, release.version]
    announce(
        project=project,
        event=Webhook.Event.RELEASE_BUILT,
        ids={"release": release.pk, "version": release.version},
        page=("review:release", place),
        resource=("api:release", place),
    )
    return release

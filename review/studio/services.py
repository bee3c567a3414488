"""Keep what an admin types and chooses for the next release."""

from __future__ import annotations

from django.db import transaction

from annotate.audit import record_event
from annotate.jobs.services.starting import JobInProgress, start_job
from annotate.models import Project, User
from annotate.models.jobs import Job
from review.releases.choice import Choice
from review.releases.models import ReleaseDraft

COMPARE_RELEASE = "compare-release"


def start_comparing(*, project: Project) -> Job:
    """Let a worker compare what a build would freeze with the last release. Return the job, which
    can already be in progress."""
    job = Job(project=project, kind=COMPARE_RELEASE, lane="all", title="Next release")
    try:
        return start_job(job)
    except JobInProgress as error:
        return error.twin


def save_notes(*, project: Project, notes: str) -> None:
    """Keep the notes of the next release. The last writer wins; only admins write."""
    ReleaseDraft.objects.update_or_create(project=project, defaults={"notes": notes})


@transaction.atomic
def save_choice(*, project: Project, choice: Choice, admin: User | None) -> None:
    project = Project.objects.select_for_update().get(pk=project.pk)
    draft, _ = ReleaseDraft.objects.get_or_create(project=project)
    before = draft.choice
    if before == choice.as_json():
        return
    draft.choice = choice.as_json()
    draft.save(update_fields=["choice"])
    record_event(
        actor=admin,
        verb="choose release content",
        subject=project,
        project=project,
        before=before,
        after=draft.choice,
    )

"""Make sets of one model's captions of a project's clips."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Sum

from annotate.audit import record_event
from annotate.bulk import insert_rows
from annotate.models import Archived, Project, User
from inference.models import InferenceRun, RunItem
from inference.recipes import read_recipe
from review.captions import NAME
from review.captions.instructions import statement_of_run
from review.captions.model_names import checked_model_name
from review.captions.models import CaptionSet, SetCaption
from review.errors import ReviewError
from review.reports.services import recompute_later

TAKEN = "The name “{}” is already taken. Choose another."


@transaction.atomic
def make_set_of_run(*, run: InferenceRun, name: str, admin: User | None) -> CaptionSet:
    """Make a set of the captions that a finished caption run has made or reused, with the model's
    `name`.

    Raises ReviewError, which says what to fix, for a run of another kind, an active run, one
    without captions or with a set, and for a name that the project has.
    """
    # One at a time, so that two admins don't use the same run or name.
    project = Project.objects.lock(run.project_id)
    if run.kind != InferenceRun.Kind.CAPTION:
        raise ReviewError(f"Run {run.pk} doesn't caption clips. Choose a caption run.")
    if run.is_active:
        raise ReviewError(f"Run {run.pk} is in progress. Wait until it has finished, or cancel it.")
    if CaptionSet.objects.filter(run=run).exists():
        raise ReviewError(f"The captions of run {run.pk} are already in a set.")
    done = RunItem.objects.filter(run=run, result__isnull=False).order_by("clip")
    captions = dict(done.values_list("clip", "result"))
    if not captions:
        raise ReviewError(f"Run {run.pk} has no captions. Choose another run.")
    return add_set(
        project=project,
        name=name,
        kind="general",
        captions=captions,
        admin=admin,
        run=run,
        **statement_of_run(read_recipe(run.recipe)),
    )


def add_set(
    *,
    project: Project,
    name: str,
    kind: str,
    captions: dict[int, int],
    admin: User | None,
    run: InferenceRun | None = None,
    file_name: str = "",
    sha256: str = "",
    prompt: str = "",
    system: str = "",
    frames: str = "",
    theme: str = "",
) -> CaptionSet:
    """Store a set of stored captions by clip, and who made it; a worker compares them with human
    ones. Call inside a transaction that has locked the project."""
    name = checked_name(project, name)
    made = CaptionSet.objects.create(
        project=project,
        name=name,
        kind=kind,
        run=run,
        file_name=file_name,
        sha256=sha256,
        prompt=prompt,
        system=system,
        frames=frames,
        theme=theme,
        clip_count=len(captions),
        created_by=admin,
    )
    insert_rows(
        SetCaption, ("clip_id", "caption_id"), captions.items(), {"caption_set_id": made.pk}
    )
    made.word_count = made.captions.aggregate(words=Sum("caption__word_count", default=0))["words"]
    made.save(update_fields=["word_count"])
    record_event(
        actor=admin,
        verb="add caption set",
        subject=made,
        project=project,
        after={
            "name": name,
            "captions": len(captions),
            "run": run.pk if run else None,
            "prompt": prompt,
            "frames": frames,
            "theme": theme,
        },
    )
    recompute_later(project.pk, NAME)
    return made


@transaction.atomic
def offer_set(*, caption_set: CaptionSet, is_used: bool, admin: User | None) -> None:
    """Offer the set on pages, or hide it; nothing is deleted. Safe to repeat."""
    caption_set = CaptionSet.objects.select_for_update(of=("self",)).get(pk=caption_set.pk)
    if caption_set.is_used == is_used:
        return
    caption_set.is_used = is_used
    caption_set.save(update_fields=["is_used"])
    if is_used:
        Archived.objects.filter(kind="caption-set", subject=caption_set.pk).delete()
    record_event(
        actor=admin,
        verb="offer caption set",
        subject=caption_set,
        project=caption_set.project,
        before={"is_used": not is_used},
        after={"is_used": is_used},
    )
    recompute_later(caption_set.project_id, NAME)


def checked_name(project: Project, name: str) -> str:
    """Return the normalized name. Raises ReviewError if it is empty or taken."""
    names = CaptionSet.objects.filter(project=project).values_list("name", flat=True)
    return checked_model_name(name, names.order_by(), TAKEN)

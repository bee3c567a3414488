"""Rerun captions whose results are older than the lists they rest on."""

from __future__ import annotations

from django.db import transaction

from annotate.errors import Refused
from annotate.models import Project, User
from review.capst.models import CapstRun
from review.capst.queries import Stale, stale_results
from review.capst.runs import Started, start_capst_run
from review.errors import ReviewError


@transaction.atomic
def judge_again(*, project: Project, admin: User | None) -> Started:
    """Start a run for each stale set and preset, with the models that judged it before. Stored
    replies are reused. Raises ReviewError if nothing is stale.
    """
    project = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    stale = stale_results(project)
    if not stale:
        raise ReviewError(
            "No result is older than its lists of elements, or a run is already judging them."
        )
    started = Started([], [])
    for result in stale:
        try:
            started.runs.append(_start(result, project, admin))
        except Refused as error:
            started.refused.append(f"{result}: {error}")
    return started


def _start(stale: Stale, project: Project, admin: User | None) -> CapstRun:
    run = stale.run
    for model in (run.extractor, run.judge):
        if model is not None and not model.is_active:
            raise ReviewError(f"{model.name} is no longer in use. Choose another model below.")
    return start_capst_run(
        project=project,
        caption_set=run.caption_set,
        extractor=run.extractor,
        judge=run.judge,
        preset=run.preset,
        admin=admin,
    )

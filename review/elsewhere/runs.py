"""Stores a finished run and its items for results that were made elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import file_digest
from pathlib import PurePath
from typing import BinaryIO

from django.utils import timezone

from annotate.audit import record_event
from annotate.models import Project, User
from annotate.text.storable import storable
from inference.models import Elsewhere, InferenceRun, ModelSpec, RunItem, RunParameters
from inference.planning.plans import Subject
from inference.planning.recipes import hash_of, item_key
from inference.planning.staleness import make_run_current
from inference.recipes import Recipe, as_json
from review.elsewhere.statement import Statement
from review.errors import ReviewError

State = RunItem.State


@dataclass(frozen=True)
class Source:
    """The file of an import, the statements about it, and who imported it."""

    name: str
    sha256: str
    stated: Statement
    admin: User | None


def digest_of(file: BinaryIO) -> str:
    file.seek(0)
    return file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]  # has readinto


def refuse_again(project: Project, kind: str, model: ModelSpec, sha256: str) -> None:
    """Raise ReviewError if this file of this model is a run already."""
    same = InferenceRun.objects.filter(
        project=project, kind=kind, model=model.pk, parameters__elsewhere__sha256=sha256
    )
    if model.pk and (before := same.first()):
        raise ReviewError(
            f"This file was already imported as run {before.pk} on {before.created_at:%d %b %Y}. "
            "Nothing was changed."
        )


def make_run(
    project: Project, model: ModelSpec, recipe: Recipe, number: int, source: Source
) -> InferenceRun:
    """Store a finished run of this number of items."""
    now = timezone.now()
    return InferenceRun.objects.create(
        project=project,
        kind=recipe.kind,
        title=model.name,
        model=model,
        recipe=as_json(recipe),
        recipe_hash=hash_of(recipe),
        parameters=as_json(RunParameters(elsewhere=_origin(source))),
        state=InferenceRun.State.DONE,
        is_planned=True,
        total=number,
        counts={State.DONE.value: number},
        created_by=source.admin,
        created_at=now,
        finished_at=now,
    )


def _origin(source: Source) -> Elsewhere:
    made_on = source.stated.made_on
    return Elsewhere(
        file=storable(PurePath(source.name).name[-200:]),
        sha256=source.sha256,
        made_on=made_on.isoformat() if made_on else "",
    )


def make_items(run: InferenceRun, subjects: Sequence[Subject]) -> list[RunItem]:
    """Return the unsaved items, which are done; a run here would recognize their work."""
    return [
        RunItem(
            run=run,
            position=position,
            key=item_key(run.recipe_hash, *subject.inputs),
            state=State.DONE,
            theme_id=subject.theme,
            finished_at=run.finished_at,
            **{f"{subject.field}_id": subject.pk},
        )
        for position, subject in enumerate(subjects, 1)
    ]


def finish_run(run: InferenceRun, source: Source) -> None:
    """Make the run's recipe count, and record the import."""
    make_run_current(run)
    record_event(
        actor=source.admin,
        verb="import run",
        subject=run,
        project=run.project,
        after={
            "kind": run.kind,
            "model": run.title,
            "results": run.total,
            **asdict(_origin(source)),
        },
    )

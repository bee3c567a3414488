"""Makes results that were made elsewhere a finished run, or changes nothing."""

from __future__ import annotations

from pathlib import PurePath
from typing import BinaryIO

from django.db import transaction
from django.utils import timezone

from annotate.audit import record_event
from annotate.corpus.services.precedence import settle_captions
from annotate.models import Caption, Project, User
from annotate.text.storable import storable
from annotate.text.words import count_words
from inference.models import InferenceRun, ModelSpec, QualityScore, RunItem
from inference.planning.recipes import hash_of, item_key, scorer_name, scorer_recipe
from inference.planning.staleness import put_in_force
from inference.queries import AT_ONCE
from review.elsewhere.checking import Checked, check_file, preview_sentences
from review.elsewhere.statement import Statement, recipe_of

Kind = InferenceRun.Kind
State = RunItem.State


def preview_results(
    *, project: Project, kind: str, file: BinaryIO, file_name: str, stated: Statement
) -> list[str]:
    """Return what `import_results` would do, in sentences. Raises what it would raise."""
    checked = check_file(project=project, kind=kind, file=file, file_name=file_name, stated=stated)
    return preview_sentences(project, checked)


@transaction.atomic
def import_results(
    *,
    project: Project,
    kind: str,
    file: BinaryIO,
    file_name: str,
    stated: Statement,
    admin: User | None,
) -> InferenceRun:
    """Store the captions or scores of the file as a finished run, as if a worker had made them.

    A caption follows the rule of precedence: it replaces machine captions only. Raises
    PredictionsInvalid with all rows to fix, and ReviewError otherwise, with nothing stored.
    """
    # One import at a time, so that two of the same file don't pass each other.
    project = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    checked = check_file(project=project, kind=kind, file=file, file_name=file_name, stated=stated)
    run = _make_run(project, checked, file_name, stated, admin)
    items = [_item(run, place, checked) for place in range(len(checked.results))]
    if kind == Kind.CAPTION:
        _store_captions(run, items, checked)
    else:
        _store_scores(run, items, checked)
    put_in_force(run)
    record_event(
        actor=admin,
        verb="import run",
        subject=run,
        project=project,
        after={
            "kind": kind,
            "model": checked.model.name,
            "results": len(items),
            **run.parameters["elsewhere"],
        },
    )
    return run


def _make_run(
    project: Project, checked: Checked, file_name: str, stated: Statement, admin: User | None
) -> InferenceRun:
    model = checked.model
    recipe = checked.recipe
    if not model.pk:
        ModelSpec.objects.bulk_create([model])
        recipe = recipe_of(project, checked.kind, model, stated)
    number = len(checked.results)
    now = timezone.now()
    return InferenceRun.objects.create(
        project=project,
        kind=checked.kind,
        title=model.name,
        model=model,
        recipe=recipe,
        recipe_hash=hash_of(recipe),
        parameters={
            "elsewhere": {
                "file": storable(PurePath(file_name).name[-200:]),
                "sha256": checked.sha256,
                "made_on": stated.made_on.isoformat() if stated.made_on else "",
            }
        },
        state=InferenceRun.State.DONE,
        is_planned=True,
        total=number,
        counts={State.DONE.value: number},
        created_by=admin,
        created_at=now,
        finished_at=now,
    )


def _item(run: InferenceRun, place: int, checked: Checked) -> RunItem:
    subject = checked.results[place].subject
    return RunItem(
        run=run,
        position=place + 1,
        key=item_key(run.recipe_hash, *subject.inputs),
        state=State.DONE,
        theme_id=subject.theme,
        finished_at=run.finished_at,
        **{f"{subject.field}_id": subject.pk},
    )


def _store_captions(run: InferenceRun, items: list[RunItem], checked: Checked) -> None:
    made_by = {"model": checked.model.name, "spec": checked.model.pk, "run": run.pk}
    captions = Caption.objects.bulk_create(
        [
            Caption(
                project_id=run.project_id,
                clip_id=result.subject.pk,
                kind=Caption.Kind.GENERAL,
                source=Caption.Source.MACHINE,
                text=result.row.text,
                word_count=count_words(result.row.text),
                provenance=[made_by],
            )
            for result in checked.results
        ],
        batch_size=AT_ONCE,
    )
    for item, caption in zip(items, captions, strict=True):
        item.result = caption
        item.note = f"{caption.word_count} words"
    RunItem.objects.bulk_create(items, batch_size=AT_ONCE)
    settle_captions(captions)


def _store_scores(run: InferenceRun, items: list[RunItem], checked: Checked) -> None:
    scorer, name = hash_of(scorer_recipe(run.recipe)), scorer_name(run.recipe)
    clips = dict(
        Caption.objects.filter(project=run.project_id, kind=Caption.Kind.GENERAL).values_list(
            "pk", "clip"
        )
    )
    for item, result in zip(items, checked.results, strict=True):
        item.note = f"{result.row.score:.3f}"
    RunItem.objects.bulk_create(items, batch_size=AT_ONCE)
    QualityScore.objects.bulk_create(
        [
            QualityScore(
                project_id=run.project_id,
                item=item,
                caption_id=result.subject.pk,
                clip_id=clips[result.subject.pk],
                scorer=scorer,
                scorer_name=name,
                value=result.row.score,
                keywords=list(result.row.keywords),
            )
            for item, result in zip(items, checked.results, strict=True)
        ],
        batch_size=AT_ONCE,
    )

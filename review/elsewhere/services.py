"""Makes results that were made elsewhere a finished run, or changes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import BinaryIO

from django.db import transaction

from annotate.corpus.services.precedence import settle_captions
from annotate.corpus.services.storing import link_parents, store_captions
from annotate.datasets.faults import NO_ROWS, LeftOut
from annotate.models import Caption, Project, User
from annotate.text.words import count_words
from inference.models import InferenceRun, ModelSpec, QualityScore, RunItem
from inference.planning.recipes import hash_of, scorer_name, scorer_recipe
from inference.queries import BATCH_SIZE, cut_videos
from inference.recipes import ScoreRecipe, read_stored
from review.elsewhere.checking import Checked, check_file, preview_sentences
from review.elsewhere.runs import Source, finish_run, make_items, make_run
from review.elsewhere.statement import Statement, recipe_of
from review.elsewhere.vectors import check_vectors, store_vectors, vector_sentences

Kind = InferenceRun.Kind


@dataclass(frozen=True)
class Preview:
    """What an import would do, in sentences, and the rows that it would leave out."""

    sentences: Sequence[str]
    left_out: LeftOut = NO_ROWS


def preview_results(
    *,
    project: Project,
    kind: str,
    file: BinaryIO,
    file_name: str,
    stated: Statement,
    skips_bad: bool = False,
) -> Preview:
    """Return what `import_results` would do. Raises the same errors."""
    if kind == Kind.EMBED:
        vectors = check_vectors(
            project=project, file=file, file_name=file_name, stated=stated, skips_bad=skips_bad
        )
        return Preview(vector_sentences(vectors), vectors.left_out)
    checked = check_file(
        project=project, kind=kind, file=file, file_name=file_name, stated=stated,
        skips_bad=skips_bad,
    )  # fmt: skip
    return Preview(preview_sentences(project, checked), checked.left_out)


@transaction.atomic
def import_results(
    *,
    project: Project,
    kind: str,
    file: BinaryIO,
    file_name: str,
    stated: Statement,
    admin: User | None,
    skips_bad: bool = False,
) -> list[InferenceRun]:
    """Store the captions, scores or vectors of the file as finished runs, as if a worker had made
    them: one, or for vectors one for each sort of thing.

    A caption follows the rule of precedence: it replaces machine captions only. `skips_bad`: leave
    out rows with an error. Raises PredictionsInvalid with all rows to fix, and ReviewError
    otherwise, with nothing stored.
    """
    # One import at a time, so that two imports of the same file don't miss each other.
    project = Project.objects.lock(project.pk)
    if kind == Kind.EMBED:
        vectors = check_vectors(
            project=project, file=file, file_name=file_name, stated=stated, skips_bad=skips_bad
        )
        return store_vectors(project, vectors, Source(file_name, vectors.sha256, stated, admin))
    checked = check_file(
        project=project, kind=kind, file=file, file_name=file_name, stated=stated,
        skips_bad=skips_bad,
    )  # fmt: skip
    model, recipe = checked.model, checked.recipe
    if not model.pk:
        ModelSpec.objects.bulk_create([model])
        recipe = recipe_of(project, kind, model, stated)
    source = Source(file_name, checked.sha256, stated, admin)
    run = make_run(project, model, recipe, len(checked.results), source)
    items = make_items(run, [result.subject for result in checked.results])
    if kind == Kind.SCORE:
        _store_scores(run, items, checked)
    else:
        _store_captions(run, items, checked)
    finish_run(run, source)
    return [run]


def imported_sentence(runs: Sequence[InferenceRun]) -> str:
    if len(runs) == 1:
        return f"Imported as run {runs[0].pk}."
    return f"Imported as runs {', '.join(str(run.pk) for run in runs)}."


def _store_captions(run: InferenceRun, items: list[RunItem], checked: Checked) -> None:
    """Store the captions. That of a whole video has the current captions of its clips as parents,
    as a fused one has, so that it goes out of date with them."""
    made_by = {"model": checked.model.name, "spec": checked.model.pk, "run": run.pk}
    is_whole = run.kind == Kind.FUSE
    wholes = dict(cut_videos(run.project).order_by().values_list("video_id", "pk"))
    captions = store_captions(
        run.project_id,
        [
            Caption(
                project_id=run.project_id,
                clip_id=wholes[result.subject.pk] if is_whole else result.subject.pk,
                kind=Caption.Kind.FULL_VIDEO if is_whole else Caption.Kind.GENERAL,
                source=Caption.Source.MACHINE,
                text=result.row.text,
                word_count=count_words(result.row.text),
                provenance=[made_by],
            )
            for result in checked.results
        ],
    )
    for item, caption in zip(items, captions, strict=True):
        item.result = caption
        item.note = f"{caption.word_count} words"
    RunItem.objects.bulk_create(items, batch_size=BATCH_SIZE)
    if is_whole:
        _link_to_clips(captions, checked)
    settle_captions(captions)


def _link_to_clips(captions: Sequence[Caption], checked: Checked) -> None:
    link_parents(
        (caption.pk, int(str(parent)))
        for caption, result in zip(captions, checked.results, strict=True)
        # The subject's inputs: "video", its key, and the caption of each clip, 0 if none.
        for parent in result.subject.inputs[2:]
        if parent
    )


def _store_scores(run: InferenceRun, items: list[RunItem], checked: Checked) -> None:
    recipe = read_stored(run.recipe, ScoreRecipe)
    scorer, name = hash_of(scorer_recipe(recipe)), scorer_name(recipe)
    clips = dict(
        Caption.objects.filter(project=run.project_id, kind=Caption.Kind.GENERAL).values_list(
            "pk", "clip"
        )
    )
    for item, result in zip(items, checked.results, strict=True):
        item.note = f"{result.row.score:z.3f}"
    RunItem.objects.bulk_create(items, batch_size=BATCH_SIZE)
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
        batch_size=BATCH_SIZE,
    )

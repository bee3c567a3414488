"""Vectors that were made elsewhere, as finished embed runs: one for each sort of thing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import BinaryIO

from annotate.datasets.faults import LeftOut
from annotate.models import Project
from inference.models import Embedding, InferenceRun, ModelSpec, RunItem
from inference.planning.options import EmbedOptions
from inference.planning.plans import Subject, subjects_of
from inference.planning.recipes import make_recipe, space_of
from inference.queries import BATCH_SIZE
from inference.recipes import Recipe, read_recipe
from inference.words import CHOICES, counted
from review.elsewhere.runs import Source, digest_of, finish_run, make_items, make_run, refuse_again
from review.elsewhere.statement import Statement, model_of, read_frames
from review.errors import ReviewError
from review.retrieval.exchange import things_in_project
from review.retrieval.row_faults import RowFaults, unit_rows
from review.retrieval.vector_arrays import CLIPS, VectorFile
from review.retrieval.vector_files import open_vectors

KIND = InferenceRun.Kind.EMBED.value
NOUNS = ("vector", "vectors")
# The ids of a file -> what an embed run of them embeds; clips can be whole videos, too.
OF: Mapping[str, tuple[str, ...]] = {
    CLIPS: ("clips", "videos"),
    **{(kind): (of,) for of, kind in EmbedOptions.TEXTS.items()},
}


@dataclass(frozen=True)
class Part:
    """What one run embeds: the row of each subject in the array of the ids `name`."""

    name: str
    of: str
    rows: dict[int, Subject]


@dataclass(frozen=True)
class CheckedVectors:
    model: ModelSpec
    content: VectorFile
    parts: list[Part]
    sha256: str
    left_out: LeftOut


def check_vectors(
    *,
    project: Project,
    file: BinaryIO,
    file_name: str,
    stated: Statement,
    skips_bad: bool = False,
) -> CheckedVectors:
    """Check every vector and store nothing. `skips_bad`: leave out rows with an error. Raises
    VectorsInvalid with each row to fix, or ReviewError for the statement, the file as a whole, or
    a file that was imported before.
    """
    model = model_of(project, KIND, stated.model)
    if read_frames(stated.frames) is None:
        raise ReviewError("State the frames of the vectors, such as middle:32.")
    sha256 = digest_of(file)
    refuse_again(project, KIND, model, sha256)
    content = open_vectors(file, file_name)
    _refuse_other_dimension(project, model, content.dimension)
    faults = RowFaults(PurePath(file_name).name)
    parts: list[Part] = []
    for name, things in things_in_project(project, content, faults).items():
        vectors = content.vectors[name]
        for first, numbers in vectors.blocks():
            for row, mend in unit_rows(numbers)[1].items():
                faults.add(name, first + row, mend, vectors.name)
        keys = {
            row: clip if caption is None else caption for row, (clip, caption) in things.items()
        }
        parts += _parts(project, model, stated, name, keys, faults)
    left_out = faults.left_out(len(parts), skips_bad=skips_bad)
    return CheckedVectors(model, content, parts, sha256, left_out)


def vector_sentences(checked: CheckedVectors) -> list[str]:
    """Return sentences on what the import would do."""
    sentences = [
        f"{counted(len(part.rows), NOUNS)} by {checked.model.name} of "
        f"“{CHOICES['of'][part.of]}” {'is' if len(part.rows) == 1 else 'are'} imported as a "
        "finished embed run, marked “made elsewhere”."
        for part in checked.parts
    ]
    if not checked.model.pk:
        sentences.append(f"{checked.model.name} is added to the models. It can’t be run here.")
    if checked.left_out.faults:
        sentences.append(checked.left_out.sentence)
    return [*sentences, "No caption changes."]


def store_vectors(project: Project, checked: CheckedVectors, source: Source) -> list[InferenceRun]:
    """Store one run for each part, inside a transaction that has locked the project."""
    if not checked.model.pk:
        ModelSpec.objects.bulk_create([checked.model])
    runs = []
    for part in checked.parts:
        recipe = _recipe(checked.model, part.of, source.stated)
        run = make_run(project, checked.model, recipe, len(part.rows), source)
        items = make_items(run, list(part.rows.values()))
        for item in items:
            item.note = f"{checked.content.dimension} numbers"
        RunItem.objects.bulk_create(items, batch_size=BATCH_SIZE)
        _store_part(run, checked.content, part, dict(zip(part.rows, items, strict=True)))
        finish_run(run, source)
        runs.append(run)
    return runs


def _store_part(
    run: InferenceRun, content: VectorFile, part: Part, items: Mapping[int, RunItem]
) -> None:
    recipe = read_recipe(run.recipe)
    sampling = recipe.stated.sampling if part.name == CLIPS else None
    space = space_of(recipe.own_model)
    for first, numbers in content.vectors[part.name].blocks():
        units, _ = unit_rows(numbers)
        Embedding.objects.bulk_create(
            [
                Embedding(
                    project_id=run.project_id,
                    item=items[row],
                    model_id=recipe.own_model.spec,
                    space=space,
                    clip_id=items[row].clip_id,
                    caption_id=items[row].caption_id,
                    dimension=content.dimension,
                    vector=vector.tobytes(),
                    sampling=sampling.as_dict() if sampling else {},
                )
                for row, vector in enumerate(units, first)
                if row in items
            ],
            batch_size=BATCH_SIZE,
        )


def _parts(
    project: Project,
    model: ModelSpec,
    stated: Statement,
    name: str,
    keys: dict[int, int],
    faults: RowFaults,
) -> list[Part]:
    """Return the runs that the rows of an array without an error become. `keys`: row -> clip or
    caption. A row that no run embeds is an error.
    """
    parts = []
    rest = keys
    for of in OF[name]:
        subjects = {s.pk: s for s in subjects_of(project, _recipe(model, of, stated))}
        rows = {row: subjects[key] for row, key in rest.items() if key in subjects}
        rest = {row: key for row, key in rest.items() if row not in rows}
        good = {row: subject for row, subject in rows.items() if not faults.has(name, row)}
        if good:
            parts.append(Part(name, of, good))
    what = "a clip that is described or a cut video" if name == CLIPS else "a current caption"
    for row in rest:
        faults.add(name, row, f"it is not of {what}. Remove it.")
    return parts


def _recipe(model: ModelSpec, of: str, stated: Statement) -> Recipe:
    options = EmbedOptions.parse({"of": of, "sampling": read_frames(stated.frames)})
    return make_recipe(KIND, options, model=model)


def _refuse_other_dimension(project: Project, model: ModelSpec, dimension: int) -> None:
    before = Embedding.objects.filter(project=project, model=model.pk).order_by("-pk").first()
    if model.pk and before and before.dimension != dimension:
        raise ReviewError(
            f"The vectors of {model.name} have {before.dimension} numbers, and these {dimension}. "
            "Give another model’s name."
        )

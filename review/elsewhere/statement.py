"""How results were made elsewhere, as stated by the person who imports them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from annotate.models import Project
from annotate.text.storable import storable
from inference.errors import InferenceError
from inference.models import InferenceRun, ModelSpec
from inference.planning.options import ScoreOptions
from inference.planning.recipes import make_recipe
from inference.planning.typed_options import MAX_PROMPT_LENGTH, Options
from inference.planning.word_counts import with_word_counts
from inference.recipes import Recipe, ScoreRecipe
from inference.registry import Backend
from inference.runs.services import fits_kind
from inference.sampling import FIELDS, Sampling
from review.captions.model_names import MAX_NAME_LENGTH
from review.errors import NameRefused, ReviewError

Kind = InferenceRun.Kind
KINDS = {
    Kind.CAPTION.value: "Captions",
    Kind.FUSE.value: "Captions of whole videos",
    Kind.SCORE.value: "Scores",
    Kind.EMBED.value: "Vectors",
}
THEMES = {"": None, "told": True, "not_told": False}
# Notation of each way to choose frames.
NOTATIONS = ", ".join(":".join([name, *numbers]) for name, numbers in FIELDS.items())


@dataclass(frozen=True)
class Statement:
    """`model` is its name; `frames` in the notation of the runs. Empty means unknown."""

    model: str
    frames: str = ""
    prompt: str = ""
    theme: str = ""
    variant: str = "v3"
    made_on: date | None = None


def model_of(project: Project, kind: str, name: str) -> ModelSpec:
    """Return the project's model of this name, or an unsaved one that was run elsewhere.

    Raises NameRefused if the project's model doesn't do this kind of work.
    """
    name = " ".join(storable(name).split())
    if not 0 < len(name) <= MAX_NAME_LENGTH:
        raise NameRefused(f"Name the model in at most {MAX_NAME_LENGTH} characters.")
    model = ModelSpec.objects.filter(project=project, name=name).first()
    if model is None:
        return ModelSpec(project=project, name=name, backend=Backend.ELSEWHERE, model_id=name)
    if model.backend != Backend.ELSEWHERE and not fits_kind(model, kind):
        raise NameRefused(f"The project’s model {name} can’t make these. Give another name.")
    return model


def recipe_of(project: Project, kind: str, model: ModelSpec, stated: Statement) -> Recipe:
    """Return the recipe of the run. Raises ReviewError for a statement that can't be understood.

    A score of the project's own encoder, with the same frames, is comparable with its scores here.
    """
    sampling = read_frames(stated.frames)
    try:
        if kind == Kind.SCORE:
            if sampling is None:
                raise ReviewError("State the frames of the scores, such as every:30.")
            options = ScoreOptions.parse({"variant": stated.variant, "sampling": sampling})
            recipe = make_recipe(kind, options, model=model)
            return with_word_counts(project, ScoreRecipe(**vars(recipe)))
        recipe = make_recipe(kind, Options(), model=model)
        return replace(recipe, options=_asked(stated, sampling))
    except InferenceError as error:
        raise ReviewError(str(error)) from error


def read_frames(text: str) -> Sampling | None:
    """Return the sampling that `text` notates; None for an empty text. Raises ReviewError."""
    if not text.strip():
        return None
    kind, *numbers = text.strip().split(":")
    try:
        return Sampling(kind, **dict(zip(FIELDS[kind], map(int, numbers), strict=True)))
    except (KeyError, ValueError) as error:
        raise ReviewError(
            f"“{text[:40]}” does not say which frames. Write one of: {NOTATIONS}."
        ) from error


def _asked(stated: Statement, sampling: Sampling | None) -> dict[str, Any]:
    """Return a captioner's input, as far as it is stated."""
    if len(stated.prompt) > MAX_PROMPT_LENGTH:
        raise ReviewError(
            f"The prompt has {len(stated.prompt):,} letters. Keep it to {MAX_PROMPT_LENGTH:,}."
        )
    if stated.theme not in THEMES:
        raise ReviewError("Set the theme to “told” or “not_told”, or leave it out.")
    options = {
        "prompt": storable(stated.prompt).strip() or None,
        "sampling": sampling.as_dict() if sampling else None,
        "use_theme": THEMES[stated.theme],
    }
    return {name: value for name, value in options.items() if value is not None}

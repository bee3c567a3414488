"""Recipes: everything that decides a run's results, as dataclasses, to and from stored JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from typing import Any, TypeVar

import msgspec

from annotate.errors import Refused
from annotate.stored_json import from_json
from inference.sampling import Sampling

Part = TypeVar("Part")
# Left out of the stored JSON while they are None; any other field is stored as null.
_OPTIONAL = {"until", "counted", "prompts", "detector"}


@dataclass(frozen=True)
class ModelRecipe:
    """A model as a run used it. `spec` is its key, 0 before it is stored. `parameters` stay a
    dictionary, because each backend has its own.
    """

    spec: int
    name: str
    backend: str
    model_id: str
    revision: str
    parameters: Mapping[str, Any]

    @property
    def identity(self) -> str:
        """Return what its maker calls it, such as Qwen/Qwen2-VL; of our own models, the backend."""
        return self.model_id or self.backend


@dataclass(frozen=True)
class StatedOptions:
    """The options that are read from runs of any kind, as far as a recipe states them."""

    of: str = ""
    prompt: str = ""
    system: str = ""
    sampling: Sampling | None = None
    use_theme: bool | None = None
    variant: str = ""


@dataclass(frozen=True)
class Recipe:
    """What all kinds of run have. `code` is a number of CODE_VERSIONS.

    `options` stay a dictionary: a run here has those of its kind's Options, which its work parses,
    and a run elsewhere those that its importer stated.
    """

    kind: str
    code: int
    model: ModelRecipe | None
    options: Mapping[str, Any]

    @property
    def stated(self) -> StatedOptions:
        return read_stored(self.options, StatedOptions)

    @property
    def own_model(self) -> ModelRecipe:
        """Return the model of a run that has one: of every kind but segment."""
        assert self.model is not None
        return self.model

    @property
    def models(self) -> Sequence[ModelRecipe | None]:
        """Return all models that work on an item, the run's own first."""
        return [self.model]

    @property
    def writers(self) -> Sequence[ModelRecipe]:
        """Return the models that are asked for a caption, in order."""
        return [self.model] if self.model else []


@dataclass(frozen=True, kw_only=True)
class ScoreRecipe(Recipe):
    """Without `keyword_model`, TF-IDF counts words in the captions up to the key `until`, `counted`
    in number. Without `detector`, keywords are compared with whole frames.
    """

    keyword_model: ModelRecipe | None = None
    detector: ModelRecipe | None = None
    until: int | None = None
    counted: int | None = None

    @property
    def models(self) -> Sequence[ModelRecipe | None]:
        return [*super().models, self.keyword_model, self.detector]


@dataclass(frozen=True, kw_only=True)
class RefineRecipe(ScoreRecipe):
    """`chain` are the models that regenerate a caption below the threshold, in order."""

    scorer: str
    threshold: float
    chain: Sequence[ModelRecipe]

    @property
    def models(self) -> Sequence[ModelRecipe | None]:
        return [self.model, *self.chain, self.keyword_model, self.detector]

    @property
    def writers(self) -> Sequence[ModelRecipe]:
        return self.chain


_CLASSES: Mapping[str, type[Recipe]] = {"score": ScoreRecipe, "refine": RefineRecipe}


def read_recipe(stored: Any) -> Recipe:
    """Return a run's stored recipe as the dataclass of its kind. Raises Refused, which
    names the field that can't be read.
    """
    kind = stored.get("kind") if isinstance(stored, Mapping) else None
    return read_stored(stored, _CLASSES.get(str(kind), Recipe))


def try_recipe(stored: Any) -> tuple[Recipe | None, str]:
    """Return a run's stored recipe for a page, or None and the sentence which names the field that
    can't be read.
    """
    try:
        recipe = read_recipe(stored)
        _ = recipe.stated  # it is read only when a page asks for it
    except Refused as error:
        return None, str(error)
    return recipe, ""


def try_stated(stored: Any) -> StatedOptions:
    """Return what a stored recipe states: nothing if it can't be read."""
    recipe, _ = try_recipe(stored)
    return recipe.stated if recipe else StatedOptions()


def read_stored(stored: Any, kind: type[Part]) -> Part:
    """Return stored JSON as a recipe or a part of one, of this class. Raises Refused."""
    return from_json(stored, kind, "The stored recipe")


def as_json(recipe: object) -> Any:
    """Return a recipe, or a part of one, as the plain data that is stored and hashed."""
    plain = msgspec.to_builtins(recipe)
    if not is_dataclass(recipe):
        return plain
    return {n: value for n, value in plain.items() if value is not None or n not in _OPTIONAL}

"""Making recipes: of models and runs, with their hashes and their differences."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from inference.backends.protocols import ModelSettings
from inference.models import ModelSpec
from inference.planning.typed_options import Options
from inference.recipes import ModelRecipe, Recipe, ScoreRecipe, as_json
from inference.registry import model_settings, stated_parameters

# Raise a number when the same input gives another result; earlier results become stale.
CODE_VERSIONS: Mapping[str, int] = {
    "segment": 1,
    "theme": 1,
    "caption": 2,
    "embed": 1,
    "score": 1,
    "refine": 2,
    "fuse": 1,
}
# The model's key and name in this database don't affect results. The number of captions that TF-IDF
# counts (`counted`) follows from the last one (`until`).
_NOT_HASHED = {"spec", "name", "counted"}
# Speed, timeouts and retries don't affect results either.
_PACE = {"batch_size", "parallel", "device", "attention", "timeout", "tries"}
_SEEDS = {"seed"}
_PROMPTS = {"prompt", "system", "use_theme"}


def model_recipe(spec: ModelSpec) -> ModelRecipe:
    model = model_settings(spec)
    return ModelRecipe(
        spec=spec.pk or 0,
        name=spec.name,
        backend=model.backend,
        model_id=model.model_id,
        revision=model.revision,
        parameters=stated_parameters(model.backend, model.parameters),
    )


def settings_of(model: ModelRecipe) -> ModelSettings:
    """Return the settings to load the model."""
    return ModelSettings(model.backend, model.model_id, model.revision, model.parameters)


def make_recipe(kind: str, options: Options, *, model: ModelSpec | None = None) -> Recipe:
    """Return the part of a recipe that all kinds of run have."""
    return Recipe(
        kind, CODE_VERSIONS[kind], model_recipe(model) if model else None, options.as_dict()
    )


def hash_of(data: object) -> str:
    """Return the SHA-256 of a recipe or of plain data, regardless of the order of its keys."""
    hashed = _hashed(as_json(data))
    text = json.dumps(hashed, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def item_key(recipe_hash: str, *inputs: object) -> str:
    """Return the key of an item: equal for the same recipe and inputs."""
    return hashlib.sha256("\n".join([recipe_hash, *map(str, inputs)]).encode()).hexdigest()


def first_change(before: Recipe, after: Recipe) -> str:
    """Return the first change that makes results of `before` stale under `after`: code, model,
    words, threshold, prompt, sampling, seed or options; empty if nothing has changed.
    """
    if hash_of(before) == hash_of(after):
        return ""
    if before.code != after.code:
        return "code"
    if hash_of(before.models) != hash_of(after.models):
        return "model"
    old, new = before.options, after.options
    if old == new:
        return "words" if _until(before) != _until(after) else "threshold"
    changed = {name for name in {*old, *new} if old.get(name) != new.get(name)}
    if changed & _PROMPTS:
        return "prompt"
    if any("sampling" in name for name in changed):
        return "sampling"
    return "seed" if changed <= _SEEDS else "options"


def _until(recipe: Recipe) -> int | None:
    return recipe.until if isinstance(recipe, ScoreRecipe) else None


def scored_kind(recipe: Recipe) -> str:
    """Return the kind of the captions that a score or refine run scores."""
    return "full_video" if recipe.stated.of == "full_video" else "general"


def scorer_recipe(recipe: ScoreRecipe) -> dict[str, Any]:
    """Return the part of a score or refine run's recipe that comparable scores share."""
    settings = scorer_settings(recipe)
    return settings if recipe.keyword_model else {**settings, "until": recipe.until}


def scorer_settings(recipe: ScoreRecipe) -> dict[str, Any]:
    """Return the scorer's recipe without the captions in which TF-IDF counts words. Captions of
    whole videos have their own scorers, so their scores and thresholds never mix with those of
    clips.
    """
    shared = ["variant", "sampling", "keywords_at_most", "of"]
    if recipe.keyword_model:
        shared += ["temperature", "top_p", "max_tokens"]
    return {
        "code": CODE_VERSIONS["score"],
        "encoder": recipe.model,
        "keywords": recipe.keyword_model,
        **({"detector": recipe.detector} if recipe.detector else {}),
        **{name: recipe.options[name] for name in shared if name in recipe.options},
    }


def scorer_name(recipe: ScoreRecipe) -> str:
    """Return the display name of a scorer: EVQAScore v3, clip-vit-base, every 30th frame, TF-IDF
    keywords over 1,200 captions.
    """
    from inference.words import counted

    keywords = recipe.keyword_model
    regions = f", regions by {recipe.detector.identity}" if recipe.detector else ""
    of = " of whole videos" if scored_kind(recipe) == "full_video" else ""
    return ", ".join(
        [
            f"EVQAScore {recipe.stated.variant}{of}",
            recipe.own_model.identity,
            f"{recipe.stated.sampling}{regions}",
            f"keywords by {keywords.identity}"
            if keywords
            else f"TF-IDF keywords over {counted(recipe.counted or 0, ('caption', 'captions'))}",
        ]
    )[:200]


def space_of(model: ModelRecipe) -> str:
    """Return the hash of the space in which a model's vectors are comparable."""
    return hash_of(model)


def _hashed(data: Any) -> Any:
    if isinstance(data, Mapping):
        return {
            name: _without(_PACE, data[name]) if name == "parameters" else _hashed(data[name])
            for name in sorted(data)
            if name not in _NOT_HASHED
        }
    if isinstance(data, list | tuple):
        return [_hashed(value) for value in data]
    return data


def _without(names: set[str], parameters: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in parameters.items() if name not in names}

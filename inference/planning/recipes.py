"""Recipes: everything that decides a run's results, as plain data with a hash, and their
differences.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from inference.backends.protocols import ModelSettings
from inference.models import ModelSpec
from inference.planning.typed_options import Options
from inference.registry import model_settings

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
_MODELS = {"model", "keyword_model", "chain"}
_SEEDS = {"seed"}
_PROMPTS = {"prompt", "system", "use_theme"}


def model_recipe(spec: ModelSpec) -> dict[str, Any]:
    model = model_settings(spec)
    return {
        "spec": spec.pk,
        "name": spec.name,
        "backend": model.backend,
        "model_id": model.model_id,
        "revision": model.revision,
        "parameters": dict(model.parameters),
    }


def settings_of(recipe: Mapping[str, Any]) -> ModelSettings:
    """Return the settings to load the model described by `model_recipe`."""
    return ModelSettings(
        recipe["backend"], recipe["model_id"], recipe["revision"], recipe["parameters"]
    )


def make_recipe(
    kind: str,
    options: Options,
    *,
    model: ModelSpec | None = None,
    more_models: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return a recipe. `more_models` holds the recipes of other models, such as the one that names
    keywords.
    """
    return {
        "kind": kind,
        "code": CODE_VERSIONS[kind],
        "model": model_recipe(model) if model else None,
        "options": options.as_dict(),
        **(more_models or {}),
    }


def hash_of(data: Any) -> str:
    """Return the SHA-256 of plain data, regardless of the order of its keys."""
    text = json.dumps(_hashed(data), sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def item_key(recipe_hash: str, *inputs: object) -> str:
    """Return the key of an item: equal for the same recipe and inputs."""
    return hashlib.sha256("\n".join([recipe_hash, *map(str, inputs)]).encode()).hexdigest()


def first_change(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """Return the first change that makes results of `before` stale under `after`: code, model,
    words, threshold, prompt, sampling, seed or options; empty if nothing has changed.
    """
    if _hashed(before) == _hashed(after):
        return ""
    if before["code"] != after["code"]:
        return "code"
    if any(_hashed(before.get(name)) != _hashed(after.get(name)) for name in _MODELS):
        return "model"
    old, new = before["options"], after["options"]
    if old == new:
        return "words" if before.get("until") != after.get("until") else "threshold"
    changed = {name for name in {*old, *new} if old.get(name) != new.get(name)}
    if changed & _PROMPTS:
        return "prompt"
    if any("sampling" in name for name in changed):
        return "sampling"
    return "seed" if changed <= _SEEDS else "options"


def scored_kind(recipe: Mapping[str, Any]) -> str:
    """Return the kind of the captions that a score or refine run scores."""
    return "full_video" if recipe["options"].get("of") == "full_video" else "general"


def scorer_recipe(recipe: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of a score or refine run's recipe that comparable scores share."""
    settings = scorer_settings(recipe)
    if recipe.get("keyword_model"):
        return settings
    return {**settings, "until": recipe["until"]}


def scorer_settings(recipe: Mapping[str, Any]) -> dict[str, Any]:
    """Return the scorer's recipe without the captions in which TF-IDF counts words. Captions of
    whole videos have their own scorers, so their scores and thresholds never mix with those of
    clips.
    """
    options = recipe["options"]
    shared = ["variant", "sampling", "keywords_at_most"]
    if recipe.get("keyword_model"):
        shared += ["temperature", "top_p", "max_tokens"]
    return {
        "code": CODE_VERSIONS["score"],
        "encoder": recipe["model"],
        "keywords": recipe.get("keyword_model"),
        **{name: options[name] for name in shared},
        **({"of": options["of"]} if "of" in options else {}),
    }


def scorer_name(recipe: Mapping[str, Any]) -> str:
    """Return the display name of a scorer: EVQAScore v3, clip-vit-base, every 30th frame, TF-IDF
    keywords over 1,200 captions.
    """
    from inference.sampling import Sampling
    from inference.words import counted

    encoder, keywords = recipe["model"], recipe.get("keyword_model")
    of = " of whole videos" if scored_kind(recipe) == "full_video" else ""
    return ", ".join(
        [
            f"EVQAScore {recipe['options']['variant']}{of}",
            encoder["model_id"] or encoder["backend"],
            str(Sampling.parse(recipe["options"]["sampling"])),
            f"keywords by {keywords['model_id'] or keywords['backend']}"
            if keywords
            else f"TF-IDF keywords over {counted(recipe['counted'], ('caption', 'captions'))}",
        ]
    )[:200]


def space_of(model: Mapping[str, Any]) -> str:
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

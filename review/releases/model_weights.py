"""What a release states of a model's weights, when it is built."""

from __future__ import annotations

from inference.model_facts import WEIGHTS
from inference.models import ModelSpec
from inference.recipes import ModelRecipe


def stated_weights(spec: ModelSpec | None, used: ModelRecipe | None = None) -> dict[str, str]:
    """Return what is stated of the weights, by field. Empty if the model now names other weights
    than those that were `used`.
    """
    if spec is None:
        return {}
    if used and (spec.model_id, spec.revision) != (used.model_id, used.revision):
        return {}
    return {name: value for name in WEIGHTS if (value := getattr(spec, name))}

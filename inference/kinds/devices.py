"""The devices of a run's models."""

from __future__ import annotations

from inference.devices import MAX_NAME_LENGTH, processor_name
from inference.loading import device_of
from inference.planning.recipes import settings_of
from inference.recipes import Recipe


def devices_of(recipe: Recipe) -> str:
    """Return the names of all devices that work on an item, the one of the run's own model first;
    without a model, the processor.
    """
    names = [device_of(settings_of(model)) for model in recipe.models if model]
    return " + ".join(dict.fromkeys(names or [processor_name()]))[:MAX_NAME_LENGTH]

"""The devices of a run's models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from inference.devices import LONGEST_NAME, processor_name
from inference.loading import device_of
from inference.planning.recipes import settings_of


def devices_of(recipe: Mapping[str, Any]) -> str:
    """Return the names of all devices that work on an item, the one of the run's own model first;
    without a model, the processor.
    """
    models = [recipe["model"], *recipe.get("chain", []), recipe.get("keyword_model")]
    names = [device_of(settings_of(model)) for model in models if model]
    return " + ".join(dict.fromkeys(names or [processor_name()]))[:LONGEST_NAME]

"""The one-line signature of a report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def sign_report(
    name: str,
    parameters: Mapping[str, Any],
    *,
    labels: int,
    seed: int,
    method: str,
    inputs_hash: str,
    is_simulated: bool,
) -> str:
    """Return how the numbers were made, in sacrebleu's form: key:value joined by |, which values
    never contain."""
    parts = {
        **parameters,
        "labels": labels,
        "seed": seed,
        "method": method,
        "inputs": inputs_hash[:8],
    }
    simulated = ["simulated"] if is_simulated else []
    key_values = (f"{key}:{value}".replace("|", " ") for key, value in parts.items())
    return "|".join([name, *simulated, *key_values])

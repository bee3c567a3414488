"""The models of a release whose admins state where their weights are from, the license or hash."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from inference.model_facts import WEIGHTS
from review.frozen.models import Release
from review.frozen.records import ReleasedRecord
from review.releases.triplet_tally import frozen_facts

OF_MODEL = ("model", "model_id", "revision", *WEIGHTS)


def models_with_weights(release: Release) -> list[dict[str, str]]:
    """Return each model with what was stated of its weights when the release was built: models that
    wrote captions, and the encoder of the vectors. It doesn't say which captions are whose.
    """
    origins = release.records.filter(
        file=ReleasedRecord.File.ORIGINS, values__has_any_keys=list(WEIGHTS)
    )
    stated = [_of(values) for values in origins.order_by().values_list("values", flat=True)]
    facts = frozen_facts(release)
    if facts and facts.vectors and facts.weights:
        vectors = facts.vectors
        model = {"model": vectors.model, "model_id": vectors.model_id}
        stated.append(_of({**model, "revision": vectors.revision, **facts.weights}))
    return [dict(model) for model in sorted(set(stated))]


def _of(values: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    return tuple((name, values[name]) for name in OF_MODEL if values.get(name))


def weights_entry(release: Release) -> dict[str, Any]:
    """Return a manifest's entry about these models, if any."""
    models = models_with_weights(release)
    return {"models": models} if models else {}


def weights_lines(release: Release) -> str:
    """Return a README's paragraph about these models; empty without any."""
    models = models_with_weights(release)
    if not models:
        return ""
    return "\n".join(["", "Models, as their users state them:", "", *map(_line, models), ""])


def _line(model: Mapping[str, str]) -> str:
    identity = " ".join(model[name] for name in ("model_id", "revision") if name in model)
    parts = [
        identity,
        model.get("weights_source"),
        f"license {model['weights_license']}" if "weights_license" in model else "",
        f"SHA-256 of the weights `{model['weights_sha256']}`" if "weights_sha256" in model else "",
    ]
    return f"- {model.get('model', '')}: {'; '.join(filter(None, parts))}"

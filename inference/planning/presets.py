"""The initial settings of a run: those of `inference.planning.options`, which are LoVR's, and the
presets of the project's protocol.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from annotate.models import Project
from annotate.protocols.protocol import Preset
from inference.errors import InferenceError
from inference.models import ModelSpec
from inference.planning.options import OPTIONS, ScoreRunOptions
from inference.planning.typed_options import Options
from inference.registry import Role, has_role


def paper_of_presets(project: Project, kind: str) -> str:
    """Return the section of the paper that the initial settings come from, or "" for that of the
    kind of run.
    """
    preset = _preset(project, kind)
    return preset.paper if preset else ""


def options_for(project: Project, kind: str, values: Mapping[str, Any] | None = None) -> Options:
    """Return the options of a run: those `given`, and otherwise the presets of the project's
    protocol.

    Raises InferenceError, naming the field.
    """
    preset = _preset(project, kind)
    base = preset.settings if preset else {}
    return OPTIONS[kind].parse({**base, **_without_blanks(values or {})})


def _preset(project: Project, kind: str) -> Preset | None:
    return next((preset for preset in project.pipeline.presets if preset.run == kind), None)


def lovr_score_options(models: Iterable[ModelSpec]) -> ScoreRunOptions:
    """Return the options of EVQAScore as LoVR ran it, as far as its released code says: keywords by
    a text model, every 30th frame, and regions by an object detector. The first fitting one of the
    `models` is taken; without a detector, keywords are compared with whole frames.

    Raises InferenceError without a text model.
    """
    models = list(models)
    namer = next((spec for spec in models if has_role(spec, Role.TEXT)), None)
    detector = next((spec for spec in models if has_role(spec, Role.DETECTOR)), None)
    if namer is None:
        raise InferenceError(
            "It needs a model that names keywords. Add one on the page Models, or bring one back."
        )
    return ScoreRunOptions(
        keyword_model=namer.pk, detector=detector.pk if detector else 0, keywords_at_most=100
    )


def _without_blanks(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values without blanks, so that presets apply; a blank system prompt means none."""
    return {
        name: value
        for name, value in values.items()
        if value is not None and (value != "" or name == "system")
    }

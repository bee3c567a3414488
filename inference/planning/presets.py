"""The initial settings of a run, by the protocol of its project.

CaReBench (section 5.2, `models/modeling_captioners.py`) tests models, so they get 32 frames and one
short prompt, but no metadata of the video. LoVR (section 3.2.1 and "Data annotation") uses models
to write the benchmark's captions, and gives them the theme. TF-CoVR has no model captions; its
encoders see 12 frames, and a theme would reveal the label.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from annotate.models import Project
from inference.errors import InferenceError
from inference.models import InferenceRun, ModelSpec
from inference.planning import prompts
from inference.planning.options import OPTIONS, ScoreRunOptions
from inference.planning.typed_options import Options
from inference.registry import Role, has_role
from inference.sampling import Sampling

Kind = InferenceRun.Kind
Protocol = Project.Protocol


def _model_under_test(frames: int) -> dict[str, dict[str, Any]]:
    """Return CaReBench's settings with this number of frames, for caption and refine runs."""
    prompt_options = {"prompt": prompts.CAREBENCH, "system": "", "use_theme": False}
    sampling = Sampling("middle", count=frames)
    return {
        Kind.CAPTION: {
            **prompt_options,
            "sampling": sampling,
            "temperature": 0.0,
            "top_p": 1.0,
            "repetition_penalty": 1.2,
            "max_tokens": 512,
        },
        Kind.REFINE: {
            **prompt_options,
            "caption_sampling": sampling,
            "repetition_penalty": 1.2,
            "caption_max_tokens": 512,
        },
    }


# LoVR's settings are the defaults of `inference.planning.options`.
_PRESETS: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    Protocol.CAREBENCH: _model_under_test(32),
    Protocol.LOVR: {},
    Protocol.TFCOVR: {
        **_model_under_test(12),
        Kind.EMBED: {"sampling": Sampling("middle", count=12)},
    },
}


# The papers of these settings, if different from the paper of the kind of run.
_PAPERS: Mapping[tuple[str, str], str] = {
    (Protocol.CAREBENCH, Kind.CAPTION): "CaReBench, section 5.2",
    (Protocol.CAREBENCH, Kind.REFINE): "CaReBench, section 5.2",
    (Protocol.TFCOVR, Kind.CAPTION): "CaReBench, section 5.2, with 12 frames as TF-CoVR",
    (Protocol.TFCOVR, Kind.REFINE): "CaReBench, section 5.2, with 12 frames as TF-CoVR",
    (Protocol.TFCOVR, Kind.EMBED): "TF-CoVR, appendix D",
}


def paper_of_presets(project: Project, kind: str) -> str:
    """Return the section of the paper that the initial settings come from, or "" for that of the
    kind of run.
    """
    return _PAPERS.get((project.protocol, kind), "")


def options_for(project: Project, kind: str, values: Mapping[str, Any] | None = None) -> Options:
    """Return the options of a run: those `given`, and otherwise the presets of the project's
    protocol.

    Raises InferenceError, naming the field.
    """
    base = _PRESETS[project.protocol].get(kind, {})
    return OPTIONS[kind].parse({**base, **_without_blanks(values or {})})


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

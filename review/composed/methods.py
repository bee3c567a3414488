"""The ways in which a model here finds the targets of a test query, in TF-CoVR's words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from inference.recipes import ModelRecipe
from inference.sampling import Sampling
from review.composed.forms import BASELINE_NAMES
from review.composed.services import RunFacts

PROMPT, CAPTION = "prompt", "caption"
# TF-CVR's way, in our words: it prints no prompt.
EDIT_CAPTION = """\
A video clip is described like this: {caption}

Somebody is looking for a similar clip with one change: {modification}

Describe the clip that they are looking for. Keep everything that the change leaves as it is. \
Reply with the new description alone."""


class Method(NamedTuple):
    """`has_video`, `has_text`, `fusion`: as TF-CoVR's tables say. `sees`: reads the query clip."""

    label: str
    has_video: bool
    has_text: bool
    fusion: str
    sees: bool


METHODS = {
    PROMPT: Method("Clip and modification in one prompt", True, True, "MLLM", True),
    CAPTION: Method("Caption of the clip, edited by a text model", False, True, "", False),
    "average": Method(BASELINE_NAMES["average"], True, True, "Avg", True),
    "query": Method(BASELINE_NAMES["query"], True, False, "", True),
    "text": Method(BASELINE_NAMES["text"], False, True, "", False),
}


@dataclass(frozen=True)
class RankingParameters:
    """What decides a ranking. `triplets`: the set's key; `space`, `gallery`: the vectors of the
    gallery and their frames; `sampling`: the frames of the query clip; `writer`, `prompt`: the text
    model that edits captions, and its question.
    """

    triplets: int
    method: str
    facts: RunFacts
    encoder: ModelRecipe
    space: str
    gallery: dict[str, object]
    sampling: Sampling | None = None
    writer: ModelRecipe | None = None
    prompt: str = ""

"""The options of each kind of run, with LoVR's values as defaults; `inference.planning.presets` has
those of the other protocols.

`parse` takes a dict from a form or command and raises InferenceError naming the field; `as_dict` is
the part of the run's recipe, and so of its hash.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

from inference.backends.protocols import Generation
from inference.cut_detectors import CONTENT, CUT_DETECTORS
from inference.errors import InferenceError
from inference.planning import prompts
from inference.planning.typed_options import Options
from inference.sampling import Sampling

# Bounds of text generation, for all kinds of run.
DRAWN = {"temperature": (0, 2), "top_p": (1e-6, 1), "seed": (0, 2**31 - 1)}


@dataclass(frozen=True)
class SegmentOptions(Options):
    """LoVR, section 3.1 and its released segmentation script. Without a threshold, it is the
    detector's own.
    """

    min_video_seconds: float = 900.0
    threshold: float = CUT_DETECTORS[CONTENT].threshold
    min_scene_seconds: float = 5.0
    min_clips: int = 40
    downscale: int = 3
    cut_detector: str = CONTENT

    CHOICES = {"cut_detector": tuple(CUT_DETECTORS)}
    BOUNDS = {
        "min_video_seconds": (0, 86_400),
        "threshold": (0.01, 255),
        "min_scene_seconds": (0, 600),
        "min_clips": (1, 10_000),
        "downscale": (1, 16),
    }

    @classmethod
    def parse(cls, values: Mapping[str, Any]) -> Self:
        made = super().parse(values)
        own = CUT_DETECTORS[made.cut_detector]
        if values.get("threshold") in (None, ""):
            made = replace(made, threshold=own.threshold)
        if not own.least <= made.threshold <= own.most:
            raise InferenceError(
                f"Threshold is {made.threshold:g}. Keep it between {own.least:g} and {own.most:g} "
                f"for {own.label}, or leave it empty for {own.threshold:g}."
            )
        return made

    def as_dict(self) -> dict[str, Any]:
        """Leave out ContentDetector, so that earlier runs keep their recipes."""
        data = super().as_dict()
        if self.cut_detector == CONTENT:
            del data["cut_detector"]
        return data


@dataclass(frozen=True)
class DescribeOptions(Options):
    """A captioner's prompt and settings, and the frames that it sees."""

    prompt: str = prompts.CAPTION
    system: str = prompts.CAPTION_SYSTEM
    sampling: Sampling = field(default_factory=lambda: Sampling("seconds", low=8, high=64))
    longest_side: int = 768
    temperature: float = 0.9
    top_p: float = 0.001
    repetition_penalty: float = 1.05
    max_tokens: int = 1024
    seed: int = 0

    BOUNDS = {
        "longest_side": (64, 4096),
        **DRAWN,
        "repetition_penalty": (0.5, 2),
        "max_tokens": (1, 16_384),
    }

    @property
    def generation(self) -> Generation:
        return Generation(
            temperature=self.temperature,
            top_p=self.top_p,
            repetition_penalty=self.repetition_penalty,
            max_tokens=self.max_tokens,
            seed=self.seed,
        )


@dataclass(frozen=True)
class CaptionOptions(DescribeOptions):
    use_theme: bool = True


@dataclass(frozen=True)
class ThemeOptions(DescribeOptions):
    """LoVR, section 3.3. It prints neither prompt nor settings, so those of its captions apply."""

    prompt: str = prompts.NAME_THEME
    max_tokens: int = 64


@dataclass(frozen=True)
class EmbedOptions(Options):
    """`of`: what is embedded. "Videos" are whole videos that are cut into clips; captions are the
    current ones of their kind, and `captions` the general ones.
    """

    of: str = "clips"
    sampling: Sampling = field(default_factory=lambda: Sampling("middle", count=32))

    CHOICES = {"of": ("clips", "videos", "captions", "spatial", "temporal", "full_video")}
    TEXTS: ClassVar[Mapping[str, str]] = {
        "captions": "general",
        "spatial": "spatial",
        "temporal": "temporal",
        "full_video": "full_video",
    }

    @property
    def caption_kind(self) -> str:
        """Return the kind of the embedded captions; empty for pictures."""
        return self.TEXTS.get(self.of, "")


@dataclass(frozen=True)
class ScoreOptions(Options):
    """EVQAScore; `keyword_model` is the key of a text model, 0 takes keywords by TF-IDF; `detector`
    that of an object detector, 0 compares keywords with whole frames.
    """

    variant: str = "v3"
    sampling: Sampling = field(default_factory=lambda: Sampling("every", step=30))
    keyword_model: int = 0
    detector: int = 0
    keywords_at_most: int = 20
    temperature: float = 0.9
    top_p: float = 0.9
    max_tokens: int = 256
    seed: int = 0

    CHOICES = {"variant": ("v3", "v1")}
    BOUNDS = {
        "keywords_at_most": (1, 100),
        **DRAWN,
        "max_tokens": (1, 4096),
    }

    @classmethod
    def parse(cls, values: Mapping[str, Any]) -> Self:
        made = super().parse(values)
        if made.detector and made.variant != "v3":
            raise InferenceError("EVQAScore v1 compares whole frames. Choose v3, or no detector.")
        return made

    def as_dict(self) -> dict[str, Any]:
        """Leave out what scores of whole frames don't have, so that they keep their recipes."""
        data = super().as_dict()
        if not self.detector:
            del data["detector"]
        return data

    @property
    def generation(self) -> Generation:
        return Generation(
            temperature=self.temperature,
            top_p=self.top_p,
            max_tokens=self.max_tokens,
            seed=self.seed,
        )


@dataclass(frozen=True)
class ScoreRunOptions(ScoreOptions):
    """`of`: whether a score run scores captions of clips or of whole videos."""

    of: str = "captions"

    CHOICES = {**ScoreOptions.CHOICES, "of": ("captions", "full_video")}

    def as_dict(self) -> dict[str, Any]:
        """Leave out what scores of clips' captions don't have, so that they keep their recipes."""
        data = super().as_dict()
        if self.of == "captions":
            del data["of"]
        return data


@dataclass(frozen=True)
class RefineOptions(ScoreOptions):
    """LoVR, section 3.2.2: regenerate under the threshold, at most `attempts` times."""

    attempts: int = 3
    prompt: str = prompts.CAPTION
    system: str = prompts.CAPTION_SYSTEM
    use_theme: bool = True
    caption_sampling: Sampling = field(default_factory=lambda: Sampling("seconds", low=8, high=64))
    longest_side: int = 768
    caption_temperature: float = 0.9
    caption_top_p: float = 1.0
    repetition_penalty: float = 1.05
    caption_max_tokens: int = 1024

    BOUNDS = {
        **ScoreOptions.BOUNDS,
        "attempts": (1, 10),
        "longest_side": (64, 4096),
        "caption_temperature": (0, 2),
        "caption_top_p": (1e-6, 1),
        "repetition_penalty": (0.5, 2),
        "caption_max_tokens": (1, 16_384),
    }

    def caption_generation(self, attempt: int) -> Generation:
        """Return the generation settings of an attempt. Each attempt has its own seed, because
        otherwise a retry would repeat the failure.
        """
        return Generation(
            temperature=self.caption_temperature,
            top_p=self.caption_top_p,
            repetition_penalty=self.repetition_penalty,
            max_tokens=self.caption_max_tokens,
            seed=self.seed + attempt,
        )


@dataclass(frozen=True)
class FuseOptions(Options):
    """LoVR, section 3.2.3."""

    prompt: str = prompts.JOIN
    system: str = prompts.JOIN_SYSTEM
    tries: int = 3
    temperature: float = 0.5
    top_p: float = 1.0
    max_tokens: int = 1024
    seed: int = 0

    BOUNDS = {
        "tries": (1, 10),
        **DRAWN,
        "max_tokens": (1, 16_384),
    }

    @classmethod
    def parse(cls, values: Mapping[str, Any]) -> Self:
        made = super().parse(values)
        if sorted(prompts.JOINT.findall(made.prompt)) != ["first", "second"]:
            raise InferenceError(
                "Prompt: write {first} and {second} once each, where the two paragraphs belong."
            )
        return made

    def generation(self, attempt: int) -> Generation:
        return Generation(
            temperature=self.temperature,
            top_p=self.top_p,
            max_tokens=self.max_tokens,
            seed=self.seed + attempt,
        )


OPTIONS: Mapping[str, type[Options]] = {
    "segment": SegmentOptions,
    "theme": ThemeOptions,
    "caption": CaptionOptions,
    "embed": EmbedOptions,
    "score": ScoreRunOptions,
    "refine": RefineOptions,
    "fuse": FuseOptions,
}

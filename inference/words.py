"""Names of kinds of run, their settings and their states, for people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from inference.cut_detectors import CUT_DETECTORS
from inference.models import InferenceRun
from inference.registry import Role

Kind = InferenceRun.Kind


@dataclass(frozen=True)
class KindWords:
    """`noun`: what it works on, singular and plural. `paper`: where the step is described."""

    label: str
    does: str
    paper: str
    noun: tuple[str, str]


KINDS: Mapping[str, KindWords] = {
    Kind.SEGMENT: KindWords(
        "Segment",
        "Cuts long videos into clips where the picture changes.",
        "LoVR, section 3.1",
        ("video", "videos"),
    ),
    Kind.THEME: KindWords(
        "Theme",
        "A model names what each whole video is about. Caption prompts can tell it.",
        "LoVR, section 3.3",
        ("video", "videos"),
    ),
    Kind.CAPTION: KindWords(
        "Caption",
        "A model describes every clip.",
        "LoVR, section 3.2.1",
        ("clip", "clips"),
    ),
    Kind.EMBED: KindWords(
        "Embed",
        "Turns clips or captions into vectors that can be searched.",
        "CaReBench, section 4; LoVR, section 4",
        ("item", "items"),
    ),
    Kind.SCORE: KindWords(
        "Score",
        "Measures how well the current caption of each clip, or of each whole video, fits it "
        "(EVQAScore).",
        "LoVR, section 3.2.2",
        ("caption", "captions"),
    ),
    Kind.REFINE: KindWords(
        "Refine",
        "Rewrites captions below the threshold with the next model in the list, and gives those "
        "that stay below it to a person.",
        "LoVR, section 3.2.2",
        ("clip", "clips"),
    ),
    Kind.FUSE: KindWords(
        "Fuse",
        "Joins the captions of a video's clips into one caption of the whole video.",
        "LoVR, section 3.2.3",
        ("video", "videos"),
    ),
}

# What a run can be limited to: the choice, and which subjects are then left out.
SCOPES: Mapping[str, Mapping[str, tuple[str, str]]] = {
    Kind.SEGMENT: {"missing": ("Only videos that no run has cut", "that a run has read")},
    Kind.THEME: {"missing": ("Only videos without a theme", "with a theme")},
    Kind.CAPTION: {
        "missing": (
            "Only clips without a caption, except those to be written by hand",
            "with a caption, or to be written by hand,",
        ),
        "outdated": (
            "Only clips whose caption is out of date",
            "whose caption isn’t out of date",
        ),
        "few": ("Five clips, to try the model", "beyond the first five"),
    },
    Kind.SCORE: {
        "missing": ("Only model captions without a score of this kind", "by people or with a score")
    },
    Kind.REFINE: {
        "missing": (
            "Only clips that no refine run has given to people",
            "that people write or wrote by hand",
        )
    },
    Kind.FUSE: {
        "missing": ("Only videos without a caption of the whole video", "with such a caption"),
        "outdated": ("Only videos whose caption is out of date", "whose caption isn’t out of date"),
    },
}

EVERYTHING = "Everything"


def scope_label(kind: str, scope: str) -> str:
    """Return what a run of this kind and scope works on."""
    return SCOPES[kind][scope][0] if scope else EVERYTHING


# The subjects of the option "of", within a sentence.
SUBJECTS: Mapping[str, str] = {
    "clips": "clips",
    "videos": "whole videos",
    "captions": "captions",
    "spatial": "spatial captions",
    "temporal": "temporal captions",
    "full_video": "captions of whole videos",
}

CAN: Mapping[str, str] = {
    Role.CAPTIONER: "describes clips",
    Role.ENCODER: "makes vectors",
    Role.TEXT: "names keywords",
    Role.JOINER: "joins texts",
    Role.JUDGE: "finds and judges elements",
    Role.DETECTOR: "finds regions of frames",
    Role.CUTTER: "finds cuts",
}

WHY_STALE: Mapping[str, str] = {
    "code": "the program was improved",
    "model": "the model was changed",
    "words": "words were counted again",
    "threshold": "the threshold was changed",
    "prompt": "the prompt was changed",
    "sampling": "the choice of frames was changed",
    "theme": "the theme of the video was changed",
    "seed": "the seed was changed",
    "options": "the settings were changed",
    "input": "the captions or clips that they were made from are out of date",
}

PARTS_REPLACED = "the caption of a clip has been replaced since they were joined"


def counted(number: int, nouns: tuple[str, str]) -> str:
    return f"{number:,} {nouns[number != 1]}"


# The labels of these settings in score runs, whose model is the one for keywords.
_OF_SCORES: Mapping[str, str] = {
    "of": "What to score",
    "sampling": "Frames for the score",
    "temperature": "Temperature of keywords",
    "top_p": "Top-p of keywords",
    "max_tokens": "Longest answer with keywords",
}


def label_of(setting: str, kind: str) -> str:
    """Return the label of a setting, also of one that only old recipes have."""
    if kind in {Kind.SCORE, Kind.REFINE} and setting in _OF_SCORES:
        return _OF_SCORES[setting]
    words = SETTINGS.get(setting)
    return words[0] if words else setting.replace("_", " ").capitalize()


OWN_THRESHOLDS = ", ".join(f"{own.threshold:g} ({name})" for name, own in CUT_DETECTORS.items())
# The label and help of each setting; the default is added to the help.
SETTINGS: Mapping[str, tuple[str, str]] = {
    "min_video_seconds": ("Shortest video", "Seconds. Shorter videos are left out."),
    "cut_detector": ("Detector", ""),
    "threshold": (
        "Cut threshold",
        "How much the picture must change. Lower: more cuts, except of fades. Empty: "
        f"{OWN_THRESHOLDS}.",
    ),
    "min_scene_seconds": ("Shortest clip", "Seconds."),
    "min_clips": ("Fewest clips", "Videos cut into fewer are left out."),
    "downscale": ("Shrink frames by", "Faster, and less exact, when higher."),
    "prompt": ("Prompt", "The instruction to the model."),
    "system": ("System prompt", "The role of the model."),
    "use_theme": (
        "Tell the model what the whole video is about",
        "Its theme, or its category while it has none. Such captions are marked “told the theme” "
        "wherever models are compared.",
    ),
    "sampling": ("Frames", ""),
    "caption_sampling": ("Frames for new captions", ""),
    "longest_side": ("Longer side of a frame", "Pixels at most."),
    "temperature": ("Temperature", "0 gives the same answer each time."),
    "top_p": ("Top-p", "Only the most likely words, up to this total probability."),
    "repetition_penalty": ("Repetition penalty", "Above 1: repeats itself less."),
    "max_tokens": ("Longest answer", "Tokens."),
    "seed": ("Seed", "The same seed gives the same answer again."),
    "of": ("What to embed", ""),
    "variant": ("Variant", ""),
    "keyword_model": ("Keywords by", ""),
    "detector": ("Regions by", ""),
    "keywords_at_most": ("Most keywords", "For each caption."),
    "attempts": ("Most attempts", "Failed ones; then a person writes the caption."),
    "caption_temperature": ("Temperature of new captions", "Above 0, or a retry repeats itself."),
    "caption_top_p": (
        "Top-p of new captions",
        "Only the most likely words, up to this total probability.",
    ),
    "caption_max_tokens": ("Longest new caption", "Tokens."),
    "tries": ("Tries for each joint", "Then both paragraphs stay as they are, and are flagged."),
}
# Settings with another meaning in one kind of run.
HELP_OF: Mapping[tuple[str, str], str] = {
    (Kind.FUSE, "prompt"): "The instruction for every joint. {first} and {second} are replaced by "
    "the paragraphs before and after it; write each once. The answer must have two paragraphs.",
}

CHOICES: Mapping[str, Mapping[str, str]] = {
    "cut_detector": {name: own.choice for name, own in CUT_DETECTORS.items()},
    "of": {
        "clips": "Clips",
        "videos": "Whole videos that are cut into clips",
        "captions": "The current caption of each clip",
        "spatial": "Spatial captions",
        "temporal": "Temporal captions",
        "full_video": "Captions of whole videos",
    },
    "variant": {
        "v3": "v3, as LoVR uses it",
        "v1": "v1, the first version of the paper",
    },
}

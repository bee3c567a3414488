"""Two presets for the choices that the paper leaves open, or that its code makes differently.

"Code" means CaReBench's `utils/dream_gpt.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

# The human captions that the prediction is judged against.
REFERENCES = {
    "split": "events from the temporal caption, objects from the spatial caption",
    "full": "events and objects from the full caption",
}


@dataclass(frozen=True)
class Preset:
    """`references`: a key of REFERENCES, recorded here and applied by the caller. `most_elements`:
    the limit in the extraction's prompt, or None. A longer list counts in full and is reported.
    `empty`: the score of a list without elements, or None to leave it out of the mean.
    `drop_samples`: whether a sample with any failed list is left out entirely; otherwise only the
    failed list is.

    Raises ValueError for unknown `references`, a limit below 1, and an `empty` outside 0 to 1.
    """

    name: str
    references: str
    most_elements: int | None
    empty: float | None
    drop_samples: bool

    def __post_init__(self) -> None:
        if self.references not in REFERENCES:
            raise ValueError(f"references is {self.references!r}; give {' or '.join(REFERENCES)}")
        if self.most_elements is not None and self.most_elements < 1:
            raise ValueError(f"most_elements is {self.most_elements}; give 1 or more, or None")
        if self.empty is not None and not 0 <= self.empty <= 1:
            raise ValueError(f"empty is {self.empty}; give a share from 0 to 1, or None")


DEFAULT = Preset("default", "split", most_elements=None, empty=None, drop_samples=False)
OFFICIAL = Preset("official", "full", most_elements=10, empty=1.0, drop_samples=True)
PRESETS = {preset.name: preset for preset in (DEFAULT, OFFICIAL)}


def preset_of(preset: str | Preset) -> Preset:
    """Return the preset, looked up if given by name. Raises ValueError for an unknown name."""
    if isinstance(preset, Preset):
        return preset
    if preset not in PRESETS:
        raise ValueError(f"there is no preset {preset!r}; give {' or '.join(PRESETS)}")
    return PRESETS[preset]


@dataclass(frozen=True)
class Difference:
    """One choice of the paper, of its code and the preset "official", and of the preset "default",
    each as a sentence for a page.
    """

    about: str
    paper: str
    official: str
    default: str

    def __str__(self) -> str:
        return (
            f"{self.about}. Paper: {self.paper} Official: {self.official} Default: {self.default}"
        )


def differences() -> tuple[Difference, ...]:
    """Return all choices in which the paper, its code and Vericap differ."""
    return _DIFFERENCES


_DIFFERENCES = (
    Difference(
        about="Reference texts",
        paper="Events come from the temporal captions, objects from the spatial captions.",
        official="The full caption is the reference for both.",
        default="As in the paper.",
    ),
    Difference(
        about="Names of recall and precision",
        paper="Equation 2 divides R by the predicted elements and P by those of the reference; "
        "the tables do not follow it.",
        official="Recall is over the elements of the reference, precision over those of the "
        "prediction, as in the tables.",
        default="As in the code and the tables.",
    ),
    Difference(
        about="Number of elements",
        paper="No limit is named; appendix E has 10.76 objects on average.",
        official="The model is asked for ten at most. A longer list is counted whole, and "
        "reported here.",
        default="No limit.",
    ),
    Difference(
        about="A text without elements",
        paper="Not said.",
        official="It scores 1.0, so an empty prediction has perfect precision.",
        default="It is left out of that mean, and the number of such texts is reported.",
    ),
    Difference(
        about="An element named twice",
        paper="Not said.",
        official="The code counts it twice. Here it counts once.",
        default="It counts once.",
    ),
    Difference(
        about="Prompts and replies",
        paper="The model is DeepSeek-V3; the prompts are not printed.",
        official="The code sends lower-case texts, uses the server's own temperature, and repairs "
        "replies that aren't JSON. Here the prompts differ unless an admin loads the code's from "
        "a file, the texts are unchanged, the "
        "temperature is 0, and nothing is repaired.",
        default="Always Vericap's own prompts.",
    ),
    Difference(
        about="No usable answer from the model",
        paper="Not said.",
        official="The sample is left out of all means, and the number of such samples is reported: "
        "in the code after ten attempts, here after four.",
        default="After four attempts only the list without an answer is left out, and the number "
        "of such lists is reported.",
    ),
    Difference(
        about="An unknown relationship",
        paper="Not said.",
        official="It counts as no usable answer, as in the code.",
        default="It counts as no usable answer.",
    ),
    Difference(
        about="F1 if recall and precision are both 0",
        paper="Not said.",
        official="The code stops with a division by zero. Here F1 is 0.",
        default="F1 is 0, the limit of the formula. It is undefined only if recall or "
        "precision is.",
    ),
    Difference(
        about="Overall",
        paper="The tables give the mean over all samples, not the mean of the categories.",
        official="The code takes the unweighted mean over its groups, but puts every sample in "
        "one group. Here it is the mean over all samples that were not left out.",
        default="The mean over all samples.",
    ),
    Difference(
        about="Uncertainty",
        paper="Not given.",
        official="The code gives none. Here each number has a 95 % interval over clips.",
        default="Each number has a 95 % interval over clips.",
    ),
)

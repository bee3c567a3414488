"""What the families of video-language models need to be told; plain data.

`before` and `after` are the texts around each frame that is shown as a picture, in the family's own
words where it writes times: {number} from 1, {seconds}, and {clock} as minutes:seconds. `pictures`:
settings of the picture processor with which a frame is a single tile, as in a video. `is_packed`:
the pixels of all pictures lie side by side in one row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Family:
    before: str = "<{seconds:.1f} seconds>"
    after: str = ""
    pictures: Mapping[str, Any] = field(default_factory=dict)
    is_packed: bool = False


OTHER = Family()
FAMILIES: Mapping[str, Family] = {
    "gemma4": Family("{clock} ", " "),
    "glm46v": Family("", "{seconds:.1f} seconds"),
    "glm4v": Family("", "{seconds:.1f} seconds"),
    "glm4v_moe": Family("", "{seconds:.1f} seconds"),
    "internvl": Family(
        "Frame{number} ({seconds:.1f} seconds): ", "\n", {"crop_to_patches": False}
    ),
    "minicpmv4_6": Family(
        pictures={"slice_mode": False, "use_image_id": False}, is_packed=True
    ),
    "molmo2": Family("{seconds:.1f} ", " "),
    "smolvlm": Family("\nFrame from {clock}:", "", {"do_image_splitting": False}),
    "video_llama_3": Family("Time {seconds:.1f}s:", ","),
}  # fmt: skip


def around(family: Family, number: int, seconds: float) -> tuple[str, str]:
    """Return the texts before and after frame `number` at `seconds`."""
    clock = f"{int(seconds // 60):02d}:{int(seconds % 60):02d}"
    values = {"number": number, "seconds": seconds, "clock": clock}
    return family.before.format(**values), family.after.format(**values)

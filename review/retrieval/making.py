"""How long vectors took to make: decoding and embedding, item by item (LoVR, section 4.1.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from annotate.models import Project
from review.retrieval.queries import GALLERY_OF, Setting, rows_of


@dataclass(frozen=True)
class Making:
    """The `n` vectors of one part: the seconds of decoding and of the model over the `n_timed` with
    stored times. `devices`: device -> its vectors among these.
    """

    n: int
    n_timed: int
    read_seconds: float
    compute_seconds: float
    devices: Mapping[str, int]

    @property
    def is_whole(self) -> bool:
        return 0 < self.n == self.n_timed


def making_of(project: Project, setting: Setting, part: str) -> Making:
    """Add up the times of the part's vectors; those of files have none."""
    thing = "caption" if part in GALLERY_OF else "clip"
    rows = rows_of(project, setting, part).order_by("pk")
    if setting.vector_set is not None:
        return Making(rows.values(thing).distinct().count(), 0, 0.0, 0.0, {})
    # Rows come oldest first, so that the newest vector of each item counts.
    times = rows.values_list(
        thing, "item__read_seconds", "item__compute_seconds", "item__device"
    ).iterator(chunk_size=10_000)
    newest = {key: rest for key, *rest in times}
    timed = [rest for rest in newest.values() if None not in rest[:2]]
    return Making(
        n=len(newest),
        n_timed=len(timed),
        read_seconds=sum(read for read, _, _ in timed),
        compute_seconds=sum(compute for _, compute, _ in timed),
        devices=dict(Counter(device for _, _, device in timed)),
    )

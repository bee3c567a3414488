"""The order of the keys in a release's stored JSON.

SQLite keeps the order in which a build writes them, and PostgreSQL has its own. The files get the
same bytes from both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from annotate.corpus.conversions import CONVERSIONS, KINDS
from inference.planning.options import SegmentOptions
from inference.sampling import Sampling
from review.releases.statements import IDENTIFIED, SIGNED_OFF_BY
from review.releases.triplet_content import SPLITS
from review.releases.triplet_plan import VectorChoice

# Each object's keys, and those of nested objects, in the order in which builds write them.
CLIP = (
    *("licence", "source_url", "source_sha256", "frames", "fps", CONVERSIONS, *KINDS),
    *("source_name", "source_start_frame", "source_end_frame"),
    *("captions_from", "written_by", "merged_by", "split_by"),
    *(SIGNED_OFF_BY, IDENTIFIED, "right", "picks", "guessed"),
)
VIDEO = (
    *("licence", "source_name", "source_url", "source_sha256", "frames", "fps"),
    *(CONVERSIONS, *KINDS),
    *("segmented_with", *(option.name for option in fields(SegmentOptions))),
    *("place", "first_frame", "end_frame", "start", "end"),
)
TEXT = (
    *("made", "decided_by", "model", "prompt", "imported_from", "edited_from", "pair_verdicts"),
)
FACTS = (
    *("set", "generated"),
    *("seed", "most_targets", "other_sources", "test_queries"),
    *("most_per_query", "most_per_direction", "train_triplets"),
    *("queries", "verified", "triplets", *SPLITS, "cut_to_loader"),
    *("vectors", *(fact.name for fact in fields(VectorChoice))),
    *(rule.name for rule in fields(Sampling)),
)


def in_order(stored: Any, names: Sequence[str]) -> Any:
    """Return stored JSON with the keys of all objects in the order of `names`, and then any others
    by name."""
    place = {name: number for number, name in enumerate(names)}

    def ordered(value: Any) -> Any:
        if isinstance(value, Mapping):
            keys = sorted(value, key=lambda key: (place.get(key, len(place)), key))
            return {key: ordered(value[key]) for key in keys}
        return [ordered(each) for each in value] if isinstance(value, list) else value

    return ordered(stored)

"""The changes of the next release in TF-CoVR's form: queries, and their labels, clips and texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from review.frozen.models import Release
from review.releases.difference import Difference, compare
from review.releases.frozen_triplets import frozen_content
from review.releases.triplet_content import SPLITS, TripletContent
from review.releases.triplet_plan import TripletPlan
from review.releases.triplet_tally import Tally, content_of, query_name

VECTORS = "vectors of the clips"


def triplet_difference(plan: TripletPlan, tally: Tally, previous: Release | None) -> Difference:
    """Compare the next release with the previous one. Without a previous one, all queries are
    added, and their labels, clips and texts aren't named."""
    if previous is None or previous.format != Release.Format.TFCOVR:
        return compare(tally.contents, {})
    vectors: Mapping[str, Any] | None = plan.vector_choice.facts if plan.vector_choice else None
    now = tally.contents | _parts(plan.content(), vectors)
    content = frozen_content(previous, has_withdrawn=True)
    before = _parts(content, (previous.triplet_facts or {}).get("vectors"))
    for split in SPLITS:
        for query in content.queries(split):
            before[query_name(query.row)] = content_of(query)
    return compare(now, before)


def _parts(content: TripletContent, vectors: Mapping[str, Any] | None) -> dict[str, object]:
    parts: dict[str, object] = {f"label {label.key}": label for label in content.labels}
    parts |= {f"clip {clip.name}": clip for clip in content.clips}
    parts |= {f"text from {text.source} to {text.target}": text for text in content.texts}
    return parts | ({VECTORS: vectors} if vectors else {})

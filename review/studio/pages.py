"""The release studio: what the next release would contain, and what to check first."""

from __future__ import annotations

from typing import Any

from annotate.models import Membership, Project
from review.releases.gates.findings import gate_states
from review.releases.gates.triplets import Triplets
from review.releases.pages import build_context
from review.releases.queries import described_clips, latest_release, next_release
from review.studio.forms import BuildForm, GatesForm
from review.verification.completeness import progress_of

Context = dict[str, Any]
NAMED = 20


def studio_context(
    membership: Membership, *, form: BuildForm | None = None, gates: GatesForm | None = None
) -> Context:
    project = membership.project
    previous = latest_release(project)
    states = gate_states(project)
    following = next_release(project, previous, states)
    difference = following.difference
    is_lovr = project.protocol == Project.Protocol.LOVR
    content = following.content
    is_triplets = isinstance(content, Triplets)
    return {
        "has_triplets": is_triplets,
        "triplets": content.plan.triplets if is_triplets and content.plan else None,
        "tally": content.tally if is_triplets else None,
        "is_lovr": is_lovr,
        "described": described_clips(project) if is_lovr else None,
        "progress": None
        if is_lovr or is_triplets
        else progress_of(project, complete=len(following.rows)),
        "previous": previous,
        "following": following,
        "changes": [
            ("added", difference.added[:NAMED], len(difference.added)),
            ("changed", difference.changed[:NAMED], len(difference.changed)),
            ("removed", difference.removed[:NAMED], len(difference.removed)),
        ],
        "gates_form": gates or GatesForm(states=states),
        "form": form or BuildForm(initial={"version": str(following.suggested)}),
        **build_context(membership),
    }

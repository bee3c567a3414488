"""The gates of each protocol, in the order of the page."""

from __future__ import annotations

from annotate.models import Project
from review.releases.gates import clips, scenes, triplets
from review.releases.gates.gate import Gate

GATES: dict[str, tuple[Gate, ...]] = {
    Project.Protocol.CAREBENCH: clips.GATES,
    Project.Protocol.LOVR: scenes.GATES,
    Project.Protocol.TFCOVR: triplets.GATES,
}


def gates_of(project: Project) -> tuple[Gate, ...]:
    return GATES[project.protocol]

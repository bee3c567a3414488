"""The gates of each protocol, a project's settings of them, and their findings."""

from __future__ import annotations

from collections.abc import Sequence

from annotate.models import Project
from review.errors import ReviewError
from review.releases.gates import clips, scenes, triplets
from review.releases.gates.gate import Finding, Gate, GateState
from review.releases.gates.shared import Content
from review.releases.models import GateSetting, Level

# By what a release freezes. A protocol says which of them it has, in the order of the page.
GATES: dict[str, dict[str, Gate]] = {
    content: {gate.name: gate for gate in gates}
    for content, gates in (
        ("clips", clips.GATES),
        ("scenes", scenes.GATES),
        ("triplets", triplets.GATES),
    )
}


def gate_states(project: Project) -> list[GateState]:
    """Return the gates of the project's protocol with their level and limit. One statement."""
    settings = {setting.gate: setting for setting in GateSetting.objects.filter(project=project)}
    plan = project.pipeline.release
    gates = GATES[plan.content]
    return [_state(project, gates[name], settings.get(name)) for name in plan.gates]


def _state(project: Project, gate: Gate, setting: GateSetting | None) -> GateState:
    default = gate.limit.default if gate.limit else 0
    if gate.fixed:
        return GateState(gate, gate.fixed(project), default)
    if setting is None:
        return GateState(gate, gate.level, default)
    limit = default if setting.limit is None else setting.limit
    return GateState(gate, Level(setting.level), limit)


def look(content: Content, states: Sequence[GateState]) -> list[Finding]:
    """Return what each gate finds that is not off."""
    return [
        Finding(state, state.gate.find(content, state.limit))
        for state in states
        if state.level != Level.OFF
    ]


def refuse_blocked(content: Content) -> None:
    """Raise ReviewError if a gate that blocks finds something. It looks through no others."""
    states = [state for state in gate_states(content.project) if state.level == Level.BLOCK]
    blocks = [finding for finding in look(content, states) if finding.blocks]
    if blocks:
        raise ReviewError(" ".join(finding.sentence for finding in blocks))

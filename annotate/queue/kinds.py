"""Which kinds of human work a project has."""

from __future__ import annotations

from collections.abc import Collection

from annotate.models import Project, WorkItem

Kind = WorkItem.Kind

KINDS_OF = {
    Project.Protocol.CAREBENCH: (Kind.WRITE, Kind.MERGE, Kind.SPLIT),
    Project.Protocol.LOVR: (Kind.DYNAMICS, Kind.HAND, Kind.VERIFY, Kind.RATE),
    Project.Protocol.TFCOVR: (Kind.PAIR, Kind.MODIFY, Kind.TRIPLET),
}
# Of these a clip has one work item for each of its captions; of the others it has one.
ABOUT_CAPTIONS = {Kind.VERIFY, Kind.RATE}


def kinds_of(project: Project, there: Collection[str] = ()) -> list[Kind]:
    """The kinds that the project's protocol asks for, and those of which work is `there` already,
    from an earlier protocol; in the order of the work."""
    asked_for = {*KINDS_OF[Project.Protocol(project.protocol)], *there}
    if Kind.SPLIT in asked_for and project.sign_offs:
        asked_for.add(Kind.SIGNOFF)
    return [kind for kind in Kind if kind in asked_for]

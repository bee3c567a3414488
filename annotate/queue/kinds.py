"""The kinds of human work in a project."""

from __future__ import annotations

from collections.abc import Collection

from annotate.models import Project, WorkItem

Kind = WorkItem.Kind

KINDS_OF = {
    Project.Protocol.CAREBENCH: (Kind.WRITE, Kind.MERGE, Kind.SPLIT),
    Project.Protocol.LOVR: (Kind.DYNAMICS, Kind.HAND, Kind.VERIFY, Kind.RATE),
    Project.Protocol.TFCOVR: (Kind.PAIR, Kind.MODIFY, Kind.TRIPLET),
}
# A clip has one item of these kinds per caption, and one item of each other kind.
ABOUT_CAPTIONS = {Kind.VERIFY, Kind.RATE}


def kinds_of(project: Project, in_use: Collection[str] = ()) -> list[Kind]:
    """Return the kinds of the project's protocol, and those with work from an earlier protocol
    (`there`), in the order of the work."""
    asked_for = {*KINDS_OF[Project.Protocol(project.protocol)], *in_use}
    if Kind.SPLIT in asked_for and project.sign_offs:
        asked_for.add(Kind.SIGNOFF)
    return [kind for kind in Kind if kind in asked_for]


# Their own services reserve this work for people, so nobody assigns it by hand.
RESERVED_BY_THEMSELVES = (Kind.COMPARE, Kind.IDENTIFY, Kind.DYNAMICS)

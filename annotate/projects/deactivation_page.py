"""The context of the page that deactivates a member."""

from __future__ import annotations

from typing import Any

from annotate.models import Assignment, Membership, WorkItem
from annotate.projects.forms.deactivation import DeactivateForm
from annotate.queue.services.handing_on import open_work_of, reserved_work_of
from annotate.queue.work_kinds import name_work
from annotate.tokens.queries import usable_tokens

MAX_LISTED = 50


def deactivation_context(
    membership: Membership, member: Membership, form: DeactivateForm
) -> dict[str, Any]:
    """Return the open work of `member`, by clip and kind without its drafts: the admin may still do
    such work."""
    project, person = membership.project, member.user
    purpose = WorkItem.Purpose.WORK
    holds = open_work_of(person, project).filter(item__purpose=purpose)
    reserved = reserved_work_of(person, project)
    listed = list(holds.select_related("item__clip").defer("watched")[:MAX_LISTED])
    listed_items = list(reserved.select_related("clip")[:MAX_LISTED])
    name_work([*(hold.item for hold in listed), *listed_items])
    return {
        "membership": membership,
        "project": project,
        "member": member,
        "form": form,
        "holds": listed,
        "hold_count": holds.count(),
        "reserved": listed_items,
        "reserved_count": reserved.count(),
        "drafts": Assignment.objects.filter(annotator=person, item__project=project)
        .exclude(state=Assignment.State.SUBMITTED)
        .exclude(draft={})
        .count(),
        "tokens": usable_tokens(member).count(),
    }

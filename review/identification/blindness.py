"""Hide the captions of clips from those who could still be asked to identify the clips by them."""

from __future__ import annotations

from annotate.access import ROLES_FOR_KIND
from annotate.models import Membership, WorkItem
from annotate.sql import Condition


def hide_texts_to_identify(membership: Membership) -> Condition | None:
    """Hide the captions of each clip of the running test until it ends, unless the person has
    worked on the clip, so that they are not asked about it."""
    if not membership.has_role(*ROLES_FOR_KIND[WorkItem.Kind.IDENTIFY]):
        return None
    return Condition(
        """
        EXISTS (
            SELECT 1
            FROM review_testedtext tested
            JOIN review_identificationtest test ON test.id = tested.test_id
            WHERE tested.clip_id = {clip_id} AND test.project_id = %(project)s
              AND test.ended_at IS NULL
        )
        AND NOT EXISTS (
            SELECT 1
            FROM annotate_workitem done
            JOIN annotate_assignment a ON a.item_id = done.id
            WHERE done.clip_id = {clip_id} AND done.kind <> 'identify'
              AND a.annotator_id = %(person)s
        )
        """,
        person=membership.user_id,
        project=membership.project_id,
    )

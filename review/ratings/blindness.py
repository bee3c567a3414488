"""Hide the author or model of a caption, and its scores, from people who could still rate it."""

from __future__ import annotations

from annotate.access import BARRED_BY
from annotate.corpus.blindness import still_to_do
from annotate.models import Membership, WorkItem
from annotate.sql import Condition

_BARRED_BY = ", ".join(f"'{kind}'" for kind in BARRED_BY[WorkItem.Kind.RATE])


def hide_captions_to_rate(membership: Membership) -> Condition:
    """Hide the captions that this person could still rate; captions of clips that they have worked
    on stay visible, because they can't rate them.
    """
    return Condition(
        f"""
        EXISTS (
            SELECT 1
            FROM annotate_workitem i
            WHERE i.clip_id = {{clip_id}} AND i.subject = {{id}}
              AND {still_to_do(membership, WorkItem.Kind.RATE)}
              AND NOT EXISTS (
                  SELECT 1
                  FROM annotate_workitem earlier
                  JOIN annotate_assignment a ON a.item_id = earlier.id
                  WHERE earlier.clip_id = i.clip_id AND earlier.kind IN ({_BARRED_BY})
                    AND a.annotator_id = %(person)s
              )
        )
        """,
        person=membership.user_id,
        project=membership.project_id,
    )

"""Hides corrections and scores of a caption from people who could still verify it."""

from __future__ import annotations

from annotate.corpus.blindness import still_to_do
from annotate.models import Caption, Membership, WorkItem
from annotate.sql import Condition


def hide_corrections(membership: Membership) -> Condition:
    """Hide the corrections of captions that this person could still verify."""
    return Condition(
        f"""
        {{source}} = '{Caption.Source.CORRECTED}' AND EXISTS (
            SELECT 1
            FROM annotate_caption_parents made
            JOIN annotate_workitem i ON i.subject = made.to_caption_id
            WHERE made.from_caption_id = {{id}} AND i.clip_id = {{clip_id}}
              AND {still_to_do(membership, WorkItem.Kind.VERIFY)}
        )
        """,
        person=membership.user_id,
        project=membership.project_id,
    )


def hide_scores_to_verify(membership: Membership) -> Condition:
    """Hide the scores of captions that this person could still verify, because scores would bias
    them.
    """
    return Condition(
        f"""
        EXISTS (
            SELECT 1
            FROM annotate_workitem i
            WHERE i.clip_id = {{clip_id}} AND i.subject = {{id}}
              AND {still_to_do(membership, WorkItem.Kind.VERIFY)}
        )
        """,
        person=membership.user_id,
        project=membership.project_id,
    )

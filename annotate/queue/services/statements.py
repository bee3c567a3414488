"""The SQL of claims, draft saves and submits (`annotate/sql.py` says why it is text)."""

from __future__ import annotations

from functools import cache

from annotate.access import BARRED_BY
from annotate.models import Assignment, Clip, Project, WorkItem
from annotate.sql import Columns, Statement, all_columns

# Kinds whose clips are handed out although one is an example in their guideline: an example comes
# from an ended round or test, and a later one asks about other captions.
HANDED_OUT_AS_EXAMPLES = {WorkItem.Kind.COMPARE, WorkItem.Kind.IDENTIFY}

# The person's active work (returned work first), then overdue leases. Project and kind are among
# the columns, because with a condition on the join the OR could not use its indexes.
OWN_AND_OVERDUE = Statement("""
    SELECT a.id,
           a.annotator_id = %(person)s AND i.project_id = %(project)s AND i.kind = %(kind)s,
           a.lease_expires_at <= %(now)s
    FROM annotate_assignment a
    JOIN annotate_workitem i ON i.id = a.item_id
    WHERE a.annotator_id = %(person)s AND a.state IN ('held', 'returned')
       OR a.state = 'held' AND a.lease_expires_at <= %(now)s
    ORDER BY CASE a.annotator_id WHEN %(person)s THEN 0 ELSE 1 END, a.state DESC, a.id
    LIMIT %(at_once)s
""")


# Kinds that are handed out by subcategory if the project says so.
BY_SUBCATEGORY = {
    WorkItem.Kind.WRITE,
    WorkItem.Kind.MERGE,
    WorkItem.Kind.SPLIT,
    WorkItem.Kind.SIGNOFF,
}
_ASSIGNED = """
    AND EXISTS (
        SELECT 1
        FROM annotate_clip c
        JOIN annotate_video v ON v.id = c.video_id
        JOIN annotate_assignedsubcategory s ON s.category = v.category
        WHERE c.id = i.clip_id AND s.membership_id = %(membership)s
          AND (s.subcategory = '' OR s.subcategory = v.subcategory)
    )
"""


@cache
def take_best_slot(kind: str, *, only_assigned: bool = False) -> Statement:
    """Take a place of the best item that the person may have; return its key. `only_assigned`: of
    the subcategories that are assigned to the `membership`. The further places of an item that was
    reserved for the person are for everybody.

    `claimable_by` finds the same item without taking it.
    """
    return Statement(f"""
        UPDATE annotate_workitem
        SET open_slots = open_slots - 1,
            reserved_for_id = CASE WHEN open_slots > 1 THEN NULL ELSE reserved_for_id END
        WHERE id = (
            SELECT i.id
            {_best_item(kind, only_assigned=only_assigned)}
            FOR UPDATE OF i SKIP LOCKED
        )
        RETURNING id
    """)


NEXT_CLIP = all_columns("c", Clip)
MOST_WAITING = 100  # counting further would read the whole queue


@cache
def next_clip(kind: str, *, only_assigned: bool = False) -> Statement:
    """Return the clip of the item that `take_best_slot` would take, and how many items the person
    may have, up to MOST_WAITING."""
    return Statement(f"""
        WITH waiting AS (
            SELECT i.clip_id, i.priority, i.id
            {_best_item(kind, only_assigned=only_assigned, most=MOST_WAITING)}
        )
        SELECT {NEXT_CLIP}, (SELECT COUNT(*) FROM waiting)
        FROM annotate_clip c
        WHERE c.id = (SELECT clip_id FROM waiting ORDER BY priority DESC, id LIMIT 1)
    """)


def _best_item(kind: str, *, only_assigned: bool, most: int = 1) -> str:
    """Return SQL that follows the SELECT of the best items `i` that the person may have.

    Clips whose result is an example in the guideline of this work are left out.
    """
    barred_by = ", ".join(f"'{earlier}'" for earlier in BARRED_BY.get(WorkItem.Kind(kind), []))
    not_barred = f"""
        AND NOT EXISTS (
            SELECT 1
            FROM annotate_assignment a
            JOIN annotate_workitem earlier ON earlier.id = a.item_id
            WHERE a.annotator_id = %(person)s AND earlier.clip_id = i.clip_id
              AND earlier.kind IN ({barred_by})
        )
    """
    no_example = f"""
        AND NOT EXISTS (
            SELECT 1
            FROM annotate_shownexample e
            WHERE e.clip_id = i.clip_id AND e.kind = '{WorkItem.Kind(kind)}'
        )
    """
    return f"""
        FROM annotate_workitem i
        WHERE i.project_id = %(project)s AND i.kind = '{WorkItem.Kind(kind)}'
          AND i.state = 'open' AND i.open_slots > 0 AND i.purpose = 'work'
          AND (i.reserved_for_id IS NULL OR i.reserved_for_id = %(person)s)
          AND NOT EXISTS (
              SELECT 1
              FROM annotate_assignment a
              WHERE a.annotator_id = %(person)s AND a.item_id = i.id AND a.state <> 'expired'
          )
          {"" if kind in HANDED_OUT_AS_EXAMPLES else no_example}
          {not_barred if barred_by else ""}
          {_ASSIGNED if only_assigned else ""}
        ORDER BY i.priority DESC, i.id
        LIMIT {most}
    """


HELD = Columns(
    "annotate_assignment",
    Assignment,
    ("id", "item_id", "annotator_id", "state", "lease_expires_at"),
)

# Resume the person's earlier assignment of the item, with its draft, if any. Returns no row if they
# hold or have finished the item, because another of their tabs was faster.
HOLD = Statement(f"""
    INSERT INTO annotate_assignment (
        item_id, annotator_id, state, lease_expires_at, claimed_at, heartbeat_at,
        draft, draft_version, active_seconds, watched, skip_reason, return_comment, is_late
    )
    VALUES (
        %(item)s, %(person)s, 'held', %(lease_end)s, %(now)s, %(now)s, '{{}}', 0, 0, '[]', '', '',
        FALSE
    )
    ON CONFLICT (item_id, annotator_id) DO UPDATE
    SET state = excluded.state, lease_expires_at = excluded.lease_expires_at,
        claimed_at = excluded.claimed_at, heartbeat_at = excluded.heartbeat_at,
        skip_reason = excluded.skip_reason
    WHERE annotate_assignment.state IN ('expired', 'skipped')
    RETURNING {HELD}
""")

SAVE_DRAFT = Statement("""
    UPDATE annotate_assignment
    SET draft = %(content)s, draft_version = draft_version + 1, draft_saved_at = %(now)s
    WHERE id = %(assignment)s AND draft_version = %(base_version)s AND state <> 'submitted'
""")

LOCKED = Columns(
    "a",
    Assignment,
    (
        *("id", "item_id", "annotator_id", "state", "lease_expires_at"),
        *("draft_version", "returned_by_id", "submit_key", "is_late"),
    ),
)
LOCKED_ITEM = Columns(
    "i", WorkItem, ("id", "project_id", "clip_id", "kind", "subject", "purpose", "state")
)
ITS_PROJECT = Columns(
    "p",
    Project,
    (
        *("id", "name", "slug", "counts_programs", "pre_tags", "min_words", "max_words"),
        *("watched_percents", "sign_offs"),
    ),
)

LOCK_FOR_SUBMIT = Statement(f"""
    SELECT EXISTS (
               SELECT 1
               FROM annotate_membership m
               WHERE m.project_id = p.id AND m.user_id = a.annotator_id AND m.program <> ''
           ),
           {LOCKED}, {LOCKED_ITEM}, {ITS_PROJECT}
    FROM annotate_assignment a
    JOIN annotate_workitem i ON i.id = a.item_id
    JOIN annotate_project p ON p.id = i.project_id
    WHERE a.id = %(assignment)s AND a.annotator_id = %(person)s
    FOR UPDATE OF a, i
""")

SUBMIT = Statement("""
    UPDATE annotate_assignment
    SET state = 'submitted', submit_key = %(key)s, submitted_at = %(now)s,
        draft = %(content)s, draft_version = draft_version + 1, draft_saved_at = %(now)s
    WHERE id = %(assignment)s
""")

# The item is done if no place is free and nobody holds it.
FINISH_ITEM = Statement("""
    UPDATE annotate_workitem
    SET state = 'done'
    WHERE id = %(item)s AND open_slots = 0
      AND NOT EXISTS (
          SELECT 1
          FROM annotate_assignment a
          WHERE a.item_id = annotate_workitem.id AND a.state IN ('held', 'returned', 'paused')
      )
""")

"""Load the signed-in person."""

from __future__ import annotations

from allauth.account.auth_backends import AuthenticationBackend

from annotate.models import User
from annotate.sql import Columns, Statement, models_of

PERSON = Columns("u", User, tuple(field.attname for field in User._meta.concrete_fields))

# Counting further would cost every request, and the bell shows "99+".
MOST_COUNTED = 100

# The count for the header's bell is part of it, so no page needs a query of its own. The order
# keeps PostgreSQL on the index of unread notices.
PERSON_BY_KEY = Statement(f"""
    SELECT {PERSON},
           (
               SELECT COUNT(*)
               FROM (
                   SELECT 1
                   FROM annotate_notice n
                   WHERE n.person_id = %(person)s AND n.is_in_app AND n.read_at IS NULL
                     AND EXISTS (
                         SELECT 1
                         FROM annotate_membership m
                         WHERE m.user_id = n.person_id AND m.project_id = n.project_id
                           AND m.deactivated_at IS NULL
                     )
                   ORDER BY n.id
                   LIMIT {MOST_COUNTED}
               ) unread
           )
    FROM annotate_user u
    WHERE u.id = %(person)s
""")


class EmailBackend(AuthenticationBackend):  # type: ignore[misc]  # allauth has no types
    """allauth's sign-in; it loads the person of each request's session by SQL text."""

    def get_user(self, user_id: int) -> User | None:
        row = PERSON_BY_KEY.row(person=user_id)
        if row is None:
            return None
        user: User
        [user] = models_of(row, PERSON)
        user.unread_notices = row[-1]
        return user if self.user_can_authenticate(user) else None

"""Load the signed-in person."""

from __future__ import annotations

from allauth.account.auth_backends import AuthenticationBackend

from annotate.models import User
from annotate.sql import Columns, Statement, models_of

PERSON = Columns("u", User, tuple(field.attname for field in User._meta.concrete_fields))

PERSON_BY_KEY = Statement(f"SELECT {PERSON} FROM annotate_user u WHERE u.id = %(person)s")


class EmailBackend(AuthenticationBackend):  # type: ignore[misc]  # allauth has no types
    """allauth's sign-in; it loads the person of each request's session by SQL text."""

    def get_user(self, user_id: int) -> User | None:
        row = PERSON_BY_KEY.row(person=user_id)
        if row is None:
            return None
        [user] = models_of(row, PERSON)
        return user if self.user_can_authenticate(user) else None

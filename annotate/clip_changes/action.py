"""Actions on many clips at once.

An action counts what it would change, changes it, and returns the previous values for undoing it.
It changes only what differs, and undoing skips what somebody has changed in the meantime.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

from django.db.models import QuerySet

from annotate.models import Clip, Project, Role, User

Values = Mapping[str, Any]
Before = list[list[Any]]  # [key, earlier value]


class ClipAction(ABC):
    """`fields` are the form's fields that it needs; `noun` names what it changes, `says` the
    consequences.
    """

    fields: ClassVar[tuple[str, ...]] = ()
    roles: ClassVar[tuple[Role, ...]] = (Role.ADMIN, Role.EXPERT)
    noun: ClassVar[tuple[str, str]]
    says: ClassVar[str]
    is_withdrawal: ClassVar[bool] = False

    @abstractmethod
    def affected(self, project: Project, clips: QuerySet[Clip], values: Values) -> QuerySet[Any]:
        """Return the rows that it would change, which `noun` names."""

    @abstractmethod
    def change(self, rows: list[Any], values: Values, project: Project, actor: User) -> Before:
        """Change the affected rows, in the transaction of the caller. Raises AnnotateError."""

    @abstractmethod
    def undo(self, before: Before, values: Values, project: Project, actor: User) -> int:
        """Restore the previous values; return the number of restored rows."""

    def noun_of(self, values: Values) -> tuple[str, str]:
        """Return what these values have it change, singular and plural."""
        return self.noun

    def says_of(self, values: Values) -> str:
        """Return what follows from it with these values."""
        return self.says

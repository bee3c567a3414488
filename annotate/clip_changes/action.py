"""What can be done to many clips at once.

An action counts what it would change, changes it, and returns what was there before, with which it
is undone. It changes only what differs, and undoing leaves alone what somebody changed meanwhile.
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
    """`fields` are those of the form that it needs; `noun` is what it changes, `says` what follows
    from it.
    """

    fields: ClassVar[tuple[str, ...]] = ()
    roles: ClassVar[tuple[Role, ...]] = (Role.ADMIN, Role.EXPERT)
    noun: ClassVar[tuple[str, str]]
    says: ClassVar[str]
    only_carebench: ClassVar[bool] = False

    @abstractmethod
    def affected(self, project: Project, clips: QuerySet[Clip], values: Values) -> QuerySet[Any]:
        """Return what it would change: the rows that `noun` names."""

    @abstractmethod
    def change(self, rows: list[Any], values: Values, project: Project, actor: User) -> Before:
        """Change the affected rows, in the transaction of the caller. Raises AnnotateError."""

    @abstractmethod
    def undo(self, before: Before, values: Values, project: Project, actor: User) -> int:
        """Put back what was there before, and return the number of rows put back."""

    def noun_of(self, values: Values) -> tuple[str, str]:
        """Return what these values have it change, singular and plural."""
        return self.noun

    def says_of(self, values: Values) -> str:
        """Return what follows from it with these values."""
        return self.says

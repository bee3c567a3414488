"""Kinds of things that can be archived and deleted. Each feature registers its kinds in its app's
`ready`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, TypeVar

from django.db.models import Model, QuerySet

from annotate.models import Archived, Project, User

Thing = TypeVar("Thing", bound=Model)


class ArchiveKind(ABC, Generic[Thing]):
    """A kind of thing that can be archived. `says`: the effect on lists, work, reports and
    releases. `parts`: tables whose rows belong to the thing and are deleted with it; rows of any
    other table that refer to the thing or a part depend on it.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    says: ClassVar[str]
    parts: ClassVar[Sequence[type[Model]]] = ()

    @abstractmethod
    def things(self, project: Project) -> QuerySet[Thing]:
        """Return the project's things of this kind."""

    @abstractmethod
    def address(self, thing: Thing) -> str:
        """Return the address of its page."""

    def title(self, thing: Thing) -> str:
        return str(thing)

    def roots(self, thing: Thing) -> list[QuerySet[Any]]:
        """Return the rows to delete first: the thing and what belongs to it."""
        return [type(thing)._default_manager.filter(pk=thing.pk)]

    def refusal(self, thing: Thing) -> str:
        """Return why it can't be archived or deleted now; empty if it can."""
        return ""

    def also_depends(self, thing: Thing) -> dict[str, int]:
        """Return what depends on it without referring to it, by name."""
        return {}

    def archived(self, thing: Thing, row: Archived, admin: User) -> None:
        """Update the kind's own data in the transaction that archives the thing. Raises
        AnnotateError.
        """

    def restored(self, thing: Thing, row: Archived, admin: User) -> None:
        """Update the kind's own data in the transaction that restores the thing. Raises
        AnnotateError.
        """

    def deleted(self, thing: Thing) -> None:
        """Update the kind's own data in the deleting transaction, after the rows are gone; `thing`
        keeps its values."""


_KINDS: dict[str, ArchiveKind[Any]] = {}


def register_archive_kind(*kinds: ArchiveKind[Any]) -> None:
    for kind in kinds:
        if kind.name in _KINDS:
            raise ValueError(f"The kind {kind.name} is registered twice.")
        _KINDS[kind.name] = kind


def archive_kind(name: str) -> ArchiveKind[Any] | None:
    return _KINDS.get(name)


def archive_kinds() -> list[ArchiveKind[Any]]:
    return list(_KINDS.values())

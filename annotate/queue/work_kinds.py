"""What is behind each kind of human work: what its page shows, its template, what submits it.

Every app registers its own kinds once it is ready, and the queue's pages serve them all. So a kind
whose nouns belong to an app that this one must not import is one more class in that app.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from annotate.models import Assignment, Membership, WorkItem
from annotate.queue.content import Content
from annotate.queue.services.submitting import Submit

Context = dict[str, Any]
# Of each kind of work in a project: how many items there are ("all"), are "free", are "done".
Totals = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True)
class Closed:
    """Why somebody can't take work of a kind now; `url` is where that is mended, if anywhere, and
    `label` says what is done there."""

    reason: str
    url: str = ""
    label: str = ""


class WorkKind(ABC):
    """One kind of human work; a subclass states what differs from the usual.

    `template` extends work_base.html, and `submit` is the service that stores what was submitted.
    `text_fields` are the fields whose text is the work. The three sentences say why there is
    nothing to take: no such work yet, none that is free, none for this person.
    """

    kind: ClassVar[WorkItem.Kind]
    template: ClassVar[str]
    submit: ClassVar[Submit]
    text_fields: ClassVar[tuple[str, ...]] = ()
    none_yet: ClassVar[str] = ""
    none_free: ClassVar[str] = ""
    none_for_you: ClassVar[str] = ""

    @abstractmethod
    def context(self, assignment: Assignment, draft: Content) -> Context:
        """Return what the page shows of a draft."""

    def texts(self, draft: Content) -> list[str]:
        """Return what was typed so far, for lists."""
        return [draft.get(name, "") for name in self.text_fields]

    def nothing(self, membership: Membership, totals: Totals) -> str:
        """Return why this person can take no work of the kind now."""
        here = totals.get(self.kind, {"all": 0, "free": 0})
        if here["free"]:
            return self.none_for_you
        return self.none_free if here["all"] else self.none_yet

    def closed(self, membership: Membership) -> Closed | None:
        """Return why this person may not take work of the kind, or None where they may."""
        return None

    def names(self, items: Sequence[WorkItem]) -> dict[int, str]:
        """Return what each item, whose clip is loaded, is about, by its key.

        Lists of any length ask the database equally often.
        """
        return {item.pk: item.clip.name for item in items}

    def ahead(self, membership: Membership) -> int:
        """Return how many more items could be opened for this person, one by one."""
        return 0

    def prepare(self, membership: Membership) -> None:  # noqa: B027  most kinds have nothing to open
        """Open the item that this person should do next, where items are opened one by one."""

    def outlives(self, items: Sequence[WorkItem]) -> set[int]:
        """Return the keys of the items that are needed although their caption was replaced."""
        return set()


_REGISTERED: dict[str, WorkKind] = {}


def register_work(*kinds: WorkKind) -> None:
    """Call it in `AppConfig.ready`. Raises ValueError when a kind is registered already."""
    for work in kinds:
        if work.kind in _REGISTERED:
            raise ValueError(f"The work {work.kind} is registered twice.")
        _REGISTERED[work.kind] = work


def work_kind(kind: str) -> WorkKind:
    return _REGISTERED[kind]


def work_ahead(membership: Membership, kinds: Iterable[WorkItem.Kind]) -> dict[WorkItem.Kind, int]:
    """How much work of each kind could still be opened for somebody; only where there is some."""
    ahead = {kind: _REGISTERED[kind].ahead(membership) for kind in kinds if kind in _REGISTERED}
    return {kind: count for kind, count in ahead.items() if count}


def name_work(items: Iterable[WorkItem]) -> None:
    """Give each item, whose clip is loaded, `about`: what the work is about, in a few words."""
    by_kind: dict[str, list[WorkItem]] = {}
    for item in items:
        by_kind.setdefault(item.kind, []).append(item)
    for kind, of_kind in by_kind.items():
        names = work_kind(kind).names(of_kind)
        for item in of_kind:
            item.about = names.get(item.pk, item.clip.name)

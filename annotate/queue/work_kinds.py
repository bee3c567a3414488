"""The kinds of human work: what their pages show, their templates, and the services that submit.

Every app registers its own kinds, and the queue's pages serve them all. So a kind can use the
models of an app that this one must not import.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol
from uuid import UUID

from annotate.errors import AnnotateError
from annotate.keys.lists import PLAYER, WORK, Key, KeyGroup
from annotate.kinds import Kind, KindFacts, kind_facts, register_kind
from annotate.models import Assignment, Membership, User, WorkItem
from annotate.queue.content import Content
from annotate.queue.fields import DraftField

Context = dict[str, Any]
# Possible problems of any video.
SKIP_REASONS = ("The video does not play", "Too dark to see")
# The number of items of each kind of work in a project: "all", "free" and "done".
Totals = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True)
class Closed:
    """Why a person can't take work of a kind now.

    `url`, if any, is a page where they can change this, and `label` the link's text. `ends_all`:
    they get no more work of any kind, and continue on that page. `is_hidden`: they never do this
    work here, so lists omit it.
    """

    reason: str
    url: str = ""
    label: str = ""
    ends_all: bool = False
    is_hidden: bool = False


class WorkClosed(AnnotateError):
    """The person can't take work of the kind now."""

    def __init__(self, closed: Closed) -> None:
        super().__init__(closed.reason)
        self.closed = closed


class Submit(Protocol):
    """A service that submits a kind of work.

    It raises WorkInvalid, which says what to fix, LeaseLost if the person's lease has ended,
    DraftConflict if a later draft is stored, or AnnotateError if the work can't be submitted.
    """

    def __call__(
        self,
        *,
        assignment_id: int,
        annotator: User,
        key: UUID,
        base_version: int,
        content: Content,
    ) -> Assignment: ...


class WorkKind(KindFacts, ABC):
    """One kind of human work; a subclass overrides the defaults.

    `template` extends work_base.html, and `submit` is the service that stores submitted content.
    `fields` are those of its drafts.
    `next_label` is the button that takes the next item; if empty, the kind's label and "next".
    `keys` belong to the page's own part, which `keys_heading` names; `media_keys` to its videos.
    `text_fields` are the fields whose text is the work. `example_headings` name the parts of a
    result that is an example in the guideline. `noun` names what a person skips, and `skip_reasons`
    are the reasons to choose from. The three sentences say why there is nothing to take: no such
    work yet, no free item, no item for this person.
    """

    template: ClassVar[str]
    next_label: ClassVar[str] = ""
    submit: ClassVar[Submit]
    fields: ClassVar[tuple[DraftField, ...]]
    keys_heading: ClassVar[str] = ""
    keys: ClassVar[tuple[Key, ...]] = ()
    media_keys: ClassVar[KeyGroup] = PLAYER
    text_fields: ClassVar[tuple[str, ...]] = ()
    example_headings: ClassVar[tuple[str, ...]] = ("Result",)
    noun: ClassVar[str] = "clip"
    skip_reasons: ClassVar[tuple[str, ...]] = SKIP_REASONS
    none_yet: ClassVar[str] = ""
    none_free: ClassVar[str] = ""
    none_for_you: ClassVar[str] = ""

    def key_groups(self) -> tuple[KeyGroup, ...]:
        """Return the keys of the page. Its own come first, so that they override those of the
        video.
        """
        own = (KeyGroup(self.kind, self.keys_heading, self.keys),) if self.keys else ()
        return (*own, self.media_keys, WORK)

    @abstractmethod
    def context(self, assignment: Assignment, draft: Content) -> Context:
        """Return the context of the page for a draft."""

    def texts(self, draft: Content) -> list[str]:
        """Return the typed text, for lists."""
        return [draft.get(name, "") for name in self.text_fields]

    def example_parts(self, assignment: Assignment) -> Sequence[str]:
        """Return the finished result as an example in the guideline: a text for each of
        `example_headings`, empty for none. Raises AnnotateError if it can't be one."""
        return ["\n".join(filter(None, self.texts(assignment.draft)))]

    def task(self, assignment: Assignment) -> dict[str, Any]:
        """Return, as JSON, what a program needs to do the work besides its clip and draft: only
        what the page shows."""
        return {}

    def nothing(self, membership: Membership, totals: Totals) -> str:
        """Return why this person can take no work of the kind now."""
        here = totals.get(self.kind, {"all": 0, "free": 0})
        if here["free"]:
            return self.none_for_you
        return self.none_free if here["all"] else self.none_yet

    def closed(self, membership: Membership) -> Closed | None:
        """Return why this person may not take work of the kind, or None if they may."""
        return None

    def names(self, items: Sequence[WorkItem]) -> dict[int, str]:
        """Return a few words about the object of each item, by key; the items' clips are loaded.

        The number of queries doesn't depend on the number of items.
        """
        return {item.pk: item.clip.name for item in items}

    def ahead(self, membership: Membership) -> int:
        """Return how many more items could be opened for this person, one by one."""
        return 0

    def prepare(self, membership: Membership) -> None:
        """Open the item that this person should do next, if items are opened one by one."""

    def outlives(self, items: Sequence[WorkItem]) -> set[int]:
        """Return the keys of the items that are needed even though their caption was replaced."""
        return set()


Gate = Callable[[Membership, str], Closed | None]

_GATES: list[Gate] = []


def register_work(*kinds: WorkKind) -> None:
    """Register kinds, in `AppConfig.ready`. Raises ValueError if one is already registered."""
    for work in kinds:
        register_kind(work)


def work_kind(kind: str) -> WorkKind:
    facts = kind_facts(kind)
    assert isinstance(facts, WorkKind)
    return facts


def register_gate(gate: Gate) -> None:
    """Register `gate(membership, kind)`, which returns why a person can't take any work of a kind
    now.
    """
    _GATES.append(gate)


def work_closed(membership: Membership, kind: str) -> Closed | None:
    """Return why this person can't take work of the kind now, or None if they can."""
    reasons = (gate(membership, kind) for gate in _GATES)
    return next(filter(None, reasons), None) or work_kind(kind).closed(membership)


def result_parts(assignment: Assignment) -> list[tuple[str, str]]:
    """Return finished work as texts with their headings, without empty ones; why it has none, where
    it can't be shown."""
    kind = work_kind(assignment.item.kind)
    try:
        texts = kind.example_parts(assignment)
    except AnnotateError as error:
        return [("", str(error))]
    pairs = zip(kind.example_headings, texts, strict=False)
    return [(heading, text) for heading, text in pairs if text]


def work_ahead(membership: Membership, kinds: Iterable[Kind]) -> dict[Kind, int]:
    """Return the number of items of each kind that could still be opened, without zeros."""
    ahead = {kind: work_kind(kind).ahead(membership) for kind in kinds}
    return {kind: count for kind, count in ahead.items() if count}


def name_work(items: Iterable[WorkItem]) -> None:
    """Set each item's `about`, a few words about its object, and its `title`; the items' clips are
    loaded."""
    by_kind: dict[str, list[WorkItem]] = {}
    for item in items:
        by_kind.setdefault(item.kind, []).append(item)
    for kind, of_kind in by_kind.items():
        names = work_kind(kind).names(of_kind)
        for item in of_kind:
            item.about = names.get(item.pk, item.clip.name)
            facts = kind_facts(kind)
            item.title = (facts.title or f"{facts.label} {{}}").format(item.about)

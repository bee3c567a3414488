"""What the whole app has to know about each kind of human work: who does it, and how it behaves.

A kind says this in its `WorkKind`, in its own folder (`annotate/queue/work_kinds.py`).
"""

from __future__ import annotations

from functools import cached_property
from inspect import getfile
from pathlib import Path
from typing import ClassVar, Protocol


class HasRoles(Protocol):
    """A membership."""

    def has_role(self, *roles: str) -> bool: ...


class Kind(str):
    """The key of a kind of work, as rows store it."""

    @property
    def label(self) -> str:
        return kind_facts(self).label


class KindFacts:
    """The facts of one kind of work; a subclass overrides the defaults."""

    kind: ClassVar[str]
    label: ClassVar[str]
    roles: ClassVar[tuple[str, ...]]
    submitted: ClassVar[str]  # what a message says after a submit
    noun_of_text: ClassVar[str] = ""  # of what can be sent back; else the label
    title: ClassVar[str] = ""  # of one item, with a place for its object; else the label and it
    activity: ClassVar[str] = ""  # what its guideline is for; else the label
    step_title: ClassVar[str] = ""  # on the board; else the label
    counted_as: ClassVar[str] = ""  # in the funnel of Activity; empty if it isn't a stage there
    # A person who has done one of these on a clip can't do this: nobody rates their own work.
    barred_by: ClassVar[tuple[str, ...]] = ()
    # Every clip passes it, one step after the other; handed out by subcategory if a project asks.
    is_clip_step: ClassVar[bool] = False
    is_about_captions: ClassVar[bool] = False  # a clip has an item for each caption
    waits_while_left_out: ClassVar[bool] = False  # while its clip is left out of the benchmark
    makes_texts: ClassVar[bool] = False  # its submissions are counted by their captions
    reserves_itself: ClassVar[bool] = False  # its own services say for whom an item is
    can_be_chosen: ClassVar[bool] = False  # a list to choose from wouldn't bias the sample
    is_made_for_one: ClassVar[bool] = False  # nobody else can take over an item
    has_loops: ClassVar[bool] = False  # several clips play in a loop; the least played one counts
    clip_is_answer: ClassVar[bool] = False  # its name or length would reveal the answer
    # A judgment of a caption: a program that doesn't count leaves its place to people.
    leaves_place_to_people: ClassVar[bool] = False
    keeps_examples: ClassVar[bool] = False  # clips that are examples in its guideline are work too

    @cached_property
    def guideline(self) -> str:
        """Return the guideline of new projects: guideline.md beside the module of the class."""
        return Path(getfile(type(self))).with_name("guideline.md").read_text(encoding="utf-8")


_REGISTERED: dict[str, KindFacts] = {}


def register_kind(facts: KindFacts) -> None:
    """Register a kind, after those whose work comes before it. Raises ValueError if it is already
    registered."""
    if facts.kind in _REGISTERED:
        raise ValueError(f"The work {facts.kind} is registered twice.")
    _REGISTERED[facts.kind] = facts


def is_kind(kind: str) -> bool:
    return kind in _REGISTERED


def kind_facts(kind: str) -> KindFacts:
    return _REGISTERED[kind]


def all_facts() -> list[KindFacts]:
    """Return the facts of all kinds, in the order of the work."""
    return list(_REGISTERED.values())


def all_kinds() -> list[Kind]:
    """Return all kinds, in the order of the work."""
    return [Kind(kind) for kind in _REGISTERED]


def kind_choices() -> list[tuple[str, str]]:
    """Return each kind with its label, for fields of models and forms."""
    return [(facts.kind, facts.label) for facts in all_facts()]


def kinds_with(fact: str) -> list[Kind]:
    """Return the kinds of which this is true, by the name of an attribute of KindFacts."""
    return [Kind(facts.kind) for facts in all_facts() if getattr(facts, fact)]


def kinds_for(membership: HasRoles) -> list[Kind]:
    """Return the kinds of work that the member may take, by their roles."""
    return [Kind(facts.kind) for facts in all_facts() if membership.has_role(*facts.roles)]

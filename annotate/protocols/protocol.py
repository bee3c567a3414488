"""The parts of a protocol: the pipeline of a benchmark as data. Pure.

What a later app has (a report, a format, a page, the class that counts a step) is named by its key,
which that app resolves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

PEOPLE, MODELS, ADMIN = "people", "models", "admin"


@dataclass(frozen=True)
class Step:
    """One step, done by people, models or an admin. `key` is its kind of work or of run, or the
    name of an admin's act."""

    key: str
    by: str
    needs: tuple[str, ...] = ()  # the steps before it, by key
    makes: str = ""
    people: int | str = 1  # per item: a number, or the project's setting that has it
    opens: str = ""  # when its work opens by itself: for each "clip", or each "cut video"
    is_on_each_clip: bool = False  # every clip passes it, one step after the other
    is_optional: bool = False  # shown and asked for only where somebody uses it


@dataclass(frozen=True)
class Lane:
    """Steps in order, which the board shows under a title."""

    title: str
    steps: tuple[Step, ...]


COMPARISONS = Lane(
    "Comparisons",
    (
        Step("model-captions", ADMIN, makes="sets of model captions", is_optional=True),
        Step("compare", PEOPLE, needs=("model-captions",), makes="votes", is_optional=True),
    ),
)


@dataclass(frozen=True)
class Text:
    """A text of a finished clip. `sources`: where such a text comes from. `table`: where a
    paper prints the recall of these texts, and `title` what it calls them."""

    kind: str
    sources: tuple[str, ...]
    title: str = ""
    table: str = ""


@dataclass(frozen=True)
class Preset:
    """The initial settings of a kind of run, and the paper's section that states them."""

    run: str
    settings: Mapping[str, Any]
    paper: str = ""


@dataclass(frozen=True)
class ReleasePlan:
    """What a release freezes (`content`), in which format, and what is checked before. `choices`:
    what an admin may leave out or add. `noun`: what the board counts. A release comes after all
    required steps of its lane if `is_last`; `check` is the step by which people check models."""

    content: str
    format: str
    gates: tuple[str, ...]
    choices: tuple[str, ...]
    noun: tuple[str, str] = ("clip", "clips")
    is_last: bool = False
    check: str = ""


@dataclass(frozen=True)
class Protocol:
    """The pipeline of a benchmark. `roles`: what each role does. `texts`: those of a finished
    clip. `pages`: those that only such projects have, reports
    among them, by key. `features`: what else is special, by key. `columns`: those of the paper's
    Table 1. `words`: sentences of pages that differ between protocols."""

    key: str
    name: str
    steps_in_words: str
    summary: str
    roles: Mapping[str, str]
    lanes: tuple[Lane, ...]
    release: ReleasePlan
    columns: tuple[str, ...]
    words: Mapping[str, str]
    texts: tuple[Text, ...] = ()
    presets: tuple[Preset, ...] = ()
    pages: tuple[str, ...] = ()
    features: frozenset[str] = field(default_factory=frozenset)

    @property
    def steps(self) -> Iterator[Step]:
        return (step for lane in self.lanes for step in lane.steps)

    @cached_property
    def keys(self) -> frozenset[str]:
        """Return the keys of all steps, pages and features, for questions such as `"labels" in`."""
        return frozenset({step.key for step in self.steps} | {*self.pages} | self.features)

    @property
    def embeds(self) -> list[str]:
        """Return what embed runs embed, such as "clips"."""
        return [
            key.removeprefix("embed-")
            for key in (step.key for step in self.steps)
            if key.startswith("embed-")
        ]

    def opens(self, kind: str) -> bool:
        """Return whether work of this kind opens by itself when videos are imported or cut."""
        return any(step.key == kind and step.opens for step in self.steps)

    def text(self, kind: str) -> Text | None:
        return next((text for text in self.texts if text.kind == kind), None)

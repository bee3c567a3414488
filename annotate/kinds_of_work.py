"""What is behind each kind of human work: what its page shows, its template, what submits it.

Every app registers its own kinds once it is ready, and the queue's pages serve them all. So a kind
whose nouns belong to an app that this one must not import is one more entry here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotate.content import Content
from annotate.models import Assignment, Membership, WorkItem


@dataclass(frozen=True)
class Closed:
    """Why somebody can't take work of a kind now; `url` is where that is mended, if anywhere, and
    `label` says what is done there."""

    reason: str
    url: str = ""
    label: str = ""


def _open(membership: Membership) -> None:
    """Whoever has the role may take it."""


def _open_already(membership: Membership) -> int:
    """Nothing: all the work that there is has its items."""
    return 0


def _prepared(membership: Membership) -> None:
    """Nothing has to be opened first."""


def _outlive_nothing(items: Sequence[WorkItem]) -> set[int]:
    """Nobody needs work about a caption that another has replaced."""
    return set()


# Of each kind of work in a project: how many items there are ("all"), are "free", are "done".
Totals = Mapping[str, Mapping[str, int]]


def why_nothing(
    none_yet: str, none_free: str, none_for_you: str
) -> Callable[[str, Membership, Totals], str]:
    """What to say when there is no such work at all, none that is free, none for this person."""

    def sentence(kind: str, membership: Membership, totals: Totals) -> str:
        here = totals.get(kind, {"all": 0, "free": 0})
        return none_for_you if here["free"] else none_free if here["all"] else none_yet

    return sentence


def fields(*names: str) -> Callable[[Content], list[str]]:
    """What is typed in the fields of these names."""
    return lambda draft: [draft.get(name, "") for name in names]


def _clip_names(items: Sequence[WorkItem]) -> dict[int, str]:
    return {item.pk: item.clip.name for item in items}


@dataclass(frozen=True)
class KindOfWork:
    """`context` makes what the page shows of a draft; `template` extends work_base.html. `texts`
    are what was typed so far, for lists. `closed` is asked before somebody takes work; `nothing`
    says why there is none. `names` tells what items of the kind, with their clips, are about, by
    key; in lists of any length it asks the database equally often.

    A kind may open its items one by one, when somebody asks for work: `ahead` tells how many it
    could still open for a person, and `prepare` opens what they should do next.

    `outlives` tells, by key, which of some items are needed even though the caption that they are
    about has been replaced; the others are withdrawn.

    `submit` is a service around `lock_for_submit` and `complete`: it takes `assignment_id`,
    `annotator`, `key`, `base_version` and `content`, and raises what `stages.submit_write_up` does.
    """

    context: Callable[[Assignment, Content], dict[str, Any]]
    submit: Callable[..., Assignment]
    template: str
    texts: Callable[[Content], list[str]]
    nothing: Callable[[str, Membership, Totals], str]
    closed: Callable[[Membership], Closed | None]
    names: Callable[[Sequence[WorkItem]], dict[int, str]]
    ahead: Callable[[Membership], int]
    prepare: Callable[[Membership], None]
    outlives: Callable[[Sequence[WorkItem]], set[int]]


_REGISTERED: dict[str, KindOfWork] = {}


def register(
    kind: WorkItem.Kind,
    *,
    context: Callable[[Assignment, Content], dict[str, Any]],
    submit: Callable[..., Assignment],
    template: str,
    texts: Callable[[Content], list[str]],
    nothing: Callable[[str, Membership, Totals], str],
    closed: Callable[[Membership], Closed | None] = _open,
    names: Callable[[Sequence[WorkItem]], dict[int, str]] = _clip_names,
    ahead: Callable[[Membership], int] = _open_already,
    prepare: Callable[[Membership], None] = _prepared,
    outlives: Callable[[Sequence[WorkItem]], set[int]] = _outlive_nothing,
) -> None:
    """Call it in `AppConfig.ready`. Raises ValueError when the kind has its code already."""
    if kind in _REGISTERED:
        raise ValueError(f"The work {kind} is registered twice.")
    _REGISTERED[kind] = KindOfWork(
        context, submit, template, texts, nothing, closed, names, ahead, prepare, outlives
    )


def kind_of_work(kind: str) -> KindOfWork:
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
    for kind, some in by_kind.items():
        names = kind_of_work(kind).names(some)
        for item in some:
            item.about = names.get(item.pk, item.clip.name)

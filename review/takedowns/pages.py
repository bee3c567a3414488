"""The pages of takedowns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.http import QueryDict

from annotate.models import Clip, Membership
from review.frozen.models import released_items
from review.frozen.takedowns import (
    Covered,
    ReleasedItem,
    Takedown,
    covered_by,
    joined_of,
    names_of,
)
from review.takedowns.forms import ItemForm, TakedownForm, UndoForm
from review.takedowns.queries import (
    find_clips,
    name_of,
    preview_of,
    proposed,
    subjects_of,
    takedowns_of,
)

Context = dict[str, Any]
PER_PAGE = 20


@dataclass(frozen=True)
class Listed:
    """A takedown with the versions of the releases that hold the item."""

    takedown: Takedown
    name: str
    versions: Sequence[str]
    form: UndoForm

    @property
    def is_active(self) -> bool:
        return not hasattr(self.takedown, "reinstatement")


def takedowns_context(
    membership: Membership, query: QueryDict, *, refused: tuple[int, UndoForm] | None = None
) -> Context:
    """Return the context. `refused`: the key and form of a takedown that could not be undone."""
    project = membership.project
    rows = Paginator(takedowns_of(project), PER_PAGE).get_page(query.get("page"))
    text = query.get("q", "").strip()
    return {
        "project": project,
        "membership": membership,
        "page": rows,
        "takedowns": _listed(membership, list(rows), refused),
        "text": text,
        "clips": list(find_clips(project, text)) if text and membership.is_admin else [],
    }


def _listed(
    membership: Membership, rows: Sequence[Takedown], refused: tuple[int, UndoForm] | None
) -> list[Listed]:
    covered = covered_by(rows)
    versions = _versions(membership, covered)
    key, form = refused or (0, UndoForm())
    return [
        Listed(
            takedown,
            name_of(takedown),
            versions.get(takedown.pk, ()),
            form if takedown.pk == key else UndoForm(auto_id=f"id_{takedown.pk}_%s"),
        )
        for takedown in rows
    ]


def _versions(membership: Membership, covered: Sequence[Covered]) -> dict[int, list[str]]:
    """Return the versions of the releases that hold what each takedown covers, by its key."""
    names = dict(membership.project.releases.order_by("pk").values_list("pk", "version"))
    items: dict[int, list[ReleasedItem]] = {}
    for release, item in released_items(joined_of(covered), release__project=membership.project_id):
        items.setdefault(release, []).append(item)
    versions: dict[int, list[str]] = {}
    for release in sorted(items):
        for takedown in names_of(covered, items[release]):
            versions.setdefault(takedown, []).append(names[release])
    return versions


def preview_context(
    membership: Membership, clip: Clip, item: ItemForm, form: TakedownForm | None = None
) -> Context:
    subject = item.subject
    takedown = proposed(membership.project, subject.what, subject.key)
    assert takedown is not None
    return {
        "project": membership.project,
        "membership": membership,
        "clip": clip,
        "item_form": item,
        "chosen": subject.value,
        "preview": preview_of(takedown),
        "form": form or TakedownForm(),
    }


def item_form(clip: Clip, data: Any) -> ItemForm:
    """Return the form with what can be taken down about the clip."""
    return ItemForm(data, subjects=subjects_of(clip))

"""The page that changes many clips, and the page of one change."""

from __future__ import annotations

from typing import Any

from annotate.clip_changes.actions import ACTIONS
from annotate.clip_changes.forms import SCOPES, ClipChangeForm
from annotate.clip_changes.selection import Selection
from annotate.corpus.queries import tags_of
from annotate.models import ClipChange, Membership, User

NEWEST = 10


def change_context(
    membership: Membership, selection: Selection, form: ClipChangeForm
) -> dict[str, Any]:
    """Return the page's context; with a valid form, also the number of things it would change."""
    project = membership.project
    context: dict[str, Any] = {
        "membership": membership,
        "project": project,
        "selection": selection,
        "form": form,
        "tags": tags_of(project),
        "changes": ClipChange.objects.filter(project=project)
        .select_related("made_by")
        .defer("clips", "before")[:NEWEST],
    }
    if form.chosen_action and form.is_valid():
        action = ACTIONS[form.chosen_action]
        number = action.affected(project, selection.clips, form.values).count()
        context |= {"affected": number, "noun": action.noun_of(form.values)[number != 1]}
        context["says"] = action.says_of(form.values)
    return context


def made_context(membership: Membership, change: ClipChange) -> dict[str, Any]:
    action = ACTIONS[ClipChange.Action(change.action)]
    values = dict(change.values)
    if "person" in values:
        person = User.objects.filter(pk=values["person"]).first()
        values["person"] = str(person) if person else "Nobody"
    if "scope" in values:
        values["scope"] = dict(SCOPES).get(values["scope"], values["scope"])
    fields = ClipChangeForm.base_fields
    return {
        "membership": membership,
        "project": membership.project,
        "change": change,
        "chosen": len(change.clips),
        "noun": action.noun_of(change.values)[change.changed != 1],
        "values": [
            (fields[name].label or name.capitalize(), value)
            for name, value in values.items()
            if value != ""
        ],
        "may_undo": membership.has_role(*action.roles),
    }

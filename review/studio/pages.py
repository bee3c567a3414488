"""The release studio: what the next release would contain, and what to check first."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import QueryDict

from annotate.models import Membership, Project
from review.releases.choice import ALL, Choice
from review.releases.gates.clips import Clips
from review.releases.gates.findings import gate_states
from review.releases.gates.triplets import Triplets
from review.releases.models import ReleaseDraft
from review.releases.pages import build_context
from review.releases.queries import (
    branches_of,
    choice_of,
    content_of,
    described_clips,
    difference_of,
    has_content,
    is_identical,
    is_patch,
    latest_release,
    next_minor,
    next_release,
)
from review.studio.card import preview_card
from review.studio.changes import STATES, names_by_state, with_texts
from review.studio.forms import BuildForm, ChoiceForm, GatesForm
from review.verification.completeness import progress_of

Context = dict[str, Any]
NAMED = 5
PER_PAGE = 20


def studio_context(
    membership: Membership, *, form: BuildForm | None = None, gates: GatesForm | None = None
) -> Context:
    """Return what the page shows at once. What a build would freeze takes seconds to read in a
    large project: `checked_context` adds it, which the page asks for when it has loaded."""
    project = membership.project
    previous = latest_release(project)
    draft = ReleaseDraft.objects.filter(project=project).first()
    choice = Choice.of(draft.choice) if draft else ALL
    return {
        "has_triplets": project.protocol == Project.Protocol.TFCOVR,
        "is_lovr": project.protocol == Project.Protocol.LOVR,
        "previous": previous,
        # A choice that leaves nothing can be changed in place, so the form to build stays.
        "has_build": has_content(project),
        "choice_form": choice_form(project, choice),
        "gates_form": gates or GatesForm(states=gate_states(project)),
        "form": form
        or BuildForm(
            initial={"version": str(next_minor(previous)), "notes": draft.notes if draft else ""}
        ),
        **build_context(membership),
    }


def checked_context(membership: Membership) -> Context:
    """Return the whole page: also what a build would freeze, its difference to the last release,
    and what the checks find."""
    context = studio_context(membership)
    project, previous = membership.project, context["previous"]
    choice = choice_of(project)
    following = next_release(project, previous, context["gates_form"].states, choice)
    difference, content = following.difference, following.content
    triplets = content if isinstance(content, Triplets) else None
    left_out = len(content.left_out) if isinstance(content, Clips) else 0
    identical = is_identical(difference, previous, clip_files=choice.clip_files)
    return {
        **context,
        "following": following,
        "triplets": triplets.plan.triplets if triplets and triplets.plan else None,
        "tally": triplets.tally if triplets else None,
        "described": described_clips(project) if context["is_lovr"] else None,
        "progress": progress_of(project, complete=len(following.rows) + left_out)
        if isinstance(content, Clips)
        else None,
        "left_out": left_out,
        "is_identical": identical,
        "can_build": bool(following.rows) and not following.blocks and not identical,
        "is_patch": is_patch(previous, difference),
        "changes": [
            ("added", difference.added[:NAMED], len(difference.added)),
            ("changed", difference.changed[:NAMED], len(difference.changed)),
            ("withdrawn", difference.removed[:NAMED], len(difference.removed)),
        ],
    }


def card_context(membership: Membership) -> Context:
    project = membership.project
    previous, choice = latest_release(project), choice_of(project)
    draft = ReleaseDraft.objects.filter(project=project).first()
    following = next_release(project, previous, (), choice)
    return {
        "project": project,
        "membership": membership,
        "card": preview_card(
            following.content,
            version=str(following.suggested),
            notes=draft.notes if draft else "",
            choice=choice,
        )
        if following.rows
        else "",
    }


def choice_form(project: Project, choice: Choice) -> ChoiceForm:
    """Return the form of the project's protocol."""
    branches = branches_of(project) if project.protocol == Project.Protocol.CAREBENCH else []
    known = [*branches, *(name for name in choice.left_out if name not in branches)]
    return ChoiceForm(initial=choice.as_json(), protocol=project.protocol, branches=known)


def changes_context(membership: Membership, query: QueryDict) -> Context:
    """Return the changes of the next release: those in the state and with the text in their name
    that were asked for, a page at a time."""
    project = membership.project
    previous = latest_release(project)
    content = content_of(project, choice_of(project))
    names = names_by_state(difference_of(content, previous))
    state = query.get("change", "")
    text = query.get("name", "").strip()
    rows = [
        (name, kind)
        for kind, found in names.items()
        if not state or state == kind
        for name in found
        if text.casefold() in name.casefold()
    ]
    page = Paginator(rows, PER_PAGE).get_page(query.get("page"))
    return {
        "project": project,
        "membership": membership,
        "previous": previous,
        "counts": [(kind, len(names[kind])) for kind in STATES],
        "state": state,
        "text": text,
        "page": page,
        "changes": with_texts(membership, content, previous, list(page)),
        "query": urlencode({"change": state, "name": text}),
    }

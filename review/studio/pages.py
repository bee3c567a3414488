"""The release studio: the content of the next release, and what to check first."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import QueryDict
from django.utils import timezone

from annotate.jobs.queries import latest_job
from annotate.jobs.workers import last_beats
from annotate.models import Membership, Project, Role
from annotate.models.jobs import Job
from review.releases.choice import Choice
from review.releases.difference import next_minor
from review.releases.gates.findings import gate_states
from review.releases.pages import build_context
from review.releases.queries import (
    branches_of,
    choice_of,
    draft_of,
    has_content,
    latest_release,
    next_release,
    notes_of,
)
from review.studio.card import card_content, preview_card
from review.studio.changes import STATES, names_by_state, with_texts
from review.studio.comparing import (
    RECENT,
    Checked,
    Comparison,
    check,
    comparison_of,
    is_current,
    read_kept,
    takes_long,
)
from review.studio.forms import BuildForm, ChoiceForm, GatesForm
from review.studio.services import COMPARE_RELEASE, start_comparing

Context = dict[str, Any]
NAMED = 5
PER_PAGE = 20
JUST_ENDED = timedelta(seconds=30)
# Roles that can open a report.
READERS = (Role.ADMIN, Role.EXPERT, Role.REVIEWER)


def studio_context(
    membership: Membership, *, form: BuildForm | None = None, gates: GatesForm | None = None
) -> Context:
    """Return the part of the page that is available at once. What a build would freeze takes
    seconds to read in a large project: the page requests `checked_context` after loading."""
    project = membership.project
    previous = latest_release(project)
    draft = draft_of(project)
    choice = Choice.of(draft.choice)
    build = build_context(membership)
    return {
        "has_triplets": project.pipeline.release.content == "triplets",
        "has_scenes": project.pipeline.release.content == "scenes",
        "reads_reports": membership.has_role(*READERS),
        "previous": previous,
        # A choice that leaves nothing can be changed in place, so the build form stays.
        "has_build": has_content(project),
        "choice_form": choice_form(project, choice),
        "gates_form": gates or GatesForm(states=gate_states(project)),
        "form": form
        or BuildForm(initial={"version": str(next_minor(previous)), "notes": draft.notes}),
        "takes_focus": _takes_focus(membership, build["build"]),
        **build,
    }


def _takes_focus(membership: Membership, build: Job | None) -> bool:
    """Return whether the page goes to its build: the person has started it, and it is in progress
    or ended a moment ago, when the page that showed its progress loads again."""
    if build is None or build.created_by_id != membership.user_id:
        return False
    ended = build.finished_at
    return build.is_active or (ended is not None and timezone.now() - ended < JUST_ENDED)


def opened_context(membership: Membership) -> Context:
    """Return the page as first opened: for a large project with a worker's last comparison, which
    is read quickly."""
    if takes_long(membership.project):
        return checked_context(membership)
    return studio_context(membership)


def checked_context(membership: Membership, since: str = "") -> Context:
    """Return the whole page, including what a build would freeze, its difference to the last
    release, and the checks' findings. For a large project a worker compares this: the page shows
    the stored comparison, and lets a worker compare again if something has changed, or if the
    comparison is older than `since`, when the page began to wait or somebody asked for another one.
    """
    context = studio_context(membership)
    project, choice = membership.project, choice_of(membership.project)
    comparison = Comparison(project, context["previous"], choice, context["gates_form"].states)
    if not takes_long(project):
        return context | _compared(check(comparison))
    asked = _time(since)
    checked = read_kept(comparison)
    if checked is None:
        return context | waiting_context(project, asked)
    context |= _compared(checked) | _kept(project, checked)
    due = asked or (timezone.now() - RECENT if context["is_outdated"] else checked.at)
    return context | (waiting_context(project, asked) if checked.at < due else {})


def _kept(project: Project, checked: Checked) -> Context:
    """Return how old the comparison of a large project is."""
    return {"compared_at": checked.at, "is_outdated": not is_current(checked, project)}


def _compared(checked: Checked) -> Context:
    difference = checked.difference
    return {
        "following": checked,
        "triplets": checked.triplets,
        "tally": checked.tally,
        "described": checked.described,
        "progress": checked.progress,
        "left_out": checked.left_out,
        "taken_down": checked.taken_down,
        "is_identical": checked.is_identical,
        "is_patch": checked.is_patch,
        "changes": [
            (kind, names[:NAMED], len(names)) for kind, names in names_by_state(difference).items()
        ],
    }


def have_compared(project: Project, since: datetime | None = None) -> Job:
    """Have a worker compare the project, unless one has failed to since, or a moment ago."""
    job = latest_job(project.pk, COMPARE_RELEASE)
    after = since or timezone.now() - RECENT
    if job is None or job.state != Job.State.FAILED or job.created_at < after:
        job = start_comparing(project=project)
    return job


def waiting_context(project: Project, since: datetime | None) -> Context:
    """Let a worker compare the project. Return the page to show until then."""
    job = have_compared(project, since)
    silence = last_beats().silence_in(job.queue) if job.is_active else None
    return {
        # The worker's clock, with which this is compared, can be a little late.
        "since": (since or job.created_at - RECENT).isoformat(),
        "comparing": job,
        "silence": silence,
        "waits": ("silent" if silence and silence.since else "working") if job.is_active else "",
    }


def _time(text: str) -> datetime | None:
    """Return a time that a page has sent, None without one; none is in the future."""
    try:
        sent = datetime.fromisoformat(text)
        return min(sent, timezone.now())
    except (ValueError, TypeError):
        return None


def card_context(membership: Membership) -> Context:
    """Return the card of the next release: for a large project from a worker's last comparison,
    with the current name, license and notes."""
    project = membership.project
    context: Context = {"project": project, "membership": membership, "part": "card"}
    comparison = comparison_of(project)
    if takes_long(project):
        checked = read_kept(comparison)
        if checked is None:
            return context | waiting_context(project, None)
        content, version = checked.card, checked.suggested
        context |= _kept(project, checked)
    else:
        following = next_release(project, comparison.previous, (), comparison.choice)
        content = card_content(following.content, comparison.choice)
        version = str(following.suggested)
    notes = notes_of(project)
    card = preview_card(project, content, version=version, notes=notes) if content else ""
    return {**context, "card": card}


def choice_form(project: Project, choice: Choice) -> ChoiceForm:
    """Return the form of the project's protocol."""
    choices = project.pipeline.release.choices
    branches = branches_of(project) if "left_out" in choices else []
    branch_choices = [*branches, *(name for name in choice.left_out if name not in branches)]
    return ChoiceForm(initial=choice.as_json(), choices=choices, branches=branch_choices)


def changes_context(membership: Membership, query: QueryDict) -> Context:
    """Return the changes of the next release: those in the state and with the text in their name
    that were asked for, a page at a time."""
    project = membership.project
    comparison = comparison_of(project)
    previous = comparison.previous
    context = {
        "project": project,
        "membership": membership,
        "previous": previous,
        "part": "changes",
    }
    # For a large project the last comparison, of any age: the page shows its time.
    if takes_long(project):
        checked = read_kept(comparison)
        if checked is None:
            return context | waiting_context(project, None)
        context |= _kept(project, checked)
    else:
        checked = check(comparison)
    names = names_by_state(checked.difference)
    state = query.get("change", "")
    text = query.get("name", "").strip()
    rows = [
        (name, kind)
        for kind, names_of_kind in names.items()
        if not state or state == kind
        for name in names_of_kind
        if text.casefold() in name.casefold()
    ]
    page = Paginator(rows, PER_PAGE).get_page(query.get("page"))
    return {
        **context,
        "counts": [(kind, len(names[kind])) for kind in STATES],
        "state": state,
        "text": text,
        "page": page,
        "changes": with_texts(
            membership, checked.captions, checked.clip_keys, previous, list(page)
        ),
        "query": urlencode({"change": state, "name": text}),
    }

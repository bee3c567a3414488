"""The pages that list candidates, decide about one, and import them."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.paginator import Paginator

from annotate.candidates.forms import (
    REJECT,
    SELECT,
    TAKE_BACK,
    UNDO,
    WITHDRAW,
    CandidatesForm,
    DecisionForm,
    ManyForm,
)
from annotate.candidates.queries import (
    TABS,
    WITHDRAWN,
    decision_history,
    in_tab,
    needs_of,
    next_undecided,
    tab_counts,
)
from annotate.candidates.starting import CUT_CANDIDATES, candidates_to_cut
from annotate.jobs.queries import latest_job
from annotate.jobs.workers import last_beats
from annotate.models import Candidate, Clip, Membership

Context = dict[str, Any]
State = Candidate.State
PAGE_LENGTH = 50


def candidates_context(
    membership: Membership, query: Any, refused: ManyForm | None = None
) -> Context:
    """Return the list; `refused` is an invalid form about several candidates, to show again."""
    project = membership.project
    needs = needs_of(project)
    form = CandidatesForm(query, needs=needs)
    candidates = in_tab(project, form.tab)
    if form.chosen:
        candidates = candidates.filter(subcategory=form.chosen)
    rows = candidates.select_related("video", "cut", "decided_by").order_by("subcategory", "pk")
    counts = tab_counts(project)
    chosen = {"subcategory": form.chosen} if form.chosen else {}
    return {
        "membership": membership,
        "project": project,
        "form": form,
        "page": Paginator(rows, PAGE_LENGTH).get_page(query.get("page")),
        "query": urlencode({"state": form.tab, **chosen}),
        "tabs": [
            (name, urlencode({"state": tab, **chosen}), counts[tab], tab == form.tab)
            for tab, name in TABS.items()
        ],
        "tab": form.tab,
        "has_any": any(counts.values()),
        "needs": needs,
        "missing": sum(need.missing for need in needs),
        "most_clips": max([project.quota_max, *(need.clips for need in needs)]),
        "quota_width": project.quota_max - project.quota_min,
        "first": next_undecided(project) if counts[State.UNDECIDED] else None,
        "many": refused or ManyForm(keys=[]),
        **cutting_context(membership),
    }


def cutting_context(membership: Membership) -> Context:
    """Return the selected candidates that wait to be cut, and the job that cuts them."""
    project = membership.project
    job = latest_job(project.pk, CUT_CANDIDATES)
    is_cutting = job is not None and job.is_active
    return {
        "project": project,
        "uncut": candidates_to_cut(project.pk).count(),
        "cutting": job,
        "is_cutting": is_cutting,
        "silence": last_beats().silence_in(job.queue) if job and is_cutting else None,
    }


def candidate_context(
    membership: Membership, candidate: Candidate, last: Candidate | None, form: forms.Form | None
) -> Context:
    """Return the page of one candidate. `last` was decided just before."""
    project = membership.project
    needs = needs_of(project)
    mine = (candidate.category, candidate.subcategory)
    return {
        "membership": membership,
        "project": project,
        "candidate": candidate,
        "state": state_of(candidate),
        "actions": actions_for(candidate),
        "clip": _as_clip(candidate),
        "cut_clip": _cut_clip(candidate),
        "form": form or DecisionForm(actions=actions_for(candidate)),
        "needs": needs,
        "need": next(need for need in needs if (need.category, need.subcategory) == mine),
        "following": next_undecided(project, candidate),
        "last": last,
        "history": decision_history(candidate),
    }


def state_of(candidate: Candidate) -> str:
    is_withdrawn = candidate.cut is not None and candidate.cut.excluded_because
    return WITHDRAWN if is_withdrawn else candidate.state


def actions_for(candidate: Candidate) -> list[str]:
    """Return what can be done now."""
    if candidate.cut is not None:
        return [TAKE_BACK if candidate.cut.excluded_because else WITHDRAW]
    return {
        State.UNDECIDED.value: [SELECT, REJECT],
        State.SELECTED.value: [UNDO, REJECT],
        State.REJECTED.value: [SELECT, UNDO],
    }[candidate.state]


def _as_clip(candidate: Candidate) -> Clip:
    """Return what the player shows: the candidate's frames of its source video."""
    whole = Clip.objects.get(
        video=candidate.video_id, start_frame=0, end_frame=candidate.video.frames
    )
    return Clip(
        pk=whole.pk,
        project=candidate.project,
        video=candidate.video,
        name=candidate.name,
        start_frame=candidate.start_frame,
        end_frame=candidate.end_frame,
    )


def _cut_clip(candidate: Candidate) -> Clip | None:
    return Clip.objects.filter(video=candidate.cut_id).first() if candidate.cut_id else None

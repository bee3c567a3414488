"""The votes of a round that don't count, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.paginator import Paginator

from annotate.forms import ListForm
from annotate.models import Membership
from review.comparisons.blindness import may_read_votes
from review.comparisons.cast import WHY
from review.comparisons.models import Round, Vote
from review.comparisons.queries import votes_by_key
from review.leaderboard import NAME
from review.leaderboard.pages import WHY_NAMES
from review.reports.models import Report
from review.reports.results import result_of
from review.rounds.queries import systems_of

PER_PAGE = 50


class WhyForm(ListForm):
    why = forms.ChoiceField(
        label="Why", required=False, choices=[("", "Any reason"), *WHY_NAMES.items()]
    )

    @property
    def reason(self) -> str:
        chosen: str = self.cleaned_data.get("why", "")
        return chosen


@dataclass(frozen=True)
class FilteredVotes:
    """The part of a leaderboard read here: the keys of votes by the reason why they don't count."""

    filtered: Mapping[str, Sequence[int]]


@dataclass(frozen=True)
class Filtered:
    """A vote that does not count. `left`, `right`, `clip` and `outcome` are empty for people who
    may still have to judge the captions: they must not learn whose was on which side.
    """

    vote: Vote
    why: str
    because: str
    clip: str = ""
    left: str = ""
    right: str = ""
    outcome: str = ""


def filtered_context(
    membership: Membership, round: Round, form: WhyForm, page_number: str | None
) -> dict[str, Any]:
    """Return the context, from the newest report."""
    project = membership.project
    report = Report.objects.newest(project, NAME).filter(subject=str(round.pk)).first()
    listed = _listed(report, form.reason) if report else []
    page = Paginator(listed, PER_PAGE).get_page(page_number)
    is_open = round.ended_at is None or not may_read_votes(membership, round)
    return {
        "membership": membership,
        "project": project,
        "round": round,
        "report": report,
        "form": form,
        "query": form.query(),
        "page": page,
        "rows": _rows({} if is_open else systems_of(round), list(page.object_list)),
        "is_open": is_open,
    }


def _listed(report: Report, only: str) -> list[tuple[int, str]]:
    """Return (key, reason), ordered by the votes' keys."""
    filtered = result_of(report, FilteredVotes).filtered
    return sorted((key, why) for why in WHY if only in ("", why) for key in filtered[why])


def _rows(names: dict[str, Any], listed: Sequence[tuple[int, str]]) -> list[Filtered]:
    votes = votes_by_key([key for key, _ in listed])
    return [_row(votes[key], why, names) for key, why in listed]


def _row(vote: Vote, why: str, names: dict[str, Any]) -> Filtered:
    if not names:
        return Filtered(vote, WHY_NAMES[why], WHY[why])
    caption_pair = vote.caption_pair
    return Filtered(
        vote=vote,
        why=WHY_NAMES[why],
        because=WHY[why],
        clip=caption_pair.clip.name,
        left=names[str(caption_pair.left.system_id)].name,
        right=names[str(caption_pair.right.system_id)].name,
        outcome=vote.get_outcome_display(),
    )

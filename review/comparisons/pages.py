"""The pages of a person's own votes. They contain a name only if the person has already seen it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.core.paginator import Paginator

from annotate.models import Membership
from annotate.queue.content import Content
from annotate.queue.pages import without_name
from annotate.text.parts import Problem
from review.comparisons.models import CaptionPair, Round, Vote
from review.comparisons.pairing import running_round
from review.comparisons.queries import Seen, counted_up_to, own_votes
from review.comparisons.services import COUNTED
from review.comparisons.work import choice_context, sides_of, stored_choice

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

PER_PAGE = 50


@dataclass(frozen=True)
class VoteRow:
    """A current vote. `names`: of left and right, empty until shown. `stays`: why the vote can't be
    changed. `names_wait`: why the names can't be shown yet.
    """

    caption_pair: int
    clip: str
    vote: Vote
    outcome: str
    reasons: list[str]
    is_changed: bool
    names: tuple[str, ...] = field(default=())
    stays: str = ""
    names_wait: str = ""


def votes_context(membership: Membership, page_number: str | None) -> dict[str, Any]:
    page = Paginator(own_votes(membership), PER_PAGE).get_page(page_number)
    running = running_round(membership.project_id)
    counted = counted_up_to(membership.project, running.pk) if running else 0
    return {
        "membership": membership,
        "project": membership.project,
        "page": page,
        "rows": [_row(vote, counted) for vote in page.object_list],
    }


def vote_context(
    membership: Membership,
    caption_pair: CaptionPair,
    *,
    content: Content | None = None,
    problems: Sequence[Problem] = (),
    refused: str = "",
) -> dict[str, Any]:
    """Return the context of one vote with its captions. `content` is the form's content if it
    differs from the stored vote; `refused` says why it wasn't stored.
    """
    counted = counted_up_to(membership.project, caption_pair.round_id)
    row = _row(own_votes(membership).get(caption_pair=caption_pair), counted)
    names = dict(zip(("left", "right"), row.names, strict=False))
    return {
        "membership": membership,
        "project": membership.project,
        "clip": without_name(caption_pair.clip),
        "row": row,
        "sides": sides_of(caption_pair, names),
        "earlier": Vote.with_known_answers.filter(caption_pair=caption_pair).exclude(
            pk=row.vote.pk
        ),
        "refused": refused,
        "problems": problems,
        "problem_by_field": {problem.field: problem.message for problem in problems},
        # The player lists the keys of this kind of work.
        "kind": "compare",
        **(stored_choice(row.vote) if content is None else choice_context(content)),
    }


def _row(vote: WithAnnotations[Vote, Seen], counted: int) -> VoteRow:
    """Return a row of the list. `counted`: the key of the newest vote of the running round that
    counts.
    """
    caption_pair = vote.caption_pair
    names = (caption_pair.left.system.name, caption_pair.right.system.name)
    return VoteRow(
        caption_pair=caption_pair.pk,
        clip=caption_pair.clip.short_name,
        vote=vote,
        outcome=vote.get_outcome_display(),
        reasons=[Vote.Reason(reason).label for reason in vote.reasons],
        is_changed=vote.corrects_id is not None,
        names=names if caption_pair.names_shown_at else (),
        stays=_why_it_stays(vote, counted),
        names_wait=_why_names_wait(caption_pair.round),
    )


def _why_it_stays(vote: WithAnnotations[Vote, Seen], counted: int) -> str:
    if vote.caption_pair.names_shown_at:
        return "Final: you have seen the names."
    if vote.caption_pair.round.ended_at:
        return "Final: the round has ended."
    if vote.knows_clip:
        return "Final: you have seen the name of a model for this clip."
    if vote.first_cast <= counted:
        return COUNTED
    return ""


def _why_names_wait(round: Round) -> str:
    keeps = round.names_shown == Round.NamesShown.AFTER_ROUND
    return "Names are shown after the round ends." if keeps and not round.ended_at else ""

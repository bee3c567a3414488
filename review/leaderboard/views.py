"""Ratings of a round's models by Elo and Bradley-Terry, and the votes behind them."""

from __future__ import annotations

from collections.abc import Iterator

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from annotate.access import UserRequest
from annotate.models import Membership, Project
from review import access
from review.comparisons import access as comparisons_access
from review.comparisons.models import ComparisonRound
from review.leaderboard.files import ratings_csv, ratings_json, votes_csv, votes_json
from review.leaderboard.filtered import WhyForm, filtered_context
from review.leaderboard.pages import leaderboard_context, leaderboard_state
from review.reports.models import Report
from review.reports.services import ask_to_recompute, recompute_later
from review.reports.state import ReportState
from review.reports.views import state_response

JSON, CSV = "application/json", "text/csv"


@require_GET
def leaderboard(request: UserRequest, slug: str) -> HttpResponse:
    return _page(request, access.reviewer(request, slug), None)


@require_GET
def of_round(request: UserRequest, slug: str, round_id: int) -> HttpResponse:
    return _page(request, *comparisons_access.comparison_round(request, slug, round_id))


def _page(
    request: UserRequest, membership: Membership, round: ComparisonRound | None
) -> HttpResponse:
    context = leaderboard_context(membership, round)
    _count_votes(membership.project, context["state"])
    return render(request, "review/leaderboard/leaderboard.html", context)


@require_GET
def live(request: UserRequest, slug: str) -> HttpResponse:
    project = access.reviewer(request, slug).project
    state = leaderboard_state(project)
    _count_votes(project, state)
    return state_response(request, state)


def _count_votes(project: Project, state: ReportState) -> None:
    """Votes are counted when somebody looks, and not as they come: one that is counted stays."""
    if state.due:
        recompute_later(project.pk, Report.Name.LEADERBOARD)


@require_POST
def recompute(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.reviewer(request, slug)
    ask_to_recompute(project=membership.project, name=Report.Name.LEADERBOARD, person=request.user)
    messages.info(request, "A worker is computing the numbers.")
    return redirect("review:leaderboard", slug)


@require_GET
def filtered(request: UserRequest, slug: str, round_id: int) -> HttpResponse:
    membership, round = comparisons_access.comparison_round(request, slug, round_id)
    context = filtered_context(membership, round, WhyForm(request.GET), request.GET.get("page"))
    return render(request, "review/leaderboard/filtered.html", context)


@require_GET
def numbers_csv(request: UserRequest, slug: str, round_id: int) -> HttpResponseBase:
    _, round, report = comparisons_access.leaderboard_report(request, slug, round_id)
    return _file(ratings_csv(round, report), CSV, f"{slug}-round-{round.number}-ratings.csv")


@require_GET
def numbers_json(request: UserRequest, slug: str, round_id: int) -> HttpResponseBase:
    _, round, report = comparisons_access.leaderboard_report(request, slug, round_id)
    return _file(ratings_json(round, report), JSON, f"{slug}-round-{round.number}-ratings.json")


@require_GET
def all_votes_csv(request: UserRequest, slug: str, round_id: int) -> HttpResponseBase:
    membership, round = comparisons_access.votes_of_round(request, slug, round_id)
    return _file(votes_csv(round, membership), CSV, f"{slug}-round-{round.number}-votes.csv")


@require_GET
def all_votes_json(request: UserRequest, slug: str, round_id: int) -> HttpResponseBase:
    membership, round = comparisons_access.votes_of_round(request, slug, round_id)
    return _file(votes_json(round, membership), JSON, f"{slug}-round-{round.number}-votes.json")


def _file(content: str | Iterator[str], kind: str, name: str) -> HttpResponseBase:
    make = HttpResponse if isinstance(content, str) else StreamingHttpResponse
    disposition = f'attachment; filename="{name}"'
    return make(
        content,
        content_type=f"{kind}; charset=utf-8",
        headers={"Content-Disposition": disposition},
    )

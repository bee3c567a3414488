"""Views of models on a set's test queries: tables, files, imports, and runs here."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from annotate.access import UserRequest
from annotate.jobs.workers import last_beats
from annotate.models import Membership
from annotate.refusals import refusal_in
from annotate.responses import back_to_list, file_to_save
from review.composed import access as composed_access
from review.composed.result_files import (
    TITLES,
    results_signature,
    results_table,
)
from review.composed.result_forms import CONVENTIONS, ConventionForm, ImportRankingForm, RankForm
from review.composed.results import N_BOOTSTRAP, current_rankings, result_tables
from review.composed.runs import start_ranking, unfinished_jobs
from review.composed.scoring import KS
from review.composed.services import import_ranking, remove_ranking
from review.reports.files import FILE_TYPES
from review.triplets import access as triplets_access
from review.triplets.models import TripletSet

SHOWN_JOBS = 5


@require_GET
def results(request: UserRequest, slug: str, number: int) -> HttpResponse:
    return _page(request, *triplets_access.triplet_set(request, slug, number))


@require_GET
def results_file(request: UserRequest, slug: str, number: int) -> HttpResponseBase:
    """Download the results; `?as=` csv, json or tex; `?by=` a convention, for tex."""
    _, triplets = triplets_access.triplet_set(request, slug, number)
    table = results_table(triplets, ConventionForm(request.GET).convention)
    kind = request.GET.get("as", "csv")
    kind = kind if kind in FILE_TYPES else "csv"
    return file_to_save(table.text(kind) or "", f"{slug}-set-{number}-results.{kind}")


@require_POST
def import_file(request: UserRequest, slug: str, number: int) -> HttpResponse:
    membership, triplets = triplets_access.administered_set(request, slug, number)
    form = ImportRankingForm(request.POST, request.FILES)
    if form.is_valid():
        upload = form.cleaned_data["rankings"]
        with refusal_in(form, "rankings"):
            made = import_ranking(
                triplets=triplets,
                facts=form.facts,
                file_name=upload.name,
                data=upload.read(),
                verified_only=form.cleaned_data["verified_only"],
                admin=request.user,
            )
            messages.success(request, f"The rankings of {made} are imported.")
            return redirect("review:composed_results", slug, number)
    return _page(request, membership, triplets, form, status=422)


@require_POST
def rank(request: UserRequest, slug: str, number: int) -> HttpResponse:
    """Have a model here rank the queries."""
    membership, triplets = triplets_access.administered_set(request, slug, number)
    form = RankForm(triplets, request.POST)
    if form.is_valid():
        with refusal_in(form, "subject"):
            start_ranking(triplets=triplets, choice=form.choice, admin=request.user)
            return redirect("review:composed_results", slug, number)
    return _page(request, membership, triplets, rank_form=form, status=422)


@require_POST
def remove(request: UserRequest, slug: str, ranking_id: int) -> HttpResponse:
    ranking = composed_access.administered_ranking(request, slug, ranking_id)
    remove_ranking(ranking=ranking, admin=request.user)
    messages.success(request, f"The rankings of {ranking} are no longer used.")
    return back_to_list(request, "review:composed_results", slug, ranking.triplets.number)


def _page(
    request: UserRequest,
    membership: Membership,
    triplets: TripletSet,
    form: ImportRankingForm | None = None,
    rank_form: RankForm | None = None,
    status: int = 200,
) -> HttpResponse:
    convention = ConventionForm(request.GET).convention
    jobs = list(unfinished_jobs(triplets)[:SHOWN_JOBS])
    active = next((job for job in jobs if job.is_active), None)
    context = {
        "membership": membership,
        "project": membership.project,
        "triplets": triplets,
        "tables": [
            (table, TITLES[table.number])
            for table in result_tables(triplets, convention)
            if table.groups
        ],
        "rankings": current_rankings(triplets),
        "conventions": CONVENTIONS,
        "convention": convention,
        "signature": results_signature(triplets, convention),
        "ks": KS,
        "n_bootstrap": N_BOOTSTRAP,
        "form": form or ImportRankingForm(),
        "rank_form": rank_form or (RankForm(triplets) if membership.is_admin else None),
        "jobs": jobs,
        "is_ranking": active is not None,
        "silence": last_beats().silence_in(active.queue) if active else None,
    }
    return render(request, "review/composed/results.html", context, status=status)

"""Views of triplet sets, their verification and their files."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from annotate.access import UserRequest
from annotate.clips_to_do import subjects_to_do
from annotate.models import Membership
from annotate.refusals import refusal_shown
from annotate.responses import file_to_save
from review import access
from review.errors import ReviewError
from review.exchange.archive import compressed
from review.triplets import access as triplets_access
from review.triplets.exchange import triplet_files
from review.triplets.figure_file import send_figure, triplet_figure
from review.triplets.forms import GenerateForm, HandOutForm, WordsForm
from review.triplets.models import TripletSet
from review.triplets.pages import (
    generate_form,
    set_context,
    sets_context,
    triplets_context,
    words_context,
)
from review.triplets.sets import start_triplet_set
from review.triplets.text_statistics import STATISTICS
from review.triplets.verdicts import hand_out_queries


@require_GET
def triplets(request: UserRequest, slug: str) -> HttpResponse:
    return _page(request, access.reviewer(request, slug))


@require_GET
def live(request: UserRequest, slug: str) -> HttpResponse:
    """Return the sets, for htmx, while one is being generated."""
    membership = access.reviewer(request, slug)
    return render(request, "review/triplets/triplet_sets.html", sets_context(membership.project))


@require_POST
def generate(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    form = generate_form(membership.project, request.POST)
    if not form.is_valid():
        return _page(request, membership, form, status=422)
    with refusal_shown(request):
        start_triplet_set(project=membership.project, admin=request.user, **form.choice)
        messages.success(request, "Started. You can leave this page.")
    return redirect("review:triplets", slug)


@require_POST
def preview(request: UserRequest, slug: str) -> HttpResponse:
    """Preview what the caps leave out; nothing is stored."""
    membership = access.admin(request, slug)
    form = generate_form(membership.project, request.POST)
    form.fields["begins_anew"].required = False
    return _page(request, membership, form, status=200 if form.is_valid() else 422)


@require_GET
def triplet_set(request: UserRequest, slug: str, number: int) -> HttpResponse:
    return _set_page(request, *triplets_access.triplet_set(request, slug, number))


@require_POST
def hand_out(request: UserRequest, slug: str, number: int) -> HttpResponse:
    membership, triplet_set = triplets_access.administered_set(request, slug, number)
    form = HandOutForm(request.POST)
    if not form.is_valid():
        return _set_page(request, membership, triplet_set, form, status=422)
    new = hand_out_queries(triplets=triplet_set, admin=request.user, **form.choice)
    if new:
        noun = "query is waiting" if new == 1 else "queries are waiting"
        messages.success(request, f"{new} {noun} under My work.")
    else:
        messages.info(request, "This split has no queries, or all are already handed out.")
    return redirect("review:triplet_set", slug, number)


@require_GET
def download(request: UserRequest, slug: str, number: int) -> HttpResponseBase:
    """Download the files; `?verified=1` has only verified queries of the test split."""
    membership, triplet_set = triplets_access.triplet_set(request, slug, number)
    if subjects_to_do(membership, "triplet") is not None:
        messages.error(
            request,
            "The files have the verdicts, which would tell known answers from work. Ask an admin "
            "for them.",
        )
        return redirect("review:triplet_set", slug, number)
    verified_only = request.GET.get("verified") == "1"
    try:
        files = triplet_files(triplet_set, verified_only=verified_only)
    except ReviewError as error:
        messages.error(request, str(error))
        return redirect("review:triplet_set", slug, number)
    folder = f"{slug}-triplets-{number}{'-verified' if verified_only else ''}"
    archive = compressed(folder, ((file.path, file.chunks()) for file in files))
    return file_to_save(archive, f"{folder}.zip")


@require_GET
def words(request: UserRequest, slug: str, number: int) -> HttpResponse:
    membership, triplet_set = triplets_access.triplet_set(request, slug, number)
    context = words_context(membership, triplet_set, WordsForm(request.GET))
    return render(request, "review/triplets/words.html", context)


@require_GET
def statistics(request: UserRequest, slug: str, number: int, counts: str) -> HttpResponseBase:
    """Download the statistics of the texts, or the words, as CSV."""
    _, triplet_set = triplets_access.triplet_set(request, slug, number)
    if counts not in STATISTICS:
        raise Http404("There is no such table.")
    return file_to_save(STATISTICS[counts](triplet_set), f"{slug}-triplets-{number}-{counts}.csv")


@require_GET
def figure(request: UserRequest, slug: str, number: int, query_id: int) -> HttpResponseBase:
    """Download a query with its targets as SVG."""
    _, query = triplets_access.composed_query(request, slug, number, query_id)
    name = f"{slug}-triplets-{number}-query-{query_id}.svg"
    return send_figure(triplet_figure(query), query, name)


def _page(
    request: UserRequest,
    membership: Membership,
    form: GenerateForm | None = None,
    status: int = 200,
) -> HttpResponse:
    return render(
        request, "review/triplets/triplets.html", triplets_context(membership, form), status=status
    )


def _set_page(
    request: UserRequest,
    membership: Membership,
    triplet_set: TripletSet,
    form: HandOutForm | None = None,
    status: int = 200,
) -> HttpResponse:
    context = set_context(membership, triplet_set, form)
    return render(request, "review/triplets/triplet_set.html", context, status=status)

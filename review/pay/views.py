"""The pages of pay: a person's own, everybody's for admins, and rates."""

from __future__ import annotations

from datetime import date

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from annotate.access import UserRequest, member
from annotate.refusals import refusal_in, refusal_shown
from annotate.responses import back_to_list, file_to_save
from review import access
from review.pay import access as pay_access
from review.pay import services, terms
from review.pay.forms import (
    END_IDS,
    ApprovalForm,
    BonusForm,
    CorrectionForm,
    CurrencyForm,
    EndPayForm,
    RateForm,
)
from review.pay.pages import (
    pay_context,
    people_context,
    period_end,
    person_context,
    rates_context,
    statement_context,
    statements_csv,
)
from review.pay.queries import in_short


@require_GET
def pay(request: UserRequest, slug: str) -> HttpResponse:
    return render(request, "review/pay/pay.html", pay_context(member(request, slug)))


@require_GET
def statement(request: UserRequest, slug: str, statement_id: int) -> HttpResponse:
    membership = member(request, slug)
    approved = pay_access.statement_in(membership, statement_id)
    return render(request, "review/pay/statement.html", statement_context(membership, approved))


@require_GET
def people(request: UserRequest, slug: str) -> HttpResponse:
    context = people_context(access.admin(request, slug), request.GET)
    return render(request, "review/pay/people.html", context)


@require_POST
def record(request: UserRequest, slug: str) -> HttpResponse:
    count = services.record_pay(project=access.admin(request, slug).project)
    messages.success(request, f"{count:,} new {'entry' if count == 1 else 'entries'}.")
    return back_to_list(request, "review:pay_people", slug)


@require_GET
def download(request: UserRequest, slug: str) -> HttpResponseBase:
    lines = statements_csv(access.admin(request, slug).project)
    return file_to_save(lines, f"{slug}-pay.csv")


@require_GET
def person(request: UserRequest, slug: str, person_id: int) -> HttpResponse:
    membership, chosen = pay_access.paid_person(request, slug, person_id)
    context = person_context(membership, chosen, period_end(request.GET))
    return render(request, "review/pay/person.html", context)


@require_POST
def correct(request: UserRequest, slug: str, person_id: int) -> HttpResponse:
    membership, chosen = pay_access.paid_person(request, slug, person_id)
    form, until = CorrectionForm(request.POST), period_end(request.GET)
    if form.is_valid():
        with refusal_in(form):
            services.correct_pay(
                project=membership.project,
                person=chosen,
                admin=request.user,
                **form.cleaned_data,
            )
            messages.success(request, "Added. It is in the next statement.")
            return _to_person(slug, person_id, until)
    context = person_context(membership, chosen, until, form)
    return render(request, "review/pay/person.html", context, status=422)


@require_POST
def approve(request: UserRequest, slug: str, person_id: int) -> HttpResponse:
    membership, chosen = pay_access.paid_person(request, slug, person_id)
    form = ApprovalForm(request.POST)
    if form.is_valid():
        with refusal_in(form):
            services.approve_pay(
                project=membership.project, person=chosen, admin=request.user, **form.cleaned_data
            )
            messages.success(request, "Approved.")
            return _to_person(slug, person_id, form.cleaned_data["until"])
    until = period_end(request.POST)
    context = person_context(membership, chosen, until, approval=form)
    return render(request, "review/pay/person.html", context, status=422)


def _to_person(slug: str, person_id: int, until: date) -> HttpResponse:
    page = reverse("review:person_pay", args=[slug, person_id])
    return redirect(f"{page}?until={until.isoformat()}")


@require_POST
def bonus(request: UserRequest, slug: str, check_id: int) -> HttpResponse:
    check = pay_access.spot_check(request, slug, check_id)
    with refusal_shown(request):
        count = services.pay_bonus(check=check, admin=request.user)
        messages.success(request, f"{count} {'person gets' if count == 1 else 'people get'} it.")
    return back_to_list(request, "review:pay_people", slug)


@require_GET
def rates(request: UserRequest, slug: str) -> HttpResponse:
    """Show the rates. `?kind=` is the work that the form offers first."""
    context = rates_context(access.admin(request, slug), kind=request.GET.get("kind", ""))
    return render(request, "review/pay/rates.html", context)


@require_POST
def currency(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    form = CurrencyForm(request.POST)
    if form.is_valid():
        with refusal_in(form):
            terms.set_currency(project=membership.project, admin=request.user, **form.cleaned_data)
            messages.success(request, "Saved.")
            return redirect("review:pay_rates", slug)
    context = rates_context(membership, currency=form)
    return render(request, "review/pay/rates.html", context, status=422)


@require_POST
def add_rate(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    form = RateForm(request.POST)
    if form.is_valid():
        with refusal_in(form):
            rate = terms.add_rate(
                project=membership.project, admin=request.user, **form.cleaned_data
            )
            day = in_short(rate.starts_on)
            messages.success(request, f"{rate.get_kind_display()}: rate from {day} added.")
            return redirect(f"{reverse('review:pay_rates', args=[slug])}?kind={rate.kind}")
    context = rates_context(membership, rate=form)
    return render(request, "review/pay/rates.html", context, status=422)


@require_POST
def end_pay(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    form = EndPayForm(request.POST, auto_id=END_IDS)
    if form.is_valid():
        with refusal_in(form):
            rate = terms.end_pay(
                project=membership.project, admin=request.user, **form.cleaned_data
            )
            day = in_short(rate.starts_on)
            messages.success(request, f"{rate.get_kind_display()}: not paid from {day}.")
            return redirect("review:pay_rates", slug)
    context = rates_context(membership, end=form)
    return render(request, "review/pay/rates.html", context, status=422)


@require_POST
def change_bonus(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    form = BonusForm(request.POST)
    if form.is_valid():
        with refusal_in(form):
            terms.set_bonus(project=membership.project, admin=request.user, **form.cleaned_data)
            messages.success(request, "Saved.")
            return redirect("review:pay_rates", slug)
    context = rates_context(membership, bonus=form)
    return render(request, "review/pay/rates.html", context, status=422)

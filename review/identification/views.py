"""Start and end a test of identification, and change a pick."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from annotate.access import UserRequest, own_assignment
from annotate.queue.queries import held_meanwhile
from annotate.refusals import refusal_in, refusal_shown
from review import access
from review.identification import access as identification_access
from review.identification import services
from review.identification.forms import StartForm
from review.identification.pages import IdentificationPage, identification_context

PAGE = IdentificationPage()


@require_POST
def start(request: UserRequest, slug: str) -> HttpResponse:
    membership = identification_access.with_texts_to_identify(access.admin(request, slug))
    form = StartForm(request.POST, auto_id="start-%s")
    if form.is_valid():
        with refusal_in(form):
            services.start_test(project=membership.project, admin=request.user, **form.cleaned_data)
            messages.success(request, "The test is running. Its texts are under My work.")
            return redirect(PAGE.url(membership.project))
    context = identification_context(membership, form, PAGE)
    if not context["may_start"]:
        messages.error(request, "A test has been started meanwhile: end it first.")
    elif not context["testable"]:
        messages.error(
            request,
            "No subcategory has four complete clips any more: complete more clips, then start it.",
        )
    return render(request, PAGE.template, context, status=422)


@require_POST
def end(request: UserRequest, slug: str) -> HttpResponse:
    membership = access.admin(request, slug)
    with refusal_shown(request):
        services.end_test(project=membership.project, admin=request.user)
        messages.success(request, "The test has ended. Its picks count.")
    return redirect(PAGE.url(membership.project))


@require_POST
def pick_again(request: UserRequest, assignment_id: int) -> HttpResponse:
    assignment = own_assignment(request, assignment_id, "identify")
    with refusal_shown(request):
        services.pick_again(assignment=assignment, typed=request.POST.get("place", ""))
        messages.success(request, "Your pick is changed.")
        if held := held_meanwhile(assignment):
            return redirect("annotate:work", held.pk)
        return redirect("annotate:my_work", assignment.item.project.slug)
    return redirect("annotate:work", assignment.pk)

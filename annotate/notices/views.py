"""A person's notices over all their projects, and which they want."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotate.access import UserRequest
from annotate.notices import services
from annotate.notices.forms import BY_MAIL, IN_APP, ChoicesForm
from annotate.notices.pages import notices_context
from annotate.notices.queries import choices_of, own_notices
from annotate.responses import back_to_list


@never_cache
@require_GET
def notices(request: UserRequest) -> HttpResponse:
    """Show the notices. `?tab=` chooses unread or all."""
    context = notices_context(
        request.user, tab=request.GET.get("tab", ""), page=request.GET.get("page")
    )
    return render(request, "annotate/notices/notices.html", context)


@never_cache
@require_GET
def open_notice(request: UserRequest, notice_id: int) -> HttpResponse:
    """Open the page of the notice, and mark the notice read, as a mail that is opened."""
    notice = get_object_or_404(own_notices(request.user), pk=notice_id)
    services.mark_read([notice])
    return redirect(notice.address)


@require_POST
def mark_read(request: UserRequest, notice_id: int) -> HttpResponse:
    services.mark_read([get_object_or_404(own_notices(request.user), pk=notice_id)])
    return back_to_list(request, "annotate:notices")


@require_POST
def mark_all_read(request: UserRequest) -> HttpResponse:
    count = services.mark_all_read(own_notices(request.user))
    if count:
        messages.success(request, f"{count} notice{'' if count == 1 else 's'} marked as read.")
    return redirect("annotate:notices")


@never_cache
@require_http_methods(["GET", "POST"])
def choices(request: UserRequest) -> HttpResponse:
    typed = request.POST if request.method == "POST" else None
    form = ChoicesForm(choices_of(request.user), typed)
    if request.method == "POST" and form.is_valid():
        services.choose_notices(
            person=request.user, off_in_app=form.off(IN_APP), off_by_mail=form.off(BY_MAIL)
        )
        messages.success(request, "Saved.")
        return redirect("annotate:notice_choices")
    context = {"form": form, "sends_mail": settings.VERICAP_SENDS_MAIL}
    status = 422 if request.method == "POST" else 200
    return render(request, "annotate/notices/choices.html", context, status=status)

"""The model servers of the site. For superusers."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotate.access import UserRequest
from annotate.refusals import refusal_in, refusal_shown
from inference import access
from inference.models import RegisteredServer
from inference.servers import checks, pages, services
from inference.servers.forms import PriceFormSet, ServerForm, models_in, price_rows


@require_GET
def servers(request: UserRequest) -> HttpResponse:
    access.superuser(request)
    return render(request, "inference/servers/servers.html", pages.servers_context())


@never_cache
@require_http_methods(["GET", "POST"])
def new_server(request: UserRequest) -> HttpResponse:
    access.superuser(request)
    form = ServerForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with refusal_in(form, "name"):
            row = services.add_server(**form.cleaned_data, superuser=request.user)
            messages.success(request, f"{row} is added. Test its connection next.")
            return redirect("inference:server", row.pk)
    status = 422 if request.method == "POST" else 200
    return render(request, "inference/servers/server_new.html", {"form": form}, status=status)


@never_cache
@require_http_methods(["GET", "POST"])
def server(request: UserRequest, server_id: int) -> HttpResponse:
    row = access.registered_server(request, server_id)
    form = ServerForm(request.POST or None, server=row)
    if request.method == "POST" and form.is_valid():
        data = {"removes_key": False} | form.cleaned_data
        with refusal_in(form, "key"):
            services.change_server(server=row, **data, superuser=request.user)
            messages.success(request, f"{row} is saved.")
            return redirect("inference:server", row.pk)
    return _page(request, row, form=form)


@require_POST
def prices(request: UserRequest, server_id: int) -> HttpResponse:
    row = access.registered_server(request, server_id)
    rows = PriceFormSet(request.POST)
    if not rows.is_valid():
        return _page(request, row, rows=rows)
    services.set_models(server=row, models=models_in(rows), superuser=request.user)
    messages.success(request, "The models and prices are saved.")
    return redirect("inference:server", row.pk)


@require_POST
def use(request: UserRequest, server_id: int) -> HttpResponse:
    """Switch a server off, or on again (`in_use=1`)."""
    row = access.registered_server(request, server_id)
    in_use = request.POST.get("in_use") == "1"
    services.set_in_use(server=row, in_use=in_use, superuser=request.user)
    messages.success(request, f"{row} is {'on' if in_use else 'off: runs on it stop'}.")
    return redirect("inference:server", row.pk)


@require_POST
def delete(request: UserRequest, server_id: int) -> HttpResponse:
    row = access.registered_server(request, server_id)
    with refusal_shown(request):
        services.delete_server(server=row, superuser=request.user)
        messages.success(request, f"{row} is deleted, with its key.")
        return redirect("inference:servers")
    return redirect("inference:server", row.pk)


@require_POST
def test(request: UserRequest, server_id: int) -> HttpResponse:
    row = access.registered_server(request, server_id)
    model_id = request.POST.get("model_id", "").replace("\0", "").strip()[:200]
    checks.request_check(server=row, model_id=model_id, superuser=request.user)
    return redirect("inference:server", row.pk)


@require_GET
def report(request: UserRequest, server_id: int) -> HttpResponse:
    """Return only the last test, which the page polls while one runs."""
    context = pages.report_context(access.registered_server(request, server_id))
    return render(request, "inference/servers/report.html", context)


def _page(
    request: UserRequest,
    row: RegisteredServer,
    *,
    form: ServerForm | None = None,
    rows: Any = None,
) -> HttpResponse:
    context = pages.report_context(row) | {
        "form": form or ServerForm(server=row),
        "rows": rows or PriceFormSet(initial=price_rows(row)),
        "models_on": pages.models_on(row),
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "inference/servers/server.html", context, status=status)

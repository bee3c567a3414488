"""The site's mark, for pages that name no icon: a browser then asks for /favicon.ico."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.views.decorators.http import require_safe


@login_not_required
@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """Redirect temporarily: the mark's address contains its hash and changes with it."""
    return redirect(static("img/mark.svg"))

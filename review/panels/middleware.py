"""The pages that participants can open: only those of their study."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse

from annotate.models import User

# All pages of an item in work are below this address.
WORK = "/assignments/"
PAGES = {
    *("annotate:projects", "annotate:my_work", "annotate:claim", "annotate:project_menu"),
    *("annotate:notices", "annotate:open_notice", "annotate:read_notice", "annotate:read_notices"),
    *("annotate:questions", "annotate:read_answer"),
    *("annotate:consent", "annotate:agree_to_consent", "annotate:withdraw_consent"),
    "annotate:download_consent",
    *("annotate:media_playback", "annotate:media_poster", "annotate:media_filmstrip"),
    *("review:kind_training", "review:next_training", "review:training_answer"),
    *("review:training", "review:training_example", "review:answer_training"),
    *("review:own_panel", "review:next_of_panel", "review:join_panel"),
    *("review:own_numbers", "review:pay", "review:pay_statement"),
    *("account_login", "account_logout", "favicon"),
}


class StayInStudy:
    """Refuse participants of a panel every page that their work doesn't need: they are strangers,
    and members may read clips and download releases."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self,
        request: HttpRequest,
        view: Callable[..., HttpResponse],
        args: tuple[Any, ...],
        keys: dict[str, Any],
    ) -> None:
        person = request.user
        if not isinstance(person, User) or not person.is_participant:
            return
        match = request.resolver_match
        if request.path_info.startswith(WORK) or (match and match.view_name in PAGES):
            return
        raise PermissionDenied("This page isn’t part of your study.")

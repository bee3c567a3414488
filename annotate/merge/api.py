"""The API to send a write-up back from its merge."""

from __future__ import annotations

from django.urls import path

from annotate.access import UserRequest
from annotate.api.forms import body_of
from annotate.api.operations import WORK, ApiView, operation
from annotate.api.problems import checked_form
from annotate.corpus.forms import CommentForm
from annotate.merge.services import send_back_write_up
from annotate.queue.api import own_hold

TAG = "Work"


class SendBackWriteUp(ApiView):
    @operation(takes=body_of("Comment", CommentForm), scope=WORK)
    def post(self, asker: UserRequest, slug: str, assignment_id: int, caption_id: int) -> None:
        """Send a write-up back. From a merge: its author gets the comment, the merge waits."""
        assignment = own_hold(asker, slug, assignment_id)
        form = checked_form(CommentForm(self.typed()))
        send_back_write_up(
            merge_assignment_id=assignment.pk,
            expert=asker.user,
            caption_id=caption_id,
            comment=form.cleaned_data["comment"],
        )


urlpatterns = [
    path(
        "projects/<slug:slug>/work/<int:assignment_id>/send-back/<int:caption_id>/",
        SendBackWriteUp.as_view(),
        name="send_back_write_up",
    )
]

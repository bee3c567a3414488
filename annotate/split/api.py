"""The API by which an expert sends a finished merge or split back."""

from __future__ import annotations

from django.urls import path
from rest_framework import serializers

from annotate import access
from annotate.access import UserRequest
from annotate.api.forms import body_of
from annotate.api.operations import WORK, ApiView, operation
from annotate.api.problems import checked_form
from annotate.corpus.forms import CommentForm
from annotate.models import Role
from annotate.split.services import reopen_merge, send_back_split

TAG = "Work"
STEPS = {"merge": reopen_merge, "split": send_back_split}
SentBackSerializer = body_of(
    "SentBackStep", CommentForm, step=serializers.ChoiceField(choices=list(STEPS))
)


class SendBack(ApiView):
    @operation(takes=SentBackSerializer, scope=WORK)
    def post(self, asker: UserRequest, slug: str, clip_id: int) -> None:
        """Send a merge or split back. For experts; its author gets the comment."""
        access.member(asker, slug, Role.EXPERT)
        _, clip = access.clip(asker, slug, clip_id)
        send_back = STEPS[self.values["step"]]
        form = checked_form(CommentForm(self.typed()))
        send_back(clip=clip, expert=asker.user, comment=form.cleaned_data["comment"])


urlpatterns = [
    path(
        "projects/<slug:slug>/clips/<int:clip_id>/send-back/", SendBack.as_view(), name="send_back"
    )
]

"""The API of CapST: elements of captions, and judging by them."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.urls import path
from rest_framework import serializers

from annotate.access import UserRequest
from annotate.api.forms import body_of
from annotate.api.operations import ADMIN, BY_KEY, ApiView, operation
from annotate.api.paging import NewestFirst
from annotate.api.problems import checked_form
from annotate.jobs.api import JobSerializer
from review import access
from review.capst.forms import JudgeForm, judges_of, sets_of
from review.capst.models import CapstRun
from review.capst.services import (
    Started,
    start_capst_runs,
)

TAG = "CapST"


class CapstRunSerializer(JobSerializer):
    class Meta:
        model = CapstRun
        fields = (*JobSerializer.Meta.fields, "caption_set", "preset", "extractor", "judge")


class StartedSerializer(serializers.Serializer[Any]):
    runs = CapstRunSerializer(many=True)
    refused = serializers.ListField(
        child=serializers.CharField(), help_text="Why others couldn’t be started."
    )


class CapstRuns(ApiView):
    @operation(gives=CapstRunSerializer, query=NewestFirst, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[CapstRun]:
        """List CapST runs. The newest first. Cancel or resume them under `jobs/`. For admins."""
        return CapstRun.objects.filter(project=access.admin(asker, slug).project)

    @operation(
        gives=StartedSerializer,
        takes=body_of("CapstJudging", JudgeForm),
        status=202,
        scope=ADMIN,
    )
    def post(self, asker: UserRequest, slug: str) -> Started:
        """Have captions judged by CapST. Of one set, or of all with `caption_set` 0."""
        project = access.admin(asker, slug).project
        form = JudgeForm(self.typed(), models=judges_of(project), caption_sets=sets_of(project))
        chosen = checked_form(form).cleaned_data
        return start_capst_runs(
            project=project,
            caption_sets=chosen["caption_set"],
            preset=chosen["preset"],
            extractor=chosen["extractor"],
            judge=chosen["judge"],
            admin=asker.user,
        )


ALL = "projects/<slug:slug>/capst-runs/"
urlpatterns = [
    path(ALL, CapstRuns.as_view(), name="capst_runs"),
]

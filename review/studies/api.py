"""The API of studies, whichever their kind."""

from __future__ import annotations

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.urls import path
from rest_framework import serializers

from annotate.access import UserRequest
from annotate.api.operations import ADMIN, BY_KEY, ApiView, operation
from annotate.api.paging import NewestFirst
from annotate.api.rows import RowSerializer
from review import access
from review.studies.models import Study
from review.studies.services import stop_study

TAG = "Studies"


class StudySerializer(RowSerializer[Study]):
    class Meta:
        model = Study
        fields = (
            *("id", "kind", "people", "seed", "scorer", "scorer_name", "strata", "per_rater"),
            *("waves", "wave", "undrawn"),
            *("created_at", "stopped_at"),
        )


class StudyFilters(NewestFirst):
    kind = serializers.ChoiceField(choices=Study.Kind.choices, required=False)


class Studies(ApiView):
    @operation(gives=StudySerializer, query=StudyFilters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[Study]:
        """List studies. The newest first. For admins."""
        project = access.admin(asker, slug).project
        chosen = {"kind": self.query["kind"]} if "kind" in self.query else {}
        return Study.objects.filter(project=project, **chosen)


class StopStudy(ApiView):
    @operation(gives=StudySerializer, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, study_id: int) -> Study:
        """Stop a study. What people have finished counts."""
        project = access.admin(asker, slug).project
        study = get_object_or_404(Study, project=project, pk=study_id)
        return stop_study(study=study, admin=asker.user)


ALL = "projects/<slug:slug>/studies/"
urlpatterns = [
    path(ALL, Studies.as_view(), name="studies"),
    path(f"{ALL}<int:study_id>/stop/", StopStudy.as_view(), name="stop_study"),
]

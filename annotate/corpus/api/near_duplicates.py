"""The API of videos that look alike."""

from __future__ import annotations

from django.db.models import QuerySet
from django.urls import path
from rest_framework import serializers

from annotate import access
from annotate.access import UserRequest
from annotate.api.operations import ADMIN, BY_KEY, ApiView, operation
from annotate.api.paging import Filters
from annotate.corpus.near_duplicates import BOTH_IN
from annotate.corpus.services import near_duplicates as services
from annotate.jobs.api import JobSerializer
from annotate.models import NearDuplicate, Role
from annotate.models.jobs import Job

TAG = "Videos"


class NearDuplicateSerializer(serializers.ModelSerializer[NearDuplicate]):
    """Two videos whose frames look alike. Archiving or withdrawing one of them settles it, too."""

    class Meta:
        model = NearDuplicate
        fields = ("id", "first", "second", "distance", "kept_at", "created_at")


class NearDuplicates(ApiView):
    @operation(gives=NearDuplicateSerializer, query=Filters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[NearDuplicate]:
        """List near-duplicates. Pairs of videos in the benchmark; an open one has no `kept_at`."""
        project = access.member(asker, slug, Role.ADMIN).project
        return NearDuplicate.objects.filter(BOTH_IN, project=project)


class CompareVideos(ApiView):
    @operation(gives=JobSerializer, status=202, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str) -> Job:
        """Compare earlier videos. Only videos that were imported before Vericap compared videos."""
        project = access.member(asker, slug, Role.ADMIN).project
        return services.start_comparing_videos(project=project, admin=asker.user)


class KeepBoth(ApiView):
    @operation(gives=NearDuplicateSerializer, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, pair_id: int) -> NearDuplicate:
        """Keep both near-duplicates. They differ, and both stay in the benchmark."""
        _, pair = access.near_duplicate(asker, slug, pair_id, Role.ADMIN)
        return services.keep_both(pair=pair, admin=asker.user)


class UndoKeepBoth(ApiView):
    @operation(gives=NearDuplicateSerializer, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, pair_id: int) -> NearDuplicate:
        """Undo keeping both near-duplicates. The pair is open again."""
        _, pair = access.near_duplicate(asker, slug, pair_id, Role.ADMIN)
        return services.undo_keep_both(pair=pair, admin=asker.user)


PAIR = "projects/<slug:slug>/near-duplicates/<int:pair_id>/"
urlpatterns = [
    path("projects/<slug:slug>/near-duplicates/", NearDuplicates.as_view(), name="near_duplicates"),
    path(
        "projects/<slug:slug>/near-duplicates/compare/",
        CompareVideos.as_view(),
        name="compare_videos",
    ),
    path(f"{PAIR}keep-both/", KeepBoth.as_view(), name="keep_both"),
    path(f"{PAIR}undo-keep-both/", UndoKeepBoth.as_view(), name="undo_keep_both"),
]

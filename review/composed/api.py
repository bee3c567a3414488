"""The API of imported rankings of composed queries."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.urls import path

from annotate.access import UserRequest
from annotate.api.forms import body_of
from annotate.api.operations import ADMIN, BY_KEY, ApiView, operation
from annotate.api.paging import NewestFirst
from annotate.api.problems import checked_form
from annotate.api.rows import RowSerializer
from review import access
from review.composed.access import administered_ranking
from review.composed.models import ImportedRanking
from review.composed.result_forms import ImportRankingForm
from review.composed.services import import_ranking, remove_ranking
from review.triplets.access import administered_set, triplet_set

TAG = "Triplets"


class RankingSerializer(RowSerializer[ImportedRanking]):
    class Meta:
        model = ImportedRanking
        fields = (
            *("id", "name", "group", "has_video", "has_text", "fusion", "query_frames"),
            *("target_frames", "seed", "is_verified_only", "file_name", "created_at"),
        )


class Rankings(ApiView):
    @operation(gives=RankingSerializer, query=NewestFirst, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str, number: int) -> QuerySet[ImportedRanking]:
        """List rankings of a set of triplets. For experts, reviewers and admins."""
        triplets = triplet_set(asker, slug, number)[1]
        return triplets.rankings.filter(removed_at=None).defer("clips")

    @operation(
        gives=RankingSerializer,
        takes=body_of("RankingFile", ImportRankingForm),
        status=201,
        scope=ADMIN,
    )
    def post(self, asker: UserRequest, slug: str, number: int) -> ImportedRanking:
        """Import rankings of a set of triplets. Or vectors, from which they are computed."""
        _, triplets = administered_set(asker, slug, number)
        form = checked_form(ImportRankingForm(self.typed(), self.files()))
        file = form.cleaned_data["rankings"]
        return import_ranking(
            triplets=triplets,
            facts=form.facts,
            file_name=file.name,
            data=file.read(),
            verified_only=form.cleaned_data["verified_only"],
            admin=asker.user,
        )


class RankingView(ApiView):
    @operation(scope=ADMIN)
    def delete(self, asker: UserRequest, slug: str, ranking_id: int) -> Any:
        """Remove rankings of a set of triplets."""
        access.admin(asker, slug)
        ranking = administered_ranking(asker, slug, ranking_id)
        remove_ranking(ranking=ranking, admin=asker.user)


urlpatterns = [
    path(
        "projects/<slug:slug>/triplets/<int:number>/rankings/", Rankings.as_view(), name="rankings"
    ),
    path("projects/<slug:slug>/rankings/<int:ranking_id>/", RankingView.as_view(), name="ranking"),
]

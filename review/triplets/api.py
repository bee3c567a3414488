"""The API of sets of triplets."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.urls import path
from rest_framework import serializers

from annotate.access import UserRequest
from annotate.api.forms import body_of
from annotate.api.operations import ADMIN, BY_KEY, ApiView, operation
from annotate.api.paging import Filters, Orders
from annotate.api.problems import checked_form
from annotate.api.rows import RowSerializer
from annotate.jobs.api import JobSerializer
from annotate.models import Video
from annotate.models.jobs import Job
from review import access
from review.triplets.access import administered_set, triplet_set
from review.triplets.forms import GenerateForm, HandOutForm
from review.triplets.models import ComposedQuery, TripletSet
from review.triplets.pages import generate_form
from review.triplets.set_import_form import SetImportForm
from review.triplets.set_import_job import start_set_import
from review.triplets.sets import start_triplet_set
from review.triplets.split_form import GivenSplitsForm, SplitForm
from review.triplets.splits import assign_splits, import_splits
from review.triplets.verdicts import hand_out_queries

TAG = "Triplets"
BY_NUMBER: Orders = {"number": ("number",)}


class TripletSetSerializer(RowSerializer[TripletSet]):
    class Meta:
        model = TripletSet
        fields = (
            *("number", "state", "reason", "seed", "most_targets", "other_sources"),
            *("test_queries", "triplet_count", "created_at", "finished_at"),
        )


class ComposedQuerySerializer(serializers.ModelSerializer[ComposedQuery]):
    """A query clip with a modification, and the clips that are its targets, the primary first."""

    modification = serializers.CharField(source="modification.text")
    targets = serializers.SerializerMethodField()

    class Meta:
        model = ComposedQuery
        fields = ("id", "split", "clip", "modification", "targets")

    def get_targets(self, query: ComposedQuery) -> list[int]:
        return [triplet.target_id for triplet in query.targets.all()]


class HandedQueriesSerializer(serializers.Serializer[Any]):
    queries = serializers.IntegerField(help_text="How many wait for people now.")


class GivenSplitsSerializer(serializers.Serializer[Any]):
    source_videos = serializers.IntegerField(help_text="How many the files split.")
    unknown = serializers.ListField(
        child=serializers.CharField(), help_text="Names in the files that the project doesn’t have."
    )


class QueryFilters(Filters):
    split = serializers.ChoiceField(choices=Video.Split.choices, required=False)


class TripletSets(ApiView):
    @operation(gives=TripletSetSerializer, query=Filters, orders=BY_NUMBER)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[TripletSet]:
        """List sets of triplets. For experts, reviewers and admins."""
        return TripletSet.objects.filter(project=access.reviewer(asker, slug).project)

    @operation(
        gives=TripletSetSerializer,
        takes=body_of("NewTripletSet", GenerateForm),
        status=202,
        scope=ADMIN,
    )
    def post(self, asker: UserRequest, slug: str) -> TripletSet:
        """Generate a set of triplets. A worker generates it. `begins_anew`: start without the
        verdicts of the newest set."""
        project = access.admin(asker, slug).project
        form = checked_form(generate_form(project, self.typed()))
        return start_triplet_set(project=project, admin=asker.user, **form.choice)


class TripletSetView(ApiView):
    @operation(gives=TripletSetSerializer)
    def get(self, asker: UserRequest, slug: str, number: int) -> TripletSet:
        """Show a set of triplets. For experts, reviewers and admins."""
        return triplet_set(asker, slug, number)[1]


class Queries(ApiView):
    @operation(gives=ComposedQuerySerializer, query=QueryFilters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str, number: int) -> QuerySet[ComposedQuery]:
        """List queries of a set. Each with its targets. For experts, reviewers and admins."""
        triplets = triplet_set(asker, slug, number)[1]
        chosen: dict[str, Any] = {"split": self.query["split"]} if "split" in self.query else {}
        queries = triplets.queries.filter(**chosen).select_related("modification")
        return queries.prefetch_related("targets")


class HandOutQueries(ApiView):
    @operation(
        gives=HandedQueriesSerializer, takes=body_of("QueriesToHandOut", HandOutForm), scope=ADMIN
    )
    def post(self, asker: UserRequest, slug: str, number: int) -> dict[str, int]:
        """Hand out queries of a set. People verify them."""
        _, triplets = administered_set(asker, slug, number)
        form = checked_form(HandOutForm(self.typed()))
        return {"queries": hand_out_queries(triplets=triplets, admin=asker.user, **form.choice)}


class Splits(ApiView):
    @operation(takes=body_of("NewSplits", SplitForm), scope=ADMIN)
    def post(self, asker: UserRequest, slug: str) -> Any:
        """Split the source videos. By shares of the clips, in percent."""
        project = access.admin(asker, slug).project
        form = checked_form(SplitForm(self.typed()))
        assign_splits(project=project, admin=asker.user, **form.choice)


class ImportSplits(ApiView):
    @operation(
        gives=GivenSplitsSerializer, takes=body_of("SplitFiles", GivenSplitsForm), scope=ADMIN
    )
    def post(self, asker: UserRequest, slug: str) -> dict[str, Any]:
        """Import a split of the source videos. From files of other data sets."""
        project = access.admin(asker, slug).project
        prefix = GivenSplitsForm.prefix
        form = checked_form(GivenSplitsForm(self.typed(prefix), self.files(prefix)))
        given = import_splits(project=project, admin=asker.user, **form.choice)
        return {"source_videos": len(given.plan), "unknown": list(given.unknown)}


class ImportTriplets(ApiView):
    @operation(
        gives=JobSerializer, takes=body_of("TripletsZip", SetImportForm), status=202, scope=ADMIN
    )
    def post(self, asker: UserRequest, slug: str) -> Job:
        """Import a published set of triplets. A worker reads the files."""
        project = access.admin(asker, slug).project
        form = checked_form(SetImportForm(self.typed(), self.files()))
        file = form.cleaned_data["file"]
        return start_set_import(
            project=project,
            format=form.cleaned_data["format"],
            file_name=file.name or "",
            data=file.read(),
            admin=asker.user,
        )


urlpatterns = [
    path("projects/<slug:slug>/triplets/", TripletSets.as_view(), name="triplet_sets"),
    path("projects/<slug:slug>/triplets/import/", ImportTriplets.as_view(), name="import_triplets"),
    path(
        "projects/<slug:slug>/triplets/<int:number>/", TripletSetView.as_view(), name="triplet_set"
    ),
    path("projects/<slug:slug>/triplets/<int:number>/queries/", Queries.as_view(), name="queries"),
    path(
        "projects/<slug:slug>/triplets/<int:number>/hand-out/",
        HandOutQueries.as_view(),
        name="hand_out_queries",
    ),
    path("projects/<slug:slug>/splits/", Splits.as_view(), name="splits"),
    path("projects/<slug:slug>/splits/import/", ImportSplits.as_view(), name="import_splits"),
]

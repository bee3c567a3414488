"""The API of sets of model captions."""

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
from annotate.api.rows import RowSerializer
from annotate.jobs.api import JobSerializer
from annotate.models.jobs import Job
from review import access
from review.captions.access import caption_set
from review.captions.forms import ImportForm, RunSetForm
from review.captions.import_job import start_predictions_import
from review.captions.models import CaptionSet
from review.captions.services import make_set_of_run, offer_set

TAG = "Model captions"


class CaptionSetSerializer(RowSerializer[CaptionSet]):
    class Meta:
        model = CaptionSet
        fields = (
            *("id", "name", "kind", "run", "prompt", "frames", "theme", "clip_count"),
            *("word_count", "is_used", "created_at"),
        )


class OfferSerializer(serializers.Serializer[Any]):
    is_used = serializers.BooleanField(help_text="False: pages no longer offer it.")


class CaptionSets(ApiView):
    @operation(gives=CaptionSetSerializer, query=NewestFirst, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[CaptionSet]:
        """List sets of model captions. The newest first. For admins."""
        return CaptionSet.objects.filter(project=access.admin(asker, slug).project)

    @operation(
        gives=CaptionSetSerializer, takes=body_of("RunSet", RunSetForm), status=201, scope=ADMIN
    )
    def post(self, asker: UserRequest, slug: str) -> CaptionSet:
        """Make a set of the captions of a run."""
        project = access.admin(asker, slug).project
        form = checked_form(RunSetForm(project, self.typed("run")))
        return make_set_of_run(admin=asker.user, **form.cleaned_data)


class ImportPredictions(ApiView):
    @operation(
        gives=JobSerializer, takes=body_of("PredictionsFile", ImportForm), status=202, scope=ADMIN
    )
    def post(self, asker: UserRequest, slug: str) -> Job:
        """Import captions of a model. A worker imports them as a set: all, or the good rows."""
        project = access.admin(asker, slug).project
        form = checked_form(ImportForm(project, self.typed("file"), self.files("file")))
        about = dict(form.cleaned_data)
        file = about.pop("file")
        return start_predictions_import(
            project=project,
            file_name=file.name or "",
            data=file.read(),
            admin=asker.user,
            about=about,
        )


class CaptionSetView(ApiView):
    @operation(gives=CaptionSetSerializer)
    def get(self, asker: UserRequest, slug: str, set_id: int) -> CaptionSet:
        """Show a set of model captions. For admins."""
        return caption_set(asker, slug, set_id)[1]

    @operation(gives=CaptionSetSerializer, takes=OfferSerializer, scope=ADMIN)
    def patch(self, asker: UserRequest, slug: str, set_id: int) -> CaptionSet:
        """Offer a set of model captions, or stop offering it."""
        _, changed = caption_set(asker, slug, set_id)
        offer_set(caption_set=changed, is_used=self.values["is_used"], admin=asker.user)
        return caption_set(asker, slug, set_id)[1]


ALL = "projects/<slug:slug>/caption-sets/"
urlpatterns = [
    path(ALL, CaptionSets.as_view(), name="caption_sets"),
    path(f"{ALL}import/", ImportPredictions.as_view(), name="import_predictions"),
    path(f"{ALL}<int:set_id>/", CaptionSetView.as_view(), name="caption_set"),
]

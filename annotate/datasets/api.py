"""The API of importing the files of a data set."""

from __future__ import annotations

from django.http.response import HttpResponseBase
from django.urls import path

from annotate import access
from annotate.access import UserRequest
from annotate.api.forms import body_of
from annotate.api.operations import ADMIN, ApiView, operation
from annotate.api.problems import checked_form
from annotate.datasets.forms import DatasetForm
from annotate.datasets.importing import start_dataset_import
from annotate.datasets.views import download
from annotate.jobs.api import JobSerializer
from annotate.models import Role
from annotate.models.jobs import Job

TAG = "Labels"


class DatasetImport(ApiView):
    @operation(
        gives=JobSerializer, takes=body_of("DatasetFiles", DatasetForm), status=202, scope=ADMIN
    )
    def post(self, asker: UserRequest, slug: str) -> Job:
        """Import labels and labeled clips. The job says which rows are to be fixed."""
        project = access.member(asker, slug, Role.ADMIN).project
        form = checked_form(DatasetForm(self.typed(), self.files()))
        return start_dataset_import(
            project=project,
            format=form.cleaned_data["format"],
            files=form.chosen_files(),
            skips_bad=form.cleaned_data["skips_bad"],
            admin=asker.user,
        )


class DatasetFileView(ApiView):
    @operation(gives_file=("application/json",))
    def get(self, asker: UserRequest, slug: str, dataset_file: str) -> HttpResponseBase:
        """Download labeled clips or labels. In the form that the import reads; for admins."""
        return download(asker, slug, dataset_file)


urlpatterns = [
    path("projects/<slug:slug>/labels/import/", DatasetImport.as_view(), name="import_dataset"),
    path(
        "projects/<slug:slug>/labels/<str:dataset_file>.json",
        DatasetFileView.as_view(),
        name="dataset_file",
    ),
]

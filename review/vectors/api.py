"""The API of files of vectors."""

from __future__ import annotations

from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import path

from annotate.access import UserRequest
from annotate.api.forms import body_of
from annotate.api.operations import ADMIN, ApiView, operation
from annotate.api.problems import checked_form
from annotate.jobs.api import JobSerializer
from annotate.models.jobs import Job
from review import access
from review.errors import ReviewError
from review.vectors.forms import VectorsForm
from review.vectors.queries import WRITE_VECTORS, is_there
from review.vectors.services import start_vector_file
from review.vectors.views import download

TAG = "Vectors"


class VectorFiles(ApiView):
    @operation(
        gives=JobSerializer, takes=body_of("NewVectorFile", VectorsForm), status=202, scope=ADMIN
    )
    def post(self, asker: UserRequest, slug: str) -> Job:
        """Have vectors written to a file. Download it by the key of the job."""
        project = access.admin(asker, slug).project
        chosen = checked_form(VectorsForm(project, self.typed())).cleaned_data
        return start_vector_file(project=project, admin=asker.user, **chosen)


class VectorFileView(ApiView):
    @operation(gives_file=("application/octet-stream",))
    def get(self, asker: UserRequest, slug: str, vectors_id: int) -> HttpResponseBase:
        """Download a file of vectors. For admins."""
        project = access.admin(asker, slug).project
        job = get_object_or_404(Job, project=project, kind=WRITE_VECTORS, pk=vectors_id)
        if not is_there(job):
            raise ReviewError("This file doesn’t exist. Request it with POST first.")
        return download(asker, slug, vectors_id)


ALL = "projects/<slug:slug>/vector-files/"
urlpatterns = [
    path(ALL, VectorFiles.as_view(), name="vector_files"),
    path(f"{ALL}<int:vectors_id>/", VectorFileView.as_view(), name="vector_file"),
]

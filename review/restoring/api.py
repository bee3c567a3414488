"""The API of bringing a release back into a project."""

from __future__ import annotations

from django.urls import path

from annotate.access import UserRequest
from annotate.api.forms import body_of
from annotate.api.operations import ADMIN, ApiView, operation
from annotate.api.problems import checked_form
from annotate.jobs.api import JobSerializer
from annotate.models.jobs import Job
from review import access
from review.restoring.forms import RestoreForm
from review.restoring.jobs import start_release_import

TAG = "Releases"


class ImportRelease(ApiView):
    @operation(
        gives=JobSerializer, takes=body_of("ReleaseZip", RestoreForm), status=202, scope=ADMIN
    )
    def post(self, asker: UserRequest, slug: str) -> Job:
        """Import a release. What the project lacks is added."""
        project = access.admin(asker, slug).project
        form = checked_form(RestoreForm(project, self.typed(), self.files()))
        file = form.cleaned_data["file"]
        return start_release_import(
            project=project,
            format=form.cleaned_data["format"],
            file_name=file.name or "",
            data=file.read(),
            skips_bad=form.cleaned_data.get("skips_bad", False),
            admin=asker.user,
        )


urlpatterns = [
    path("projects/<slug:slug>/releases/import/", ImportRelease.as_view(), name="import_release")
]

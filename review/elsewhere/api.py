"""The API of captions, scores and vectors that were made elsewhere."""

from __future__ import annotations

from django.urls import path

from annotate.access import UserRequest
from annotate.api.forms import body_of
from annotate.api.operations import ADMIN, ApiView, operation
from annotate.api.problems import checked_form
from annotate.jobs.api import JobSerializer
from annotate.models.jobs import Job
from review import access
from review.elsewhere.forms import ResultsForm
from review.elsewhere.jobs import start_results_import

TAG = "Jobs"


class ImportResults(ApiView):
    @operation(
        gives=JobSerializer, takes=body_of("ResultsFile", ResultsForm), status=202, scope=ADMIN
    )
    def post(self, asker: UserRequest, slug: str) -> Job:
        """Import results of models. Captions, scores or vectors, as a finished run."""
        project = access.admin(asker, slug).project
        form = checked_form(ResultsForm(project, self.typed(), self.files()))
        file = form.cleaned_data["file"]
        return start_results_import(
            project=project,
            kind=form.cleaned_data["kind"],
            file_name=file.name,
            stated=form.statement,
            data=file.read(),
            skips_bad=form.cleaned_data["skips_bad"],
            admin=asker.user,
        )


urlpatterns = [
    path("projects/<slug:slug>/runs/import/", ImportResults.as_view(), name="import_results")
]

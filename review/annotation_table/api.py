"""The API of LoVR's annotation table."""

from __future__ import annotations

from django.urls import path

from annotate.access import UserRequest
from annotate.api.forms import body_of
from annotate.api.operations import ADMIN, ApiView, operation
from annotate.api.problems import checked_form
from annotate.jobs.api import JobSerializer
from annotate.models.jobs import Job
from review import access
from review.annotation_table.forms import TableForm
from review.annotation_table.jobs import start_table_import

TAG = "Verification"


class ImportAnnotations(ApiView):
    @operation(
        gives=JobSerializer, takes=body_of("AnnotationTable", TableForm), status=202, scope=ADMIN
    )
    def post(self, asker: UserRequest, slug: str) -> Job:
        """Import an annotation table. Verifications that were made elsewhere."""
        project = access.admin(asker, slug).project
        form = checked_form(TableForm(self.typed(), self.files()))
        table = form.cleaned_data["table"]
        return start_table_import(
            project=project,
            file_name=table.name or "",
            data=table.read(),
            marks=form.marks,
            admin=asker.user,
        )


urlpatterns = [
    path(
        "projects/<slug:slug>/verifications/import/",
        ImportAnnotations.as_view(),
        name="import_annotations",
    )
]

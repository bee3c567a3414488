"""The API of human captions of published data sets: checked, imported, removed."""

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
from review.published.access import human_import
from review.published.forms import CheckForm
from review.published.models import HumanImport
from review.published.services import check_file, remove_import, start_import

TAG = "Captions"


class HumanImportSerializer(RowSerializer[HumanImport]):
    preview = serializers.DictField(help_text="How much importing it stores and changes.")

    class Meta:
        model = HumanImport
        fields = ("id", "name", "file_name", "preview", "created_at", "imported_at")


class HumanImports(ApiView):
    @operation(gives=HumanImportSerializer, query=NewestFirst, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[HumanImport]:
        """List imports of human captions. The newest first. For admins."""
        imports = HumanImport.objects.filter(project=access.admin(asker, slug).project)
        return imports.exclude(preview__has_key="faults").defer("content")

    @operation(
        gives=HumanImportSerializer,
        takes=body_of("HumanCaptions", CheckForm),
        status=201,
        scope=ADMIN,
    )
    def post(self, asker: UserRequest, slug: str) -> HumanImport:
        """Check a file of human captions. The answer says what importing it would do."""
        project = access.admin(asker, slug).project
        form = checked_form(CheckForm(self.typed(), self.files()))
        file = form.cleaned_data["file"]
        return check_file(
            project=project,
            name=form.cleaned_data["name"],
            data=file.read(),
            file_name=file.name or "",
            options=form.options,
            admin=asker.user,
        )


class HumanImportView(ApiView):
    @operation(gives=HumanImportSerializer)
    def get(self, asker: UserRequest, slug: str, import_id: int) -> HumanImport:
        """Show an import of human captions. For admins."""
        return human_import(asker, slug, import_id)[1]

    @operation(scope=ADMIN)
    def delete(self, asker: UserRequest, slug: str, import_id: int) -> Any:
        """Remove imported human captions."""
        _, chosen = human_import(asker, slug, import_id)
        remove_import(human_import=chosen, admin=asker.user)


class RunHumanImport(ApiView):
    @operation(gives=JobSerializer, status=202, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, import_id: int) -> Job:
        """Import a file of human captions that was checked."""
        _, chosen = human_import(asker, slug, import_id)
        return start_import(human_import=chosen, admin=asker.user)


ALL = "projects/<slug:slug>/human-imports/"
urlpatterns = [
    path(ALL, HumanImports.as_view(), name="human_imports"),
    path(f"{ALL}<int:import_id>/", HumanImportView.as_view(), name="human_import"),
    path(f"{ALL}<int:import_id>/run/", RunHumanImport.as_view(), name="run_human_import"),
]

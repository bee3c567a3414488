"""The API of uploads: announce a file, send its bytes in pieces, follow its import."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.urls import path
from rest_framework import serializers

from annotate import access
from annotate.access import UserRequest
from annotate.api.operations import ADMIN, BY_KEY, ApiView, operation
from annotate.api.paging import Filters, NewestFirst
from annotate.api.problems import Problem, ProblemError, checked_form
from annotate.api.rows import RowSerializer
from annotate.imports import services as imports
from annotate.imports.addresses import MAX_ROWS, check_rows
from annotate.imports.forms import MAX_BYTES, AnnouncedFileForm
from annotate.models import ImportBatch, ImportItem, Role

TAG = "Uploads"


class ImportSerializer(RowSerializer[ImportBatch]):
    class Meta:
        model = ImportBatch
        fields = ("id", "state", "created_at")


class FileSerializer(RowSerializer[ImportItem]):
    offset = serializers.IntegerField(
        source="received", help_text="Bytes that have arrived; the next piece begins there."
    )

    url = serializers.CharField(source="address", help_text="Where a worker downloads it.")
    source_url = serializers.CharField()

    class Meta:
        model = ImportItem
        fields = (
            *(
                "id",
                "name",
                "url",
                "size",
                "offset",
                "state",
                "code",
                "reason",
                "progress",
                "video",
            ),
            *("category", "subcategory", "license", "source_url"),
        )


class FileFilters(Filters):
    state = serializers.ChoiceField(choices=ImportItem.State.choices, required=False)


class NewFileSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=200)
    size = serializers.IntegerField(min_value=0, max_value=MAX_BYTES, help_text="Bytes.")
    category = serializers.CharField(default="", allow_blank=True, max_length=100)
    subcategory = serializers.CharField(default="", allow_blank=True, max_length=100)
    license = serializers.CharField(default="", allow_blank=True, max_length=120)
    source_url = serializers.CharField(default="", allow_blank=True, max_length=500)


class AddressSerializer(serializers.Serializer[Any]):
    url = serializers.CharField(max_length=500, help_text="Of the file itself, with https.")
    name = serializers.CharField(
        default="", allow_blank=True, max_length=200, help_text="Empty: the host's."
    )
    category = serializers.CharField(default="", allow_blank=True, max_length=100)
    subcategory = serializers.CharField(default="", allow_blank=True, max_length=100)
    license = serializers.CharField(default="", allow_blank=True, max_length=120)
    source_url = serializers.CharField(default="", allow_blank=True, max_length=500)


class AddressesSerializer(serializers.Serializer[Any]):
    files = serializers.ListField(child=AddressSerializer(), allow_empty=False, max_length=MAX_ROWS)


class Imports(ApiView):
    @operation(gives=ImportSerializer, query=NewestFirst, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[ImportBatch]:
        """List imports of videos. The newest first. For admins."""
        return ImportBatch.objects.filter(project=access.member(asker, slug, Role.ADMIN).project)

    @operation(gives=ImportSerializer, status=201, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str) -> ImportBatch:
        """Start an import. Files are announced in it one by one."""
        project = access.member(asker, slug, Role.ADMIN).project
        return imports.open_batch(project=project, admin=asker.user)


class Addresses(ApiView):
    @operation(gives=ImportSerializer, takes=AddressesSerializer, status=201, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str) -> ImportBatch:
        """Import videos from addresses. Workers download them."""
        project = access.member(asker, slug, Role.ADMIN).project
        sent = [{**row, "file": row["name"]} for row in self.values["files"]]
        rows, faults = check_rows(sent)
        if faults:
            wrong: dict[str, list[str]] = {}
            for fault in faults:
                column = "name" if fault.column == "file" else fault.column
                wrong.setdefault(f"files.{fault.index}.{column}", []).append(fault.text)
            raise serializers.ValidationError(wrong)
        return imports.import_addresses(project=project, admin=asker.user, rows=rows)


class Files(ApiView):
    @operation(gives=FileSerializer, query=FileFilters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str, batch_id: int) -> QuerySet[ImportItem]:
        """List files of an import, each with its result. For admins."""
        _, batch = access.import_batch(asker, slug, batch_id)
        chosen = {"state": self.query["state"]} if "state" in self.query else {}
        return batch.items.filter(**chosen)

    @operation(gives=FileSerializer, takes=NewFileSerializer, status=201, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, batch_id: int) -> ImportItem:
        """Announce a file. If its name or size is refused, its state is `failed`, with the
        reason."""
        _, batch = access.import_batch(asker, slug, batch_id)
        form = checked_form(AnnouncedFileForm(self.values))
        return imports.add_item(batch=batch, **form.cleaned_data)


class FileView(ApiView):
    @operation(gives=FileSerializer)
    def get(self, asker: UserRequest, slug: str, item_id: int) -> ImportItem:
        """Show a file: its bytes so far and its result. For admins."""
        return access.import_item(asker, slug, item_id)[1]


class FileBytes(ApiView):
    @operation(gives=FileSerializer, takes_file=True, scope=ADMIN)
    def put(self, asker: UserRequest, slug: str, item_id: int) -> ImportItem:
        """Send a piece of a file. With the last one, a worker begins to import it. 409 with
        `offset` if the piece belongs elsewhere."""
        _, item = access.import_item(asker, slug, item_id)
        offset = asker.headers.get("Upload-Offset", "")
        length = asker.headers.get("Content-Length", "")
        if not (offset.isascii() and offset.isdigit() and len(offset) < 17):
            raise serializers.ValidationError({"Upload-Offset": "Say where the bytes belong."})
        if not length.isdigit():
            raise serializers.ValidationError({"Content-Length": "Say how many bytes come."})
        try:
            if int(length) > settings.VERICAP_CHUNK_BYTES:
                most = f"{settings.VERICAP_CHUNK_BYTES:,}"
                raise imports.TooManyBytes(f"Send at most {most} bytes at a time.")
            return imports.append_chunk(item=item, offset=int(offset), data=asker.body)
        except imports.OffsetMismatch as error:
            more = {"offset": error.offset}
            raise ProblemError(
                Problem(409, "wrong-offset", "The bytes belong elsewhere", str(error), more=more)
            ) from error
        except imports.TooManyBytes as error:
            raise ProblemError(
                Problem(413, "too-many-bytes", "Too many bytes", str(error))
            ) from error
        except imports.StorageFailed as error:
            raise ProblemError(
                Problem(507, "not-stored", "The file could not be stored", str(error))
            ) from error


class CancelFile(ApiView):
    @operation(gives=FileSerializer, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, item_id: int) -> ImportItem:
        """Cancel the upload of a file. The bytes that have arrived are deleted."""
        _, item = access.import_item(asker, slug, item_id)
        imports.cancel_item(item=item)
        item.refresh_from_db()
        return item


class RetryFile(ApiView):
    @operation(gives=FileSerializer, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, item_id: int) -> ImportItem:
        """Try a failed file again."""
        _, item = access.import_item(asker, slug, item_id)
        imports.retry_item(item=item, admin=asker.user)
        item.refresh_from_db()
        return item


FILE = "projects/<slug:slug>/imports/files/<int:item_id>/"
urlpatterns = [
    path("projects/<slug:slug>/imports/", Imports.as_view(), name="imports"),
    path("projects/<slug:slug>/imports/addresses/", Addresses.as_view(), name="addresses"),
    path("projects/<slug:slug>/imports/<int:batch_id>/files/", Files.as_view(), name="files"),
    path(FILE, FileView.as_view(), name="file"),
    path(f"{FILE}bytes/", FileBytes.as_view(), name="file_bytes"),
    path(f"{FILE}cancel/", CancelFile.as_view(), name="cancel_file"),
    path(f"{FILE}retry/", RetryFile.as_view(), name="retry_file"),
]

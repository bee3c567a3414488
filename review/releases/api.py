"""The API of releases: list, build, and download an archive."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from django.urls import path
from rest_framework import serializers

from annotate.access import UserRequest, member
from annotate.api.operations import ADMIN, BY_KEY, WORK, ApiView, operation
from annotate.api.paging import NewestFirst
from annotate.api.rows import RowSerializer
from annotate.jobs.api import JobSerializer
from annotate.models.jobs import Job
from review import access
from review.errors import ReviewError
from review.frozen import access as frozen_access
from review.frozen.models import Release
from review.releases import access as releases_access
from review.releases.archives import ready_archive, start_archive
from review.releases.formats import formats_of
from review.releases.hashes import hashes_of
from review.releases.queries import choice_of, notes_of
from review.releases.services import start_release
from review.releases.versions import MAX_LENGTH, parse_version
from review.releases.views import download
from review.releases.writers.folder import items_of

TAG = "Releases"


class ReleaseSerializer(RowSerializer[Release]):
    class Meta:
        model = Release
        fields: tuple[str, ...] = (
            *("version", "format", "content_hash", "clip_count", "project_name", "license"),
            *("metadata_sha256", "metadata_size", "video_size", "notes", "created_at"),
        )


class TombstoneSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    what = serializers.CharField()
    items = serializers.ListField(child=serializers.CharField())
    withdrawn_at = serializers.CharField()
    reason = serializers.CharField()


class FormatHashSerializer(serializers.Serializer[Any]):
    format = serializers.CharField()
    sha256 = serializers.CharField()


class EarlierHashSerializer(FormatHashSerializer):
    computed_at = serializers.DateTimeField()


class ReleaseWithFormatsSerializer(ReleaseSerializer):
    formats = serializers.ListField(
        child=serializers.CharField(), help_text="Of the archives that can be downloaded."
    )

    tombstones = TombstoneSerializer(
        many=True, help_text="What was taken out of it since, as its file TOMBSTONES lists it."
    )
    release_hash = serializers.CharField(
        help_text="Over the hashes of all formats. Empty until each is known."
    )
    release_hashes = FormatHashSerializer(
        many=True, help_text="Over all files of a format: what verify.pyz compares."
    )
    earlier_hashes = EarlierHashSerializer(
        many=True, help_text="Of copies from before a takedown or of another version of Vericap."
    )

    class Meta(ReleaseSerializer.Meta):
        fields: tuple[str, ...] = (
            *ReleaseSerializer.Meta.fields,
            *("formats", "tombstones", "release_hash", "release_hashes", "earlier_hashes"),
        )


class NewReleaseSerializer(serializers.Serializer[Any]):
    version = serializers.CharField(
        max_length=MAX_LENGTH, help_text="Three numbers with dots, higher than the last release."
    )
    notes = serializers.CharField(
        max_length=2000,
        required=False,
        allow_blank=True,
        help_text="Without them, those on the page of the next release.",
    )
    clip_files = serializers.BooleanField(
        required=False,
        help_text="LoVR: add each clip as a file, cut from its video. Else as chosen before.",
    )

    def validate_version(self, version: str) -> str:
        try:
            return str(parse_version(version))
        except ReviewError as error:
            raise serializers.ValidationError(str(error)) from error


class Releases(ApiView):
    @operation(gives=ReleaseSerializer, query=NewestFirst, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[Release]:
        """List releases. The newest first."""
        releases = Release.objects.filter(project=member(asker, slug).project)
        return releases.defer("caption_files", "assessment_files")

    @operation(gives=JobSerializer, takes=NewReleaseSerializer, status=202, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str) -> Job:
        """Build a release. Of the content chosen on the page of the next release. A worker
        builds it; the job has its result."""
        project = access.admin(asker, slug).project
        choice, values = choice_of(project), self.values
        return start_release(
            project=project,
            admin=asker.user,
            version=values["version"],
            notes=values.get("notes", notes_of(project)),
            choice=replace(choice, clip_files=values.get("clip_files", choice.clip_files)),
        )


class ReleaseView(ApiView):
    @operation(gives=ReleaseWithFormatsSerializer)
    def get(self, asker: UserRequest, slug: str, version: str) -> Release:
        """Show a release."""
        membership, release = frozen_access.release(asker, slug, version)
        entries = formats_of(release)
        release.formats = [  # type: ignore[attr-defined]  # for the serializer
            entry.name for entry in entries if membership.is_admin or not entry.for_admins
        ]
        release.tombstones = items_of(release)  # type: ignore[attr-defined]  # for the serializer
        hashes = hashes_of(release)
        release.release_hash = hashes.of_release  # type: ignore[attr-defined]  # for the serializer
        release.release_hashes = [  # type: ignore[attr-defined]  # for the serializer
            {"format": name, "sha256": sha256} for name, sha256 in hashes.listed
        ]
        release.earlier_hashes = hashes.earlier  # type: ignore[attr-defined]  # for the serializer
        return release


class ReleaseArchiveView(ApiView):
    @operation(gives_file=("application/zip",))
    def get(
        self, asker: UserRequest, slug: str, version: str, format_name: str
    ) -> HttpResponseBase:
        """Download an archive. Have it packed first."""
        release = releases_access.release_format(asker, slug, version, format_name)[1]
        if ready_archive(release, format_name) is None:
            raise ReviewError("This archive doesn’t exist yet. Request it with POST first.")
        return download(asker, slug, version, format_name)

    @operation(scope=WORK)
    def post(self, asker: UserRequest, slug: str, version: str, format_name: str) -> None:
        """Have an archive packed. A worker packs it, unless it already exists."""
        release = releases_access.release_format(asker, slug, version, format_name)[1]
        start_archive(release=release, format_name=format_name, user=asker.user)


RELEASE = "projects/<slug:slug>/releases/<str:version>/"
urlpatterns = [
    path("projects/<slug:slug>/releases/", Releases.as_view(), name="releases"),
    path(RELEASE, ReleaseView.as_view(), name="release"),
    path(f"{RELEASE}<str:format_name>.zip", ReleaseArchiveView.as_view(), name="release_archive"),
]

"""The API of a member's own notices."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.urls import path
from rest_framework import serializers

from annotate.access import UserRequest, member
from annotate.api.operations import BY_KEY, WORK, ApiView, operation
from annotate.api.paging import NewestFirst
from annotate.api.rows import RowSerializer
from annotate.models import Notice
from annotate.notices import services
from annotate.notices.queries import member_notices

TAG = "Work"


class NoticeSerializer(RowSerializer[Notice]):
    address = serializers.CharField(help_text="The path of the page that shows more.")
    about = serializers.CharField(help_text="What it is about, such as “assignment 12”.")

    class Meta:
        model = Notice
        fields = ("id", "kind", "about", "text", "detail", "address", "created_at", "read_at")


class NoticeFilters(NewestFirst):
    is_unread = serializers.BooleanField(required=False)


class ReadSerializer(serializers.Serializer[Any]):
    read = serializers.IntegerField(help_text="How many were unread.")


class Notices(ApiView):
    @operation(gives=NoticeSerializer, query=NoticeFilters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[Notice]:
        """List your notices in this project, the newest first."""
        notices = member_notices(member(asker, slug))
        if "is_unread" in self.query:
            notices = notices.filter(read_at__isnull=self.query["is_unread"])
        return notices


class ReadNotice(ApiView):
    @operation(gives=NoticeSerializer, scope=WORK)
    def post(self, asker: UserRequest, slug: str, notice_id: int) -> Notice:
        """Mark a notice as read."""
        notice = get_object_or_404(member_notices(member(asker, slug)), pk=notice_id)
        services.mark_read([notice])
        notice.refresh_from_db()
        return notice


class ReadNotices(ApiView):
    @operation(gives=ReadSerializer, scope=WORK)
    def post(self, asker: UserRequest, slug: str) -> dict[str, int]:
        """Mark all your notices in this project as read."""
        return {"read": services.mark_all_read(member_notices(member(asker, slug)))}


NOTICES = "projects/<slug:slug>/notices/"
urlpatterns = [
    path(NOTICES, Notices.as_view(), name="notices"),
    path(f"{NOTICES}read/", ReadNotices.as_view(), name="read_notices"),
    path(f"{NOTICES}<int:notice_id>/read/", ReadNotice.as_view(), name="read_notice"),
]

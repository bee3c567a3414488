"""The API of the audit log."""

from __future__ import annotations

from django.db.models import F, JSONField, QuerySet, Value
from django.urls import path
from rest_framework import serializers

from annotate.access import UserRequest
from annotate.api.forms import key_field
from annotate.api.operations import BY_KEY, ApiView, operation
from annotate.api.paging import NewestFirst
from annotate.api.rows import RowSerializer
from annotate.models import AuditEvent
from review import access
from review.audit_log.queries import events_of, may_read_values

TAG = "Projects"
HIDDEN = "Null for people who could still do work that it reveals."


class AuditEventSerializer(RowSerializer[AuditEvent]):
    before = serializers.JSONField(source="readable_before", help_text=HIDDEN)
    after = serializers.JSONField(source="readable_after", help_text=HIDDEN)

    class Meta:
        model = AuditEvent
        fields = ("id", "at", "actor", "verb", "object_type", "object_id", "before", "after")


class AuditFilters(NewestFirst):
    person = key_field(required=False)
    action = serializers.CharField(required=False, max_length=60, help_text="A part of the verb.")
    kind = serializers.CharField(required=False, max_length=40, help_text="Of the object.")
    key = key_field(required=False)
    since = serializers.DateField(required=False, help_text="The first day, of UTC.")
    until = serializers.DateField(required=False, help_text="The last day, of UTC.")


class AuditLog(ApiView):
    @operation(gives=AuditEventSerializer, query=AuditFilters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[AuditEvent]:
        """List the audit log. Every change in the project, the newest first."""
        membership = access.admin(asker, slug)
        nothing = Value(None, output_field=JSONField())
        is_readable = may_read_values(membership)
        return events_of(membership.project, self.query).annotate(
            readable_before=F("before") if is_readable else nothing,
            readable_after=F("after") if is_readable else nothing,
        )


urlpatterns = [path("projects/<slug:slug>/audit-log/", AuditLog.as_view(), name="audit_log")]

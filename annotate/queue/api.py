"""The API of human work: take it, save drafts, submit, skip, by the services of the pages."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.urls import path
from rest_framework import serializers

from annotate import access
from annotate.access import UserRequest
from annotate.agreed import refuse_without_consent
from annotate.api.forms import NamedShapes
from annotate.api.operations import BY_KEY, WORK, ApiView, operation
from annotate.api.paging import NewestFirst
from annotate.api.rows import RowSerializer
from annotate.errors import WorkInvalid
from annotate.kinds import all_kinds, kind_choices, kind_facts
from annotate.models import Assignment
from annotate.queue import services as queue
from annotate.queue.content import Content, read_content
from annotate.queue.fields import content_schema, problems_in
from annotate.queue.services.taking import resume_work, take_work
from annotate.queue.work_kinds import work_kind
from annotate.text.storable import storable

TAG = "Work"


class WorkSerializer(RowSerializer[Assignment]):
    kind = serializers.ChoiceField(choices=kind_choices(), source="item.kind")
    clip = serializers.SerializerMethodField(help_text="Null if it would give the answer away.")

    class Meta:
        model = Assignment
        fields: tuple[str, ...] = (
            *("id", "kind", "clip", "state", "claimed_at", "lease_expires_at", "submitted_at"),
            *("draft_version", "draft_saved_at", "return_comment", "skip_reason"),
        )

    def get_clip(self, assignment: Assignment) -> int | None:
        is_answer = kind_facts(assignment.item.kind).clip_is_answer
        return None if is_answer else assignment.item.clip_id


class HeldWorkSerializer(WorkSerializer):
    draft = serializers.DictField(
        child=serializers.CharField(allow_blank=True), help_text="What is typed, by field."
    )
    task = serializers.SerializerMethodField(help_text="What the work shows beside the clip.")

    class Meta(WorkSerializer.Meta):
        fields: tuple[str, ...] = (*WorkSerializer.Meta.fields, "draft", "task")

    def get_task(self, assignment: Assignment) -> dict[str, Any]:
        if assignment.state == Assignment.State.SUBMITTED:
            return {}
        return work_kind(assignment.item.kind).task(assignment)


class WorkFilters(NewestFirst):
    kind = serializers.ChoiceField(choices=kind_choices(), required=False)
    state = serializers.ChoiceField(choices=Assignment.State.choices, required=False)


class ContentField(NamedShapes):
    child = serializers.CharField(allow_blank=True, trim_whitespace=False)

    def shapes(self) -> dict[str, dict[str, Any]]:
        return {
            f"{kind.capitalize()}Content": content_schema(work_kind(kind).fields)
            for kind in all_kinds()
        }


class DraftSerializer(serializers.Serializer[Any]):
    base_version = serializers.IntegerField(
        min_value=0, max_value=2**31 - 1, help_text="`draft_version` of the draft that was edited."
    )
    content = ContentField(
        help_text="The whole draft, all of it texts. The schema `VerifyContent` has the fields of "
        "the work `verify`, and so on."
    )


class SubmissionSerializer(DraftSerializer):
    key = serializers.UUIDField(help_text="A new UUID. Send the same one to repeat the request.")


class SavedSerializer(serializers.Serializer[Any]):
    version = serializers.IntegerField()
    saved_at = serializers.DateTimeField()
    holds_lease = serializers.BooleanField(help_text="False: take the work again to submit it.")


class HeartbeatSerializer(serializers.Serializer[Any]):
    active_seconds = serializers.IntegerField(
        default=0, min_value=0, max_value=3600, help_text="Time at work since the last heartbeat."
    )


class LeaseSerializer(serializers.Serializer[Any]):
    lease_expires_at = serializers.DateTimeField()


class SkipSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=500)


class SubmittedSerializer(serializers.Serializer[Any]):
    state = serializers.CharField()
    is_late = serializers.BooleanField(
        help_text="Its caption had been replaced, so the work is kept only as a record."
    )


class Works(ApiView):
    @operation(gives=WorkSerializer, query=WorkFilters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[Assignment]:
        """List your work. Held, sent back, kept and submitted, the newest first."""
        project = access.member(asker, slug).project
        chosen = {"item__kind": self.query.get("kind"), "state": self.query.get("state")}
        own = Assignment.objects.filter(annotator=asker.user, item__project=project)
        own = own.filter(**{name: value for name, value in chosen.items() if value})
        return own.select_related("item").defer("draft", "watched")


class TakeWork(ApiView):
    @operation(gives=HeldWorkSerializer, maybe_nothing=True, scope=WORK)
    def post(self, asker: UserRequest, slug: str, kind: str) -> Assignment | None:
        """Take work. The next of this kind, or what you already hold; 204 if nothing is left."""
        membership = access.worker(asker, slug, kind)
        taken = take_work(membership=membership, kind=kind)
        return None if taken is None else access.own_assignment(asker, taken.pk)


class WorkView(ApiView):
    @operation(gives=HeldWorkSerializer, scope=WORK)
    def get(self, asker: UserRequest, slug: str, assignment_id: int) -> Assignment:
        """Show your work. With its draft and what is judged."""
        assignment = access.own_assignment(asker, assignment_id)
        if assignment.item.project.slug != slug:
            raise Http404
        if assignment.state != Assignment.State.SUBMITTED:
            refuse_without_consent(asker.user, assignment.item.project)
        return assignment


class Draft(ApiView):
    @operation(gives=SavedSerializer, takes=DraftSerializer, scope=WORK)
    def put(self, asker: UserRequest, slug: str, assignment_id: int) -> queue.SavedDraft:
        """Save a draft. 409 with the stored one if it is based on an earlier version."""
        assignment = own_hold(asker, slug, assignment_id)
        content = checked_content(assignment, self.values["content"])
        return queue.save_draft(
            assignment=assignment, base_version=self.values["base_version"], content=content
        )


class Heartbeat(ApiView):
    @operation(gives=LeaseSerializer, takes=HeartbeatSerializer, scope=WORK)
    def post(self, asker: UserRequest, slug: str, assignment_id: int) -> queue.Heartbeat:
        """Keep the lease. Send it every minute or so while somebody works."""
        assignment = own_hold(asker, slug, assignment_id)
        return queue.beat(assignment=assignment, active_seconds=self.values["active_seconds"])


class Submit(ApiView):
    @operation(gives=SubmittedSerializer, takes=SubmissionSerializer, scope=WORK)
    def post(self, asker: UserRequest, slug: str, assignment_id: int) -> Assignment:
        """Submit work. The same request again has no further effect."""
        assignment = own_hold(asker, slug, assignment_id)
        return work_kind(assignment.item.kind).submit(
            assignment_id=assignment.pk,
            annotator=asker.user,
            key=self.values["key"],
            base_version=self.values["base_version"],
            content=checked_content(assignment, self.values["content"]),
        )


class Skip(ApiView):
    @operation(takes=SkipSerializer, scope=WORK)
    def post(self, asker: UserRequest, slug: str, assignment_id: int) -> None:
        """Skip work. The draft is kept."""
        assignment = own_hold(asker, slug, assignment_id)
        reason = storable(self.values["reason"])
        queue.skip(assignment_id=assignment.pk, annotator=asker.user, reason=reason)


class TakeAgain(ApiView):
    @operation(gives=HeldWorkSerializer, scope=WORK)
    def post(self, asker: UserRequest, slug: str, assignment_id: int) -> Assignment:
        """Take work again. After its lease has ended, it was skipped or sent back."""
        assignment = own_hold(asker, slug, assignment_id)
        resume_work(assignment_id=assignment.pk, person=asker.user)
        return access.own_assignment(asker, assignment.pk)


def checked_content(assignment: Assignment, sent: object) -> Content:
    """Return the content of a draft. Raises WorkInvalid unless it is as the schema says."""
    content = read_content(sent)
    if problems := problems_in(work_kind(assignment.item.kind).fields, content):
        raise WorkInvalid(problems)
    return content


def own_hold(asker: UserRequest, slug: str, assignment_id: int) -> Assignment:
    """Return the person's assignment, of the token's project only. Raises Http404."""
    assignment = access.own_hold(asker, assignment_id)
    if assignment.item.project.slug != slug:
        raise Http404
    return assignment


WORK_ITEM = "projects/<slug:slug>/work/<int:assignment_id>/"
urlpatterns = [
    path("projects/<slug:slug>/work/", Works.as_view(), name="works"),
    path("projects/<slug:slug>/work/take/<slug:kind>/", TakeWork.as_view(), name="take_work"),
    path(WORK_ITEM, WorkView.as_view(), name="work"),
    path(f"{WORK_ITEM}draft/", Draft.as_view(), name="draft"),
    path(f"{WORK_ITEM}heartbeat/", Heartbeat.as_view(), name="heartbeat"),
    path(f"{WORK_ITEM}submit/", Submit.as_view(), name="submit"),
    path(f"{WORK_ITEM}skip/", Skip.as_view(), name="skip"),
    path(f"{WORK_ITEM}take-again/", TakeAgain.as_view(), name="take_again"),
]

"""The API of candidates: segments of long videos that can become clips."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.urls import path
from rest_framework import serializers

from annotate import access
from annotate.access import UserRequest
from annotate.api.forms import body_of, key_field
from annotate.api.operations import ADMIN, BY_KEY, ApiView, operation
from annotate.api.paging import Filters
from annotate.api.problems import checked_form
from annotate.api.rows import RowSerializer
from annotate.candidates.access import candidate
from annotate.candidates.decisions import decide_candidate, decide_candidates
from annotate.candidates.forms import (
    MOST_AT_ONCE,
    NEED_REASON,
    REJECT,
    SELECT,
    TAKE_BACK,
    UNDO,
    WITHDRAW,
    AnnotationsForm,
    DecisionForm,
    ManyForm,
)
from annotate.candidates.pages import actions_for
from annotate.candidates.starting import start_candidate_import, start_cutting
from annotate.jobs.api import JobSerializer
from annotate.models import Candidate, Role
from annotate.models.corpus import LONGEST_REASON
from annotate.models.jobs import Job

TAG = "Candidates"


class CandidateSerializer(RowSerializer[Candidate]):
    """Half-open: `end_frame` is the first frame after the segment."""

    class Meta:
        model = Candidate
        fields: tuple[str, ...] = (
            *("id", "number", "video", "start_frame", "end_frame", "category", "subcategory"),
            *("state", "reason", "cut", "decided_at", "created_at"),
        )


class CandidateFilters(Filters):
    state = serializers.ChoiceField(choices=Candidate.State.choices, required=False)
    subcategory = serializers.CharField(required=False)


REASON = serializers.CharField(
    default="",
    allow_blank=True,
    max_length=LONGEST_REASON,
    help_text=f"Needed to {' and '.join(sorted(NEED_REASON))}.",
)


class DecisionSerializer(serializers.Serializer[Any]):
    action = serializers.ChoiceField(choices=[SELECT, REJECT, UNDO, WITHDRAW, TAKE_BACK])
    reason = REASON


class DecisionsSerializer(serializers.Serializer[Any]):
    candidate = serializers.ListField(
        child=key_field(), max_length=MOST_AT_ONCE, help_text="Keys of candidates."
    )
    action = serializers.ChoiceField(choices=[SELECT, REJECT])
    reason = REASON


class DecidedSerializer(serializers.Serializer[Any]):
    decided = serializers.IntegerField(help_text="How many were decided now.")


class Candidates(ApiView):
    @operation(gives=CandidateSerializer, query=CandidateFilters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[Candidate]:
        """List candidates. Segments of long videos, for admins."""
        rows = Candidate.objects.filter(project=access.member(asker, slug, Role.ADMIN).project)
        names = ("state", "subcategory")
        return rows.filter(**{name: self.query[name] for name in names if name in self.query})


class ImportCandidates(ApiView):
    @operation(
        gives=JobSerializer,
        takes=body_of("CandidateFile", AnnotationsForm),
        status=202,
        scope=ADMIN,
    )
    def post(self, asker: UserRequest, slug: str) -> Job:
        """Import candidates. From the annotations of long videos."""
        project = access.member(asker, slug, Role.ADMIN).project
        form = checked_form(AnnotationsForm(self.typed(), self.files()))
        return start_candidate_import(project=project, file=form.chosen_file(), admin=asker.user)


class DecideCandidates(ApiView):
    @operation(gives=DecidedSerializer, takes=DecisionsSerializer, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str) -> dict[str, int]:
        """Decide about candidates. Select or reject several; none is changed if one can't be."""
        project = access.member(asker, slug, Role.ADMIN).project
        keys = Candidate.objects.filter(project=project, pk__in=self.values["candidate"])
        form = checked_form(ManyForm(self.typed(), keys=list(keys.values_list("pk", flat=True))))
        return {"decided": decide_candidates(project, asker.user, **form.cleaned_data)}


class DecideCandidate(ApiView):
    @operation(gives=CandidateSerializer, takes=DecisionSerializer, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, candidate_id: int) -> Candidate:
        """Decide about a candidate. Also to take a decision back."""
        _, row = candidate(asker, slug, candidate_id)
        form = checked_form(DecisionForm(self.typed(), actions=actions_for(row)))
        decide_candidate(row, asker.user, **form.cleaned_data)
        row.refresh_from_db()
        return row


class CutCandidates(ApiView):
    @operation(scope=ADMIN)
    def post(self, asker: UserRequest, slug: str) -> None:
        """Cut selected candidates. A worker makes a clip of each."""
        start_cutting(access.member(asker, slug, Role.ADMIN).project, asker.user)


ALL = "projects/<slug:slug>/candidates/"
urlpatterns = [
    path(ALL, Candidates.as_view(), name="candidates"),
    path(f"{ALL}import/", ImportCandidates.as_view(), name="import_candidates"),
    path(f"{ALL}decide/", DecideCandidates.as_view(), name="decide_candidates"),
    path(f"{ALL}cut/", CutCandidates.as_view(), name="cut_candidates"),
    path(f"{ALL}<int:candidate_id>/decide/", DecideCandidate.as_view(), name="decide_candidate"),
]

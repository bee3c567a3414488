"""The API of corrections that threshold studies propose."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.urls import path
from rest_framework import serializers

from annotate.access import UserRequest
from annotate.api.forms import key_field
from annotate.api.operations import BY_KEY, WORK, ApiView, operation
from annotate.api.paging import Filters
from annotate.api.problems import checked_form
from annotate.api.rows import RowSerializer
from annotate.models import Caption
from review import access
from review.corrections.access import proposed_correction
from review.corrections.models import CorrectionDecision
from review.corrections.queries import corrections_to_decide, proposals_of
from review.corrections.services import decide_corrections
from review.errors import ReviewError
from review.verification.forms import CorrectionForm

TAG = "Verification"


class ProposalSerializer(serializers.Serializer[Any]):
    verification = serializers.IntegerField(source="pk")
    text = serializers.CharField(source="corrected.text")


class StudyCorrectionSerializer(RowSerializer[Caption]):
    class Meta:
        model = Caption
        fields: tuple[str, ...] = ("id", "clip", "kind", "text")


class StudyCorrectionWithProposalsSerializer(StudyCorrectionSerializer):
    proposals = ProposalSerializer(many=True)

    class Meta(StudyCorrectionSerializer.Meta):
        fields: tuple[str, ...] = (*StudyCorrectionSerializer.Meta.fields, "proposals")


class AcceptanceSerializer(serializers.Serializer[Any]):
    verification = key_field(
        required=False, allow_null=True, help_text="Null: the machine caption stays."
    )


class CorrectionDecisionSerializer(RowSerializer[CorrectionDecision]):
    class Meta:
        model = CorrectionDecision
        fields = ("id", "caption", "accepted", "result", "created_at")


class StudyCorrections(ApiView):
    @operation(gives=StudyCorrectionSerializer, query=Filters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[Caption]:
        """List captions with corrections to decide about. For experts, reviewers and admins."""
        return corrections_to_decide(access.reviewer(asker, slug))


class StudyCorrectionView(ApiView):
    @operation(gives=StudyCorrectionWithProposalsSerializer)
    def get(self, asker: UserRequest, slug: str, caption_id: int) -> Caption:
        """Show a caption with its proposed corrections. For experts, reviewers and admins."""
        caption = self._to_decide(asker, slug, caption_id)
        caption.proposals = proposals_of(caption)  # type: ignore[attr-defined]  # for the serializer
        return caption

    @operation(gives=CorrectionDecisionSerializer, takes=AcceptanceSerializer, scope=WORK)
    def post(self, asker: UserRequest, slug: str, caption_id: int) -> CorrectionDecision:
        """Decide about proposed corrections. For experts, reviewers and admins."""
        caption = self._to_decide(asker, slug, caption_id)
        accepted = self.values.get("verification") or CorrectionForm.NONE
        form = CorrectionForm({"accepted": accepted}, verifications=list(proposals_of(caption)))
        return decide_corrections(
            membership=access.reviewer(asker, slug),
            caption=caption,
            accepted=checked_form(form).verification,
        )

    def _to_decide(self, asker: UserRequest, slug: str, caption_id: int) -> Caption:
        """Return the caption. Raises ReviewError if this person can't decide about it."""
        membership, caption = proposed_correction(asker, slug, caption_id)
        if not corrections_to_decide(membership).filter(pk=caption.pk).exists():
            raise ReviewError("You can't decide about a correction of this caption.")
        return caption


ALL = "projects/<slug:slug>/study-corrections/"
urlpatterns = [
    path(ALL, StudyCorrections.as_view(), name="study_corrections"),
    path(f"{ALL}<int:caption_id>/", StudyCorrectionView.as_view(), name="study_correction"),
]

"""The API of thresholds, and of the studies that estimate them."""

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
from inference.models import QualityThreshold
from metrics.threshold import RULES
from review import access
from review.studies.api import StudySerializer
from review.studies.models import LARGEST_SEED, Study
from review.threshold import services
from review.threshold.basis import basis_of
from review.threshold.computing import COUNTINGS
from review.threshold.forms import StudyForm, ValueForm
from review.threshold.studies import start_threshold_study

TAG = "Thresholds"


class ThresholdSerializer(RowSerializer[QualityThreshold]):
    class Meta:
        model = QualityThreshold
        fields = ("id", "scorer", "scorer_name", "value", "adopted_at")


class HandedOutSerializer(serializers.Serializer[Any]):
    opened = serializers.IntegerField(help_text="Captions that people are asked to verify now.")
    withdrawn = serializers.IntegerField(help_text="Captions that nobody has to verify any more.")


AdoptionSerializer = body_of(
    "Adoption",
    ValueForm,
    rule=serializers.ChoiceField(choices=list(RULES), default=RULES[0]),
    counting=serializers.ChoiceField(choices=list(COUNTINGS), default=COUNTINGS[0]),
    hand_out=serializers.BooleanField(
        default=False, help_text="Have people verify the captions below it."
    ),
)


class Thresholds(ApiView):
    @operation(gives=ThresholdSerializer, query=NewestFirst, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[QualityThreshold]:
        """List thresholds. The newest first; the newest of a scorer counts. For admins."""
        return QualityThreshold.objects.filter(project=access.admin(asker, slug).project)

    @operation(gives=ThresholdSerializer, takes=AdoptionSerializer, status=201, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str) -> QualityThreshold:
        """Adopt a threshold. `report` is the report that it is based on, if any."""
        project = access.admin(asker, slug).project
        chosen = checked_form(ValueForm(self.typed())).cleaned_data
        rests_on = basis_of(
            project,
            chosen["scorer"],
            chosen["report"],
            self.values["rule"],
            self.values["counting"],
        )
        adopted, _ = services.adopt(
            project=project,
            scorer=chosen["scorer"],
            value=chosen["value"],
            admin=asker.user,
            hand_out=self.values["hand_out"],
            rests_on=rests_on,
        )
        return adopted


class HandOutOptions(serializers.Serializer[Any]):
    by_expected_errors = serializers.BooleanField(
        default=False,
        help_text="In an order drawn by expected errors instead of the lowest scores first.",
    )
    seed = serializers.IntegerField(
        default=0, min_value=0, max_value=LARGEST_SEED, help_text="Draws this order."
    )


class HandOutLowCaptions(ApiView):
    @operation(gives=HandedOutSerializer, query=HandOutOptions, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str) -> services.Handed:
        """Hand out captions below the thresholds. People verify them."""
        return services.hand_out_low_captions(
            project=access.admin(asker, slug).project,
            by_expected_errors=self.query["by_expected_errors"],
            seed=self.query["seed"],
            admin=asker.user,
        )


class ThresholdStudies(ApiView):
    tag = "Studies"

    @operation(
        gives=StudySerializer,
        takes=body_of("NewThresholdStudy", StudyForm),
        status=201,
        scope=ADMIN,
    )
    def post(self, asker: UserRequest, slug: str) -> Study:
        """Start a threshold study."""
        project = access.admin(asker, slug).project
        chosen = checked_form(StudyForm(self.typed())).cleaned_data
        return start_threshold_study(project=project, admin=asker.user, **chosen)


ALL = "projects/<slug:slug>/thresholds/"
urlpatterns = [
    path(ALL, Thresholds.as_view(), name="thresholds"),
    path(f"{ALL}hand-out/", HandOutLowCaptions.as_view(), name="hand_out_low_captions"),
    path(
        "projects/<slug:slug>/studies/threshold/",
        ThresholdStudies.as_view(),
        name="threshold_studies",
    ),
]

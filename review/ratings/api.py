"""The API of rating studies and of the examples by which raters train."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.urls import path
from rest_framework import serializers

from annotate.access import UserRequest
from annotate.api.forms import body_of, key_field
from annotate.api.operations import ADMIN, BY_KEY, WORK, ApiView, operation
from annotate.api.paging import Filters
from annotate.api.problems import checked_form
from annotate.api.rows import RowSerializer
from review import access
from review.ratings import training_set
from review.ratings.access import example_caption, kept_example, rating_study
from review.ratings.forms import ExampleForm, RatingStudyForm, ShareForm
from review.ratings.models import RatingExample
from review.ratings.studies import change_share, open_rating_study
from review.studies.api import StudySerializer
from review.studies.models import Study

TAG = "Studies"


class RatingExampleSerializer(RowSerializer[RatingExample]):
    class Meta:
        model = RatingExample
        fields = ("id", "caption", "value", "explanation", "place", "created_at")


class PlacedSerializer(serializers.Serializer[Any]):
    direction = serializers.ChoiceField(choices=["up", "down"])


class RatingStudies(ApiView):
    @operation(
        gives=StudySerializer,
        takes=body_of("NewRatingStudy", RatingStudyForm),
        status=201,
        scope=ADMIN,
    )
    def post(self, asker: UserRequest, slug: str) -> Study:
        """Start a rating study."""
        project = access.admin(asker, slug).project
        chosen = checked_form(RatingStudyForm(self.typed())).cleaned_data
        return open_rating_study(project=project, admin=asker.user, **chosen)


class RatingShare(ApiView):
    @operation(gives=StudySerializer, takes=body_of("RatingShare", ShareForm), scope=ADMIN)
    def patch(self, asker: UserRequest, slug: str, study_id: int) -> Study:
        """Change the ratings per person of a study."""
        _, study = rating_study(asker, slug, study_id)
        chosen = checked_form(ShareForm(self.typed())).cleaned_data
        return change_share(study=study, admin=asker.user, **chosen)


class RatingExamples(ApiView):
    @operation(gives=RatingExampleSerializer, query=Filters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[RatingExample]:
        """List training examples of ratings. For reviewers and admins."""
        project = access.trainer(asker, slug).project
        return RatingExample.objects.filter(project=project, is_used=True)

    @operation(
        gives=RatingExampleSerializer,
        takes=body_of("NewRatingExample", ExampleForm, caption=key_field()),
        status=201,
        scope=WORK,
    )
    def post(self, asker: UserRequest, slug: str) -> RatingExample:
        """Add a training example of ratings. For reviewers and admins."""
        access.trainer(asker, slug)
        membership, caption = example_caption(asker, slug, self.values["caption"])
        chosen = checked_form(ExampleForm(self.typed())).cleaned_data
        return training_set.add_example(
            project=membership.project, caption=caption, person=asker.user, **chosen
        )


class RatingExampleView(ApiView):
    @operation(scope=WORK)
    def delete(self, asker: UserRequest, slug: str, example_id: int) -> Any:
        """Remove a training example of ratings. People’s answers are kept."""
        _, example = kept_example(asker, slug, example_id)
        training_set.retire_example(example=example, person=asker.user)


class MoveRatingExample(ApiView):
    @operation(takes=PlacedSerializer, scope=WORK)
    def post(self, asker: UserRequest, slug: str, example_id: int) -> Any:
        """Move a training example of ratings up or down."""
        _, example = kept_example(asker, slug, example_id)
        direction = self.values["direction"]
        training_set.move_example(example=example, direction=direction, person=asker.user)


STUDIES = "projects/<slug:slug>/studies/"
EXAMPLES = "projects/<slug:slug>/rating-examples/"
urlpatterns = [
    path(f"{STUDIES}rating/", RatingStudies.as_view(), name="rating_studies"),
    path(f"{STUDIES}<int:study_id>/share/", RatingShare.as_view(), name="rating_share"),
    path(EXAMPLES, RatingExamples.as_view(), name="rating_examples"),
    path(f"{EXAMPLES}<int:example_id>/", RatingExampleView.as_view(), name="rating_example"),
    path(
        f"{EXAMPLES}<int:example_id>/move/", MoveRatingExample.as_view(), name="move_rating_example"
    ),
]

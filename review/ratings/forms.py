"""Forms of ratings, their studies and training."""

from __future__ import annotations

from django import forms

from review.ratings.scale import CHOOSE_ONE, typed_rating
from review.ratings.studies import MAX_PEOPLE, MAX_SHARE
from review.studies.models import MAX_SEED

MAX_EXPLANATION_LENGTH = 2000


class RatingField(forms.CharField):
    """A rating in the exact text of its buttons, without trimming or conversion."""

    def __init__(self) -> None:
        super().__init__(strip=False, error_messages={"required": CHOOSE_ONE})

    def clean(self, value: object) -> int:
        try:
            return typed_rating(super().clean(value))
        except ValueError as error:
            raise forms.ValidationError(CHOOSE_ONE) from error


class AnswerForm(forms.Form):
    value = RatingField()


class ExampleForm(AnswerForm):
    explanation = forms.CharField(
        label="Why",
        max_length=MAX_EXPLANATION_LENGTH,
        widget=forms.Textarea(attrs={"rows": 4, "lang": ""}),
        help_text="What in the caption earns or costs points. Raters read this after they answer.",
        error_messages={"required": "Explain the rating: raters learn from the explanation."},
    )


class ShareForm(forms.Form):
    per_rater = forms.IntegerField(
        label="Ratings per person", min_value=1, max_value=MAX_SHARE, localize=False
    )


class RatingStudyForm(forms.Form):
    clips = forms.IntegerField(
        label="Captions of clips", min_value=0, max_value=MAX_SHARE, initial=300
    )
    videos = forms.IntegerField(
        label="Captions of whole videos", min_value=0, max_value=MAX_SHARE, initial=100
    )
    people = forms.IntegerField(
        label="People per caption",
        min_value=1,
        max_value=MAX_PEOPLE,
        initial=1,
        help_text="Two or more people let you measure agreement.",
    )
    per_rater = forms.IntegerField(
        label="Ratings per person",
        required=False,
        min_value=1,
        max_value=MAX_SHARE,
        help_text="Empty: shared evenly among all raters.",
    )
    seed = forms.IntegerField(
        min_value=0,
        max_value=MAX_SEED,
        initial=0,
        help_text="The same seed draws the same captions.",
    )

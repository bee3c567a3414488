"""Looking through a project's captions for good and bad ones to train raters on."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.db.models import Avg, Case, Count, F, OuterRef, QuerySet, Subquery, When
from django.db.models.functions import Left

from annotate.blindness import hidden_captions, visible_captions
from annotate.models import Caption, Membership
from inference.models import QualityScore
from inference.queries import scorers_of
from review.queries.verifications import readable_verifications
from review.services.rating_training import EXAMPLE_KINDS

BEGINNING = 240  # letters of a caption in a list
SOURCES = {
    "model": [Caption.Source.MACHINE],
    "person": [Caption.Source.HUMAN, Caption.Source.MERGED, Caption.Source.CORRECTED],
    "imported": [Caption.Source.IMPORTED],
}
ORDERS = {
    "newest": F("id").desc(),
    "lowest": F("score").asc(nulls_last=True),
    "highest": F("score").desc(nulls_last=True),
    "errors": F("errors").desc(nulls_last=True),
    "fewest": F("errors").asc(nulls_last=True),
}


class CaptionsForm(forms.Form):
    """GET parameters. What isn't valid is no filter, so that an old link still opens the page."""

    q = forms.CharField(label="Name of the clip contains", max_length=200, required=False)
    by = forms.ChoiceField(
        label="Written by",
        required=False,
        choices=[
            ("", "Anybody"),
            ("model", "A model"),
            ("person", "A person"),
            ("imported", "Imported"),
        ],
    )
    order = forms.ChoiceField(
        required=False,
        choices=[
            ("", "Newest first"),
            ("lowest", "Lowest score first"),
            ("highest", "Highest score first"),
            ("errors", "Most errors first"),
            ("fewest", "Fewest errors first"),
        ],
    )

    def __init__(self, data: Any) -> None:
        super().__init__(data)
        self.is_valid()

    @property
    def filters(self) -> dict[str, str]:
        return {name: value for name, value in self.cleaned_data.items() if value}

    @property
    def query(self) -> str:
        """The parameters of a link that keeps what is chosen."""
        return urlencode(self.filters)


def captions_to_show(membership: Membership, filters: dict[str, str]) -> QuerySet[Caption]:
    """The captions that may become examples and that this person may read. Each with its `score` by
    the project's latest scorer, and the mean of the `errors` that its `verifications` found; not
    where this person could still verify it, for people judge without knowing them."""
    project = membership.project
    captions = Caption.objects.filter(project=project, kind__in=EXAMPLE_KINDS, word_count__gt=0)
    if name := filters.get("q"):
        captions = captions.filter(clip__name__icontains=name)
    if by := filters.get("by"):
        captions = captions.filter(source__in=SOURCES[by])
    unscored = hidden_captions(membership, or_scores=True).values("pk")
    found = readable_verifications(membership).filter(caption=OuterRef("pk")).order_by()
    found = found.values("caption")
    return (
        visible_captions(membership, captions)
        .select_related("clip", "author")
        .defer("text")
        .annotate(
            beginning=Left("text", BEGINNING),
            score=Case(When(pk__in=unscored, then=None), default=_score(membership)),
            errors=Subquery(
                found.annotate(mean=Avg(F("content_errors") + F("topic_errors"))).values("mean")
            ),
            verified=Subquery(found.annotate(number=Count("pk")).values("number")),
        )
        .order_by(ORDERS[filters.get("order", "newest")], "-id")
    )


def _score(membership: Membership) -> Subquery:
    """One scorer's alone: the scores of two can't be compared."""
    scorers = scorers_of(membership.project)
    scores = QualityScore.objects.filter(
        caption=OuterRef("pk"), scorer=scorers[0]["scorer"] if scorers else ""
    )
    return Subquery(scores.values("value"))

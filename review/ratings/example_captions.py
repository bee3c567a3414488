"""Looking through a project's captions for good and bad ones to train raters on."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.paginator import Page, Paginator
from django.db.models import Avg, Case, Count, F, OuterRef, QuerySet, Subquery, When
from django.db.models.functions import Left

from annotate.blindness import hides, visible_captions
from annotate.models import Caption, Membership
from inference.models import QualityScore
from review.ratings.training_set import EXAMPLE_KINDS
from review.verification.queries import readable_verifications

BEGINNING = 240  # letters of a caption in a list
MOST = 1_000  # captions in the list
SOURCES = {
    "model": [Caption.Source.MACHINE],
    "person": [Caption.Source.HUMAN, Caption.Source.MERGED, Caption.Source.CORRECTED],
    "imported": [Caption.Source.IMPORTED],
}
ORDERS = {
    "newest": F("created_at").desc(),
    "lowest": F("score").asc(nulls_last=True),
    "highest": F("score").desc(nulls_last=True),
    "errors": F("errors").desc(nulls_last=True),
    "fewest": F("errors").asc(nulls_last=True),
}
# What an order needs of each caption.
MEASURES = {"lowest": "score", "highest": "score", "errors": "errors", "fewest": "errors"}


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


def captions_page(
    membership: Membership, filters: dict[str, str], number: str | None, per_page: int
) -> Page:
    """Return a page of the first MOST captions that may become examples and that this person may
    read. Each has its `score` by the project's latest scorer, and the mean of the `errors` that its
    `verifications` counted; not where this person could still verify it, because people judge
    without knowing them."""
    order = filters.get("order", "newest")
    captions, measures = _captions(membership, filters), _measures(membership)
    if order in MEASURES:
        captions = captions.annotate(**{MEASURES[order]: measures[MEASURES[order]]})
    # Who may read each of tens of thousands takes seconds, and nobody turns so many pages.
    ordered = captions.order_by(ORDERS[order], "-id").values_list("pk", flat=True)[:MOST]
    page = Paginator(list(ordered), per_page).get_page(number)
    rows = (
        Caption.objects.select_related("clip", "author")
        .defer("text")
        .annotate(beginning=Left("text", BEGINNING), **measures)
        .in_bulk(page.object_list)
    )
    page.object_list = [rows[key] for key in page.object_list]
    return page


def _captions(membership: Membership, filters: dict[str, str]) -> QuerySet[Caption]:
    captions = Caption.objects.filter(
        project=membership.project, kind__in=EXAMPLE_KINDS, word_count__gt=0
    )
    if name := filters.get("q"):
        captions = captions.filter(clip__name__icontains=name)
    if by := filters.get("by"):
        captions = captions.filter(source__in=SOURCES[by])
    return visible_captions(membership, captions)


def _measures(membership: Membership) -> dict[str, Case | Subquery]:
    unscored = hides(membership, or_scores=True)
    score = _score(membership)
    found = readable_verifications(membership).filter(caption=OuterRef("pk")).order_by()
    found = found.values("caption")
    return {
        "score": Case(When(unscored, then=None), default=score) if unscored else score,
        "errors": Subquery(
            found.annotate(mean=Avg(F("content_errors") + F("topic_errors"))).values("mean")
        ),
        "verified": Subquery(found.annotate(number=Count("pk")).values("number")),
    }


def _score(membership: Membership) -> Subquery:
    """One scorer's alone: the scores of two can't be compared."""
    scores = QualityScore.objects.order_by("-pk")
    latest = scores.filter(project=membership.project).values_list("scorer", flat=True).first()
    scores = scores.filter(caption=OuterRef("pk"), scorer=latest or "")
    return Subquery(scores.values("value"))
